package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// The elements follow the schema that Surefire, Jenkins, GitLab and the GitHub reporters share: one testcase per trail,
// earlier attempts as flakyFailure (it passed in the end) or rerunFailure (it never did).
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties *junitProps     `xml:"properties"`
		Cases      []junitTestcase `xml:"testcase"`
	}
	junitProps struct {
		List []junitProp `xml:"property"`
	}
	junitProp struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitTestcase struct {
		Name       string        `xml:"name,attr"`
		Class      string        `xml:"classname,attr"`
		File       string        `xml:"file,attr,omitempty"`
		Line       int           `xml:"line,attr,omitempty"`
		Time       string        `xml:"time,attr"`
		Properties *junitProps   `xml:"properties"`
		Skipped    *junitSkipped `xml:"skipped"`
		Failure    *junitFailure `xml:"failure"`
		Error      *junitFailure `xml:"error"`
		Reruns     []junitRerun  // the element's name says what the rerun was
		SystemOut  string        `xml:"system-out,omitempty"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitRerun struct {
		XMLName xml.Name
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Stack   string `xml:"stackTrace"`
		Out     string `xml:"system-out,omitempty"`
	}
)

// WriteJUnit writes the report as JUnit XML.
func WriteJUnit(w io.Writer, r *Report) error {
	suite := junitSuite{Name: clean(r.Title), Time: seconds(r.DurationMS), Properties: properties(append([]string{
		"trailblaze.run", r.ID, "trailblaze.version", r.Version, versionKey(r.Platform), r.Browser},
		priced("trailblaze", r.Price)...)...)}
	if !r.Started.IsZero() {
		suite.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
	}
	for _, t := range r.Trails {
		c := testcase(t)
		suite.Tests++
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	all := junitSuites{
		Name: "trailblaze", Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped,
		Time: suite.Time, Suites: []junitSuite{suite},
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fault.Wrap(err, fault.Unavailable, "write JUnit report")
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return fault.Wrap(err, fault.Unavailable, "write JUnit report")
	}
	_, err := io.WriteString(w, "\n")
	return fault.Wrap(err, fault.Unavailable, "write JUnit report")
}

// versionKey names what drew the screens of a platform.
func versionKey(platform string) string {
	if isPhone(platform) {
		return "trailblaze.system"
	}
	return "trailblaze.browser"
}

func testcase(t Trail) junitTestcase {
	c := junitTestcase{
		Name: caseName(t), Class: className(t), File: clean(t.Path), Time: seconds(t.DurationMS),
		SystemOut: clean(summary(t)),
	}
	props := append([]string{"trailblaze.outcome", string(t.Outcome), "trailblaze.tags", strings.Join(t.Tags, ",")},
		priced("trailblaze", t.Price)...)
	if n := len(t.Attempts); n > 0 {
		last := t.Attempts[n-1]
		props = append(props, "trailblaze.attempts", strconv.Itoa(n), "trailblaze.session", last.Session,
			"trailblaze.device", last.Device, versionKey(last.Platform), last.Browser)
		for _, s := range last.Steps {
			props = append(props, priced(fmt.Sprintf("trailblaze.step.%d", s.Index+1), s.Price)...)
		}
		if s := failedStep(last); s != nil {
			c.Line = s.Line
		}
	}
	c.Properties = properties(props...)
	switch t.Outcome {
	case event.Passed:
	case event.Healed:
		for i, h := range heals(t) {
			c.Properties.List = append(c.Properties.List, junitProp{fmt.Sprintf("trailblaze.healed.%d", i+1), clean(h)})
		}
	case event.Flaky:
		c.Reruns = reruns(t.Attempts[:max(len(t.Attempts)-1, 0)], "flaky")
	case event.Skipped:
		c.Skipped = &junitSkipped{clean(t.Reason)}
	case event.Failed:
		c.Failure = failure(t)
		c.Reruns = reruns(t.Attempts[min(1, len(t.Attempts)):], "rerun")
	case event.Broken, event.Canceled, event.Undecided:
		c.Error = failure(t)
		c.Reruns = reruns(t.Attempts[min(1, len(t.Attempts)):], "rerun")
	default:
		c.Error = failure(t)
	}
	return c
}

// failure describes the first attempt, as Surefire does; the later ones are its reruns.
func failure(t Trail) *junitFailure {
	f, text := t.Failure, ""
	if len(t.Attempts) > 0 {
		first := t.Attempts[0]
		if first.Outcome != event.Passed && first.Failure != nil {
			f = first.Failure
		}
		text = story(first)
	}
	if f == nil {
		return &junitFailure{Message: string(t.Outcome), Type: string(t.Outcome), Text: clean(text)}
	}
	return &junitFailure{Message: clean(f.Message), Type: string(f.Kind), Text: clean(cmp.Or(text, f.Text()))}
}

func reruns(attempts []Attempt, prefix string) []junitRerun {
	var out []junitRerun
	for _, a := range attempts {
		if a.Outcome == event.Passed {
			continue
		}
		name := prefix + "Error"
		if a.Outcome == event.Failed {
			name = prefix + "Failure"
		}
		rr := junitRerun{XMLName: xml.Name{Local: name}, Type: string(a.Outcome), Message: string(a.Outcome),
			Stack: clean(story(a))}
		if a.Failure != nil {
			rr.Type, rr.Message = string(a.Failure.Kind), clean(a.Failure.Message)
		}
		out = append(out, rr)
	}
	return out
}

// className groups testcases the way the trail files are foldered.
func className(t Trail) string {
	if t.ID != "" {
		return clean(strings.ReplaceAll(t.ID, "/", "."))
	}
	path := strings.TrimSuffix(strings.TrimSuffix(t.Path, ".yaml"), ".trail")
	return clean(strings.ReplaceAll(strings.Trim(strings.ReplaceAll(path, "\\", "/"), "./"), "/", "."))
}

func properties(pairs ...string) *junitProps {
	p := &junitProps{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			p.List = append(p.List, junitProp{pairs[i], clean(pairs[i+1])})
		}
	}
	if len(p.List) == 0 {
		return nil
	}
	return p
}

// priced returns the properties of the cost of questions to a model, none where none was asked.
func priced(prefix string, p *event.Price) []string {
	switch {
	case p == nil:
		return nil
	case p.Judge == nil:
		return used(prefix, p.Usage)
	}
	return append(append(used(prefix, p.Usage), used(prefix+".judge", *p.Judge)...), prefix+".judge.ruling", p.Ruling)
}

func used(prefix string, p event.Usage) []string {
	return []string{prefix + ".model", p.Model, prefix + ".questions", strconv.Itoa(p.Questions),
		prefix + ".tokens.in", strconv.Itoa(p.InputTokens), prefix + ".tokens.cached", strconv.Itoa(p.CachedInputTokens),
		prefix + ".tokens.out", strconv.Itoa(p.OutputTokens),
		prefix + ".cost.usd", strconv.FormatFloat(p.CostUSD, 'f', 6, 64)}
}

func seconds(ms float64) string { return strconv.FormatFloat(ms/1000, 'f', 3, 64) }

// clean drops what XML 1.0 cannot carry, which page text may hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r < utf8.RuneError,
			r > utf8.RuneError && r <= 0x10FFFF:
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
