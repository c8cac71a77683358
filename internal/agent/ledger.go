package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ledger holds the results of a run's calls: the assertions, the newest of each counting, and whether any call acted
// or looked.
type ledger struct {
	order  []string
	result map[string]string // "" for passed
	text   map[string]string
	acted  bool // an action changed something
	vain   bool // an action was refused by the app, or changed nothing
	looked bool // a query or an assertion has answered something about the device
	acts   []act
}

// enter notes a call that was made on a screen.
func (l *ledger) enter(s *tool.Spec, c tool.Call, ev *tool.Evidence, err error, on *screen.Snapshot) {
	good := err == nil && !ev.InVain()
	switch s.Kind {
	case tool.Action:
		l.vain = l.vain || inVain(ev, err)
		l.act(s, c, ev, good, on)
		return
	case tool.Query:
		l.looked = l.looked || good && s.Decides(c.Args)
		return
	case tool.Assertion:
	}
	if !looks(s, c) {
		return
	}
	l.looked = l.looked || good || denies(c, err)
	if l.result == nil {
		l.result, l.text = map[string]string{}, map[string]string{}
	}
	l.assert(c.Name+" "+string(c.Args), ev, err)
}

// assert notes what an assertion came to.
func (l *ledger) assert(key string, ev *tool.Evidence, err error) {
	if _, known := l.result[key]; !known {
		l.order = append(l.order, key)
	}
	l.result[key], l.text[key] = "", key
	if ev != nil && ev.Checked != "" {
		l.text[key] = ev.Checked
	}
	if err != nil {
		l.result[key] = clip(err.Error(), 200)
	}
}

// saw notes what came to the screen after the last act.
func (l *ledger) saw(came []string) {
	if n := len(l.acts); n > 0 {
		l.acts[n-1].after += " " + strings.Join(came, " ")
	}
}

// act notes an action.
func (l *ledger) act(s *tool.Spec, c tool.Call, ev *tool.Evidence, good bool, on *screen.Snapshot) {
	if l.acted = l.acted || good; good {
		x := actOf(s, c, ev)
		if ev != nil {
			x.noteOtherControls(on, ev.Target)
		}
		l.acts = append(l.acts, x)
	}
}

// denies reports whether a failed assertion answers no. That there is no element of a ref, which the model may have
// made up, answers nothing.
func denies(c tool.Call, err error) bool {
	var args struct{ Ref string }
	_ = json.Unmarshal(c.Args, &args) // no ref, then
	_, ref := screen.RefOf(args.Ref)
	return fault.KindOf(err) == fault.Assertion || !ref && fault.KindOf(err) == fault.NotFound
}

// inVain says whether an action met an app that does not do as it should. An element that the model made up is no
// failure of the app, nor are arguments that the tool does not take.
func inVain(ev *tool.Evidence, err error) bool {
	kind := fault.KindOf(err)
	return ev.InVain() || kind == fault.NotActed || kind == fault.Assertion
}

// looks says whether an assertion is about the device. One that compares values is, when a value of memory is among
// them: two texts that the model wrote itself show nothing.
func looks(s *tool.Spec, c tool.Call) bool {
	compares := slices.Contains(toolset.Of(s), toolset.Memory) && (s.Effects == nil || s.Effects.Remembers == "")
	return !compares || len(memory.TokensInJSON(c.Args)) > 0
}

// passed are the assertions that passed.
func (l *ledger) passed() (out []string) {
	for _, key := range l.order {
		if l.result[key] == "" {
			out = append(out, l.text[key])
		}
	}
	return out
}

// results returns the assertions with their results.
func (l *ledger) results() (out []string) {
	for _, key := range l.order {
		said := "failed: " + l.result[key]
		if l.result[key] == "" {
			said = "passed"
			if l.text[key] != key {
				said += ": " + l.text[key]
			}
		}
		out = append(out, clip(key, 300)+" -> "+said)
	}
	return out
}

// failed is an assertion that failed and has not passed since, "" when there is none.
func (l *ledger) failed() string {
	for _, key := range l.order {
		if l.result[key] != "" {
			return key
		}
	}
	return ""
}

// against says why a statement does not count as checked; "" when it does. A failed assertion stands until the same one
// passes, and what the statement names has to be in an assertion that passed.
func (l *ledger) against(statement string) string {
	if len(l.passed()) == 0 {
		return "no assertion about the screen has passed. Call one for each thing that the objective states."
	}
	if key := l.failed(); key != "" {
		return "the assertion " + clip(key, 200) + " failed, and has not passed since. If it asserted the wrong thing and " +
			"the statement holds, nothing takes it back: report FAILED with what the screen shows."
	}
	var passed []string
	for _, key := range l.order {
		passed = append(passed, words(key)+words(l.text[key]))
	}
	for _, part := range particulars(statement) {
		if !slices.ContainsFunc(passed, func(said string) bool { return strings.Contains(said, words(part)) }) {
			return "no assertion that passed has " + part + " of the objective in its arguments. Call one that has."
		}
	}
	return ""
}

var (
	quotation = regex.Lazy("\"([^\"]+)\"|\u201c([^\u201d]+)\u201d|\u00ab([^\u00bb]+)\u00bb|`([^`]+)`")
	digits    = regex.Lazy(`\d+(?:[.,]\d+)*`)
	sentence  = regex.Lazy(`[.!?:]\s+`)
)

// particulars returns the parts that a statement cannot do without: its quoted texts, its numbers and its names, which
// are the words with a capital within a sentence. Where every third word has one, as nouns in German do, a capital
// makes no name.
func particulars(statement string) (out []string) {
	for _, t := range memory.TokensIn(statement) {
		statement = strings.ReplaceAll(statement, t.String(), " ")
	}
	for _, m := range quotation().FindAllStringSubmatch(statement, -1) {
		out = append(out, strings.Join(m[1:], ""))
	}
	statement = quotation().ReplaceAllString(statement, " ")
	out = append(out, digits().FindAllString(statement, -1)...)
	var names []string
	count := 0
	for _, s := range sentence().Split(statement, -1) {
		for i, w := range strings.Fields(s) {
			count++
			w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "\u2019s")
			if r := []rune(w); i > 0 && len(r) > 1 && unicode.IsUpper(r[0]) {
				names = append(names, w)
			}
			if numerals[strings.ToLower(w)] != "" {
				out = append(out, w)
			}
		}
	}
	if 3*len(names) < count {
		out = append(out, names...)
	}
	return out
}

// numerals are the numbers that people write as words.
var numerals = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12"}

// words are the words of a text in small letters with a blank around each, numbers in digits: that one text has
// another as whole words is then a matter of containing it.
func words(text string) string {
	var plain any
	if _, args, ok := strings.Cut(text, " "); ok && json.Unmarshal([]byte(args), &plain) == nil {
		text = strings.Join(scalars(plain), " ")
	}
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ','
	})
	for i, f := range fields {
		f = strings.Trim(f, ".,")
		if n, ok := numerals[f]; ok {
			f = n
		}
		fields[i] = f
	}
	return " " + strings.Join(fields, " ") + " "
}

// scalars are the texts, numbers and other plain values in a JSON value.
func scalars(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			out = append(out, scalars(inner)...)
		}
	case []any:
		for _, inner := range v {
			out = append(out, scalars(inner)...)
		}
	case nil:
	default:
		raw, _ := json.Marshal(v) // it was JSON
		out = append(out, strings.Trim(string(raw), `"`))
	}
	return out
}

// largest is the largest whole number in a text, in digits or as a word; 0 when there is none.
func largest(text string) (most int) {
	for w := range strings.FieldsSeq(words(text)) {
		if n, err := strconv.Atoi(w); err == nil && n <= maxAsked {
			most = max(most, n)
		}
	}
	return most
}

// clip shortens a text to n characters.
func clip(s string, n int) string {
	if r := []rune(strings.TrimSpace(s)); len(r) > n {
		return string(r[:n]) + "…"
	}
	return strings.TrimSpace(s)
}
