package extern

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// outcome holds the verdict of a result on itself in its own keys, which are as old as the protocol between us and a
// tool.
type outcome struct {
	Success   *bool           `json:"success"`
	Error     json.RawMessage `json:"error"`
	Delegates json.RawMessage `json:"_trailblaze_delegates"`
}

// result makes our result of the server's.
func (t *remote) result(env tool.Env, res *mcp.CallToolResult) (*tool.Result, error) {
	out := &tool.Result{IsError: res.IsError, Content: contentOf(res.Content)}
	if err := t.value(res, out); err != nil {
		return failed(out, err), nil
	}
	if number, inexact := argument.Inexact(res.Meta["trailblaze"]); inexact {
		return failed(out, fault.New(fault.Invalid, "read result of "+t.spec.Name,
			"it has the session remember the integer %s, or one near it: beyond %d digits are lost", number,
			int64(argument.MaxExact)).WithHint("The tool has run. Its author has to give such a number as a text.")), nil
	}
	kept := remember(env, res.Meta)
	said := outcomeOf(out.Value)
	if !out.IsError && said.Success != nil && !*said.Success {
		out.IsError = true
		out.Fault = fault.New(fault.Assertion, "", "%s", said.reason())
	}
	if out.IsError {
		return out, nil
	}
	if said.Delegates != nil {
		list, err := delegatesOf(said.Delegates)
		if err != nil {
			return failed(out, err), nil
		}
		out.Delegates, out.Content = list, nil // what is read of it is what the delegates say
		out.Unfold = true                      // and they are what is recorded, whatever the registry says of the tool
		return out, nil
	}
	out.Evidence = t.evidence(kept, out)
	return out, nil
}

// evidence returns the evidence of a call besides the calls that it made, which are judged themselves: the changes in
// the session's memory, the report of a tool that acts on something of its own, and the text of an assertion. Nil is
// none.
func (t *remote) evidence(kept string, res *tool.Result) *tool.Evidence {
	out := tool.Evidence{None: kept}
	if e := t.spec.Effects; kept == "" && t.spec.Kind == tool.Action && e != nil && e.External {
		out.None = "the " + t.server.Origin() + " says that it acted on something of its own"
	}
	if t.spec.Kind == tool.Assertion {
		out.Checked = "the " + t.server.Origin() + " says: " + clip(res.Text(), 200)
	}
	if out == (tool.Evidence{}) {
		return nil
	}
	return &out
}

// failed is a result that cannot be used.
func failed(out *tool.Result, err error) *tool.Result {
	f := tool.Fail(err)
	f.Content = append(f.Content, out.Content...)
	return f
}

// value takes the typed data over: the structured content, or a text that is one JSON object.
func (t *remote) value(res *mcp.CallToolResult, out *tool.Result) error {
	op := "read result of " + t.spec.Name
	if res.StructuredContent != nil {
		raw, err := t.structured(res.StructuredContent, out.Text())
		if err != nil {
			return fault.Wrap(err, fault.Invalid, op)
		}
		out.Value = raw
	} else if text := strings.TrimSpace(out.Text()); len(out.Content) == 1 && strings.HasPrefix(text, "{") &&
		json.Valid([]byte(text)) {
		out.Value = json.RawMessage(text)
	}
	if t.checker == nil || out.IsError {
		return nil
	}
	if res.StructuredContent == nil {
		return fault.New(fault.Invalid, op, "the tool declares an output schema, and its result has no structured content")
	}
	list, err := t.checker.MistakesIn(res.StructuredContent)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "read output schema of "+t.spec.Name)
	}
	if len(list) > 0 {
		return fault.New(fault.Invalid, op, "it is not as the output schema of the tool says: %s",
			clip(strings.Join(list, "; "), maxText)).
			WithHint("The tool has run. Its author has to mend the schema or the result.")
	}
	return nil
}

// structured is the structured content as JSON. The protocol library has read its numbers as floating point, so an
// integer may have other digits by now: then the text counts that says the same, as servers send it beside.
func (t *remote) structured(v any, text string) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	number, inexact := argument.Inexact(v)
	if !inexact {
		return raw, nil
	}
	var same any
	if json.Unmarshal([]byte(text), &same) == nil && reflect.DeepEqual(same, v) {
		return json.RawMessage(text), nil
	}
	return nil, fault.New(fault.Invalid, "", "it holds the integer %s, or one near it: beyond %d digits are lost", number,
		int64(argument.MaxExact)).WithHint("The tool has run. Its author has to return such a number as a text.")
}

func outcomeOf(value json.RawMessage) outcome {
	var o outcome
	_ = json.Unmarshal(value, &o) // what is none says nothing
	return o
}

// reason returns the tool's own reason for its failure.
func (o outcome) reason() string {
	var text string
	if json.Unmarshal(o.Error, &text) == nil && text != "" {
		return clip(text, maxText)
	}
	if len(o.Error) > 0 && string(o.Error) != "null" {
		return clip(string(o.Error), maxText)
	}
	return "the tool says that it did not succeed"
}

// delegatesOf reads the calls that are to be made in place of this one.
func delegatesOf(raw json.RawMessage) ([]tool.Call, error) {
	var list []struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	const op = "read delegates"
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fault.New(fault.Invalid, op, "_trailblaze_delegates is not a list of {tool, args}: %v", err)
	}
	if len(list) > maxDelegates {
		return nil, fault.New(fault.Invalid, op, "it returned %d delegates, at most %d are made", len(list), maxDelegates)
	}
	out := make([]tool.Call, 0, len(list))
	for i, d := range list {
		if d.Tool == "" {
			return nil, fault.New(fault.Invalid, op, "delegate %d of %d names no tool", i+1, len(list))
		}
		if args := strings.TrimSpace(string(d.Args)); args != "" && args != "null" && !strings.HasPrefix(args, "{") {
			return nil, fault.New(fault.Invalid, op, "the args of delegate %d of %d, %s, are not an object", i+1,
				len(list), d.Tool)
		}
		out = append(out, tool.Call{Name: d.Tool, Args: d.Args})
	}
	return out, nil
}

// remember applies what the result says about the session's memory, and says in words what that was.
func remember(env tool.Env, meta mcp.Meta) (kept string) {
	var m struct {
		Delta     map[string]any `json:"memoryDelta"`
		Deletions []string       `json:"memoryDeletions"`
	}
	raw, err := json.Marshal(meta["trailblaze"])
	if err != nil || json.Unmarshal(raw, &m) != nil || env.Memory() == nil {
		return ""
	}
	var did []string
	for _, name := range slices.Sorted(maps.Keys(m.Delta)) {
		env.Memory().Set(name, m.Delta[name])
		did = append(did, "remembered "+name)
	}
	for _, name := range m.Deletions {
		if _, was := env.Memory().Get(name); was {
			env.Memory().Delete(name)
			did = append(did, "forgot "+name)
		}
	}
	if len(did) > 0 {
		kept = "the tool " + strings.Join(did, ", ")
	}
	return kept
}

// contentOf takes over what a person or a model reads.
func contentOf(list []mcp.Content) []tool.Content {
	var out []tool.Content
	text := func(format string, args ...any) {
		out = append(out, tool.Content{Type: "text", Text: strings.ToValidUTF8(fmt.Sprintf(format, args...), "�")})
	}
	for _, c := range list {
		switch c := c.(type) {
		case *mcp.TextContent:
			text("%s", c.Text)
		case *mcp.ImageContent:
			out = append(out, tool.Content{Type: "image", Data: c.Data, MIME: c.MIMEType})
		case *mcp.AudioContent:
			text("(%d bytes of %s)", len(c.Data), c.MIMEType)
		case *mcp.ResourceLink:
			text("%s: %s", c.Name, c.URI)
		case *mcp.EmbeddedResource:
			switch r := c.Resource; {
			case r == nil:
			case r.Text != "":
				text("%s", r.Text)
			default:
				text("%s (%d bytes of %s)", r.URI, len(r.Blob), r.MIMEType)
			}
		}
	}
	return out
}
