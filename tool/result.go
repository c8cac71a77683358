package tool

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// TextResult is a success that says one thing.
func TextResult(format string, args ...any) *Result {
	return &Result{Content: []Content{{Type: "text", Text: fmt.Sprintf(format, args...)}}}
}

// ValueResult returns a success with typed data and its text for a reader. An empty text becomes the data's JSON,
// so that a model that only reads text misses nothing.
func ValueResult(v any, text string) (*Result, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "encode result")
	}
	if text == "" {
		text = string(raw)
	}
	return &Result{Value: raw, Content: []Content{{Type: "text", Text: text}}}, nil
}

// Fail is a failure of the tool: text for a model to react to, and the fault behind it. The hint is part of the text,
// because a model has no other way to see it.
func Fail(err error) *Result {
	if _, ok := errors.AsType[*fault.Error](err); !ok {
		err = fault.Wrap(err, "", "")
	}
	text := err.Error()
	if hint := fault.HintOf(err); hint != "" {
		text += "\n" + hint
	}
	return &Result{IsError: true, Fault: err, Content: []Content{{Type: "text", Text: text}}}
}

// Text joins the text pieces of a result with newlines.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	var parts []string
	for _, c := range r.Content {
		if c.Type == "text" && c.Text != "" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// Err is the failure a result stands for, nil for a success. Callers that do not care whether a call failed or could
// not be carried out join it with the Go error.
func (r *Result) Err() error {
	switch {
	case r == nil || !r.IsError:
		return nil
	case r.Fault != nil:
		return r.Fault
	case r.Text() != "":
		return fault.New(fault.Assertion, "", "%s", r.Text())
	}
	return fault.New(fault.Assertion, "", "the tool failed and did not say why")
}

// NoEffect is the Effect of an expectation that nothing observable changes.
const NoEffect = "none"

// Expectation is the outcome expected of a call when it ran: the effect its caller declared, and the target of a
// navigation. A verdict compares the outcome with it.
type Expectation struct {
	Effect string `json:"effect,omitempty"` // NoEffect: nothing observable changes
	Status int    `json:"status,omitempty"` // HTTP status that a navigation ends with
	Origin string `json:"origin,omitempty"` // origin that a navigation may end on
	URL    string `json:"url,omitempty"`    // what a navigation was to open
}

// expectant is implemented by inputs that declare the expected outcome of their call. Define puts that into the
// evidence of the result.
type expectant interface{ Expectation() Expectation }

// expecting returns a result whose evidence holds the expectations of in; those that the tool itself set stay. The
// evidence is copied, since a tool may hand out the same one for several calls.
func expecting(in any, res *Result) *Result {
	x, ok := in.(expectant)
	if !ok || res.Evidence == nil {
		return res
	}
	want := x.Expectation()
	if own := res.Evidence.Expect; own != nil {
		want = Expectation{cmp.Or(own.Effect, want.Effect), cmp.Or(own.Status, want.Status), cmp.Or(own.Origin, want.Origin),
			cmp.Or(own.URL, want.URL)}
	}
	if want == (Expectation{}) {
		return res
	}
	ev := *res.Evidence
	ev.Expect = &want
	c := *res
	c.Evidence = &ev
	return &c
}

// Affirms reports whether the result of a query means yes: true, a number other than 0, a text or a list with something
// in it, and of an object its first field.
func (r *Result) Affirms() bool {
	if len(r.Value) == 0 {
		text := r.Text()
		return text != "" && text != "false"
	}
	var v any
	if json.Unmarshal(firstField(r.Value), &v) != nil {
		return false
	}
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != "" && v != "false"
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return false
}

// firstField is the value of the first field of an object, and any other value as it is.
func firstField(value json.RawMessage) json.RawMessage {
	if object := bytes.TrimSpace(value); len(object) == 0 || object[0] != '{' {
		return value
	}
	fields, _ := argument.FieldsOf(value)
	if len(fields) == 0 {
		return nil
	}
	return fields[0].Value
}
