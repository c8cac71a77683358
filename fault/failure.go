package fault

import (
	"errors"
	"slices"
	"strings"
)

// Failure is the one JSON form of an error: in the log, in reports and at every door.
type Failure struct {
	Kind       Kind     `json:"kind"`
	Message    string   `json:"message"`
	Hint       string   `json:"hint,omitempty"`
	Next       []Action `json:"next,omitempty" jsonschema:"the calls that the hint names"`
	Device     string   `json:"device,omitempty"`
	Looked     string   `json:"looked,omitempty" jsonschema:"what was looked for"`
	Candidates []string `json:"candidates,omitempty" jsonschema:"the nearest, each with its difference"`
	SinceGreen []string `json:"sinceGreen,omitempty" jsonschema:"how the screen differs from the last green run of the step"`
	Log        []string `json:"log,omitempty" jsonschema:"what was tried, in order"`
}

// Action names a call that a hint advises. Its String is the wording for clients that write JSON; a door with another
// syntax replaces it with Worded.
type Action struct {
	Tool   string `json:"tool"`
	Action string `json:"action"`
}

// String writes the call as an MCP client makes it.
func (a Action) String() string { return a.Tool + ` {"action":"` + a.Action + `"}` }

// FailureOf turns an error into its JSON form. A nil error gives nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Kind: KindOf(err), Message: err.Error()}
	if h := hinted(err); h != nil {
		f.Hint, f.Next = h.Hint, h.Next
	}
	if e, ok := errors.AsType[*Error](err); ok {
		f.Device = e.Device
	}
	if d := DetailOf(err); d != nil {
		f.Looked, f.Candidates, f.SinceGreen, f.Log = d.Looked, d.Candidates, d.SinceGreen, d.Log
	}
	return f
}

// Err turns a failure back into an error: FailureOf of it is the same failure. A nil failure gives nil.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	e := &Error{Kind: f.Kind, Device: f.Device, Hint: f.Hint, Next: f.Next, Err: errors.New(f.Message)}
	if f.Looked != "" || len(f.Candidates)+len(f.SinceGreen)+len(f.Log) > 0 {
		e.Detail = &Detail{Looked: f.Looked, Candidates: f.Candidates, SinceGreen: f.SinceGreen, Log: f.Log}
	}
	return e
}

// Worded returns the failure with every call that its hint names in another door's words.
func (f *Failure) Worded(word func(Action) string) *Failure {
	c := *f
	for _, a := range f.Next {
		c.Hint = strings.ReplaceAll(c.Hint, a.String(), word(a))
	}
	return &c
}

// Map returns the failure with every text passed through change.
func (f *Failure) Map(change func(string) string) *Failure {
	if f == nil {
		return nil
	}
	all := func(in []string) []string {
		out := slices.Clone(in)
		for i, s := range out {
			out[i] = change(s)
		}
		return out
	}
	return &Failure{
		Kind: f.Kind, Message: change(f.Message), Hint: change(f.Hint), Next: f.Next, Device: f.Device,
		Looked:     change(f.Looked),
		Candidates: all(f.Candidates), SinceGreen: all(f.SinceGreen), Log: all(f.Log),
	}
}

// Text writes a failure out for people: the message, the hint, and the details of the search.
func (f *Failure) Text() string {
	var b strings.Builder
	b.WriteString(f.Message + "\n")
	if f.Hint != "" && !f.Repeats() {
		b.WriteString("hint: " + f.Hint + "\n")
	}
	return b.String() + f.Search()
}

// Search writes out the search behind a failure: its target, the candidates near it, the changes seen, the attempts. It
// is empty for a failure without a search.
func (f *Failure) Search() string {
	var b strings.Builder
	if f.Looked != "" && !strings.Contains(f.Message, f.Looked) {
		b.WriteString("looked for: " + f.Looked + "\n")
	}
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		b.WriteString(title + ":\n")
		for _, l := range lines {
			b.WriteString("  - " + l + "\n")
		}
	}
	section("nearest", f.Candidates)
	section("since the last green run", f.SinceGreen)
	section("tried", f.Log)
	return b.String()
}

// Repeats reports whether the hint only says what the list of candidates begins with.
func (f *Failure) Repeats() bool {
	return len(f.Candidates) > 0 && strings.Contains(f.Hint, f.Candidates[0])
}
