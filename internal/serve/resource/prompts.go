package resource

import (
	"embed"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// prompt is a text for a client's model. fill gives the values of its placeholders.
type prompt struct {
	needs []string // arguments
	fill  func(r *Reader, args map[string]string) (map[string]string, error)
}

var prompts = map[string]prompt{
	"author_trail":     {[]string{"goal"}, (*Reader).fillAuthor},
	"diagnose_failure": {nil, (*Reader).fillDiagnose},
	"review_trail":     {[]string{"path"}, (*Reader).fillReview},
}

// Prompt writes a prompt out.
func (r *Reader) Prompt(name string, args map[string]string) (string, error) {
	const op = "get prompt"
	p, ok := prompts[name]
	if !ok {
		return "", fault.New(fault.NotFound, op, "no prompt is called %.80q", name)
	}
	var missing []string
	for _, a := range p.needs {
		if strings.TrimSpace(args[a]) == "" {
			missing = append(missing, a)
		}
	}
	if len(missing) > 0 {
		return "", fault.New(fault.Invalid, op, "%s needs %s", name, strings.Join(missing, ", "))
	}
	places, err := p.fill(r, args)
	if err != nil {
		return "", err
	}
	text, err := promptFiles.ReadFile("prompts/" + name + ".md")
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, op)
	}
	return fillIn(string(text), places), nil
}

// fillIn replaces the placeholders by values. It leaves out a part between {{#name}} and {{/name}}
// when name has no value. It does not expand braces inside values.
func fillIn(text string, places map[string]string) string {
	var pairs []string
	for name, value := range places {
		open, end := "{{#"+name+"}}", "{{/"+name+"}}"
		if i, j := strings.Index(text, open), strings.Index(text, end); i >= 0 && j > i {
			part := ""
			if value != "" {
				part = text[i+len(open) : j]
			}
			text = text[:i] + part + text[j+len(end):]
		}
		pairs = append(pairs, "{{"+name+"}}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (r *Reader) fillAuthor(args map[string]string) (map[string]string, error) {
	return map[string]string{"goal": args["goal"], "start": args["start"]}, nil
}

func (r *Reader) fillReview(args map[string]string) (map[string]string, error) {
	at, ok := parseAddress(Scheme + "trails/" + args["path"])
	if !ok {
		return nil, fault.New(fault.NotFound, "get prompt", "no trail %q", args["path"])
	}
	data, err := WorkspaceFile(r.Client.State().Workspace, at.from(1))
	if err != nil {
		return nil, err
	}
	return map[string]string{"path": at.from(1), "trail": strings.TrimSpace(string(data))}, nil
}

func (r *Reader) fillDiagnose(args map[string]string) (map[string]string, error) {
	id, err := r.findSession(args["session"])
	if err != nil {
		return nil, err
	}
	sum, err := r.summarize(id)
	if err != nil {
		return nil, err
	}
	base := Scheme + "sessions/" + id
	return map[string]string{
		"details": observe.MarkUntrusted(sum.text()), // it quotes the page
		"links": fmt.Sprintf(
			"%s/screenshot (the last picture), %s/events (everything that happened), %s/recording (what would be saved).", base,
			base, base),
	}, nil
}

// findSession completes a session's id; "" is the client's running session, or the newest.
func (r *Reader) findSession(prefix string) (string, error) {
	if prefix == "" {
		if s, ok := r.Hub.RunningSession(r.Client); ok {
			return s.ID, nil
		}
		prefix = "last"
	}
	for _, l := range r.Hub.Sessions() {
		if l.ID == prefix {
			return l.ID, nil
		}
	}
	return session.Find(r.Sessions, prefix)
}

// text returns the facts that a model needs to judge a failure and to recover from it.
func (sum *summary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %s", sum.ID)
	if sum.Title != "" {
		fmt.Fprintf(&b, " (%s)", sum.Title)
	}
	fmt.Fprintf(&b, " on %s", orUnknown(sum.Device))
	switch {
	case sum.Running:
		b.WriteString(", still running")
	case sum.Outcome != "":
		fmt.Fprintf(&b, ": %s", sum.Outcome)
	}
	fmt.Fprintf(&b, ". %d calls, %d failed.\n", sum.Calls, sum.Failed)
	for _, s := range sum.Steps {
		if s.Error != nil {
			fmt.Fprintf(&b, "\nStep %d, %q, %s.\n", s.Index+1, s.Text, s.Outcome)
		}
	}
	if len(sum.Failures) == 0 {
		b.WriteString("\nNo call failed in it.\n")
		if sum.Error != nil {
			fmt.Fprintf(&b, "- The session failed (%s): %s", sum.Error.Kind, sum.Error.Text())
		}
		return b.String()
	}
	f := sum.Failures[len(sum.Failures)-1]
	fmt.Fprintf(&b, "\nThe last failure: %s %s\n", f.Tool, f.Args)
	if f.Failure != nil {
		fmt.Fprintf(&b, "- It failed (%s): %s", f.Failure.Kind, f.Failure.Text())
	}
	return b.String()
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown device"
	}
	return s
}
