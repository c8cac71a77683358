package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Records says whether a finished call belongs into a recording: it was asked for from outside or stands in for a call
// that was (a delegate), its tool is recordable, and it was not itself replaced by delegates. Whether a failed call is
// kept is the recorder's choice.
func Records(inv *Invocation, res *tool.Result) bool {
	s := inv.Spec()
	if s == nil || res == nil || inv.Role == Inner || !s.Recordable {
		return false
	}
	return !s.Delegating || len(res.Delegates) == 0
}

// durable gives every result the call that a recording keeps: what the tool named as its durable form, or the call as
// it was written, with the tokens as they were written. A recording never holds what a token stood for (R179).
func durable(next Handler) Handler {
	return func(ctx context.Context, inv *Invocation) (*tool.Result, error) {
		res, err := next(ctx, inv)
		if res == nil {
			return res, err
		}
		c := *res
		if res.Record == nil {
			c.Record = &tool.Call{Name: inv.Authored.Name, Args: inv.Authored.Args}
		} else {
			c.Record = &tool.Call{Name: res.Record.Name, Args: restore(res.Record.Args, inv.Call.Args, inv.Authored.Args)}
		}
		c.Record.Args = inv.Session.Memory.Named(c.Record.Args) // what was spelled out becomes its token, too
		return &c, err
	}
}

// restore puts authored values back into the durable arguments wherever they still are what was executed. Keys keep
// the order the tool wrote them in, because that is how they will stand in the file.
func restore(record, executed, authored json.RawMessage) json.RawMessage {
	if bytes.Equal(executed, authored) {
		return record
	}
	if same(record, executed) {
		return authored
	}
	r, ok1 := fields(record)
	x, ok2 := fields(executed)
	a, ok3 := fields(authored)
	if !ok1 || !ok2 || !ok3 {
		return record
	}
	var b bytes.Buffer
	for i, f := range r {
		if xv, av := value(x, f.key), value(a, f.key); xv != nil && av != nil {
			f.raw = restore(f.raw, xv, av)
		}
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		key, err := json.Marshal(f.key)
		if err != nil {
			return record
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(f.raw)
	}
	if len(r) == 0 {
		return record
	}
	b.WriteByte('}')
	return b.Bytes()
}

// field is one key of a JSON object, in file order.
type field struct {
	key string
	raw json.RawMessage
}

func fields(raw json.RawMessage) (out []field, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		t, err := dec.Token()
		key, isKey := t.(string)
		var f field
		if err != nil || !isKey || dec.Decode(&f.raw) != nil {
			return nil, false
		}
		f.key = key
		out = append(out, f)
	}
	return out, true
}

func value(list []field, key string) json.RawMessage {
	for _, f := range list {
		if f.key == key {
			return f.raw
		}
	}
	return nil
}

// same compares JSON by meaning.
func same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, err1 := tool.DecodeArgs(a)
	y, err2 := tool.DecodeArgs(b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// redacted masks secrets in all that leaves a call: texts, values, evidence, what is recorded, errors.
func redacted(next Handler) Handler {
	return func(ctx context.Context, inv *Invocation) (*tool.Result, error) {
		res, err := next(ctx, inv)
		m := inv.Session.Memory
		return maskResult(m, res), maskError(m, err)
	}
}

func maskResult(m *memory.Store, res *tool.Result) *tool.Result {
	if res == nil {
		return nil
	}
	c := *res
	c.Content = nil
	for _, part := range res.Content {
		part.Text = m.Mask(part.Text)
		c.Content = append(c.Content, part)
	}
	c.Value = m.MaskJSON(res.Value)
	c.Fault = maskError(m, res.Fault)
	if res.Record != nil {
		c.Record = &tool.Call{Name: res.Record.Name, Args: m.MaskJSON(res.Record.Args)}
	}
	c.Evidence = maskEvidence(m, res.Evidence)
	return &c
}

func maskEvidence(m *memory.Store, e *tool.Evidence) *tool.Evidence {
	if e == nil {
		return nil
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return e
	}
	after := m.MaskJSON(raw)
	if bytes.Equal(after, raw) {
		return e
	}
	out := tool.Evidence{Screen: e.Screen}
	if json.Unmarshal(after, &out) != nil {
		return &tool.Evidence{Screen: e.Screen}
	}
	return &out
}

// maskError keeps kind, tool, device and hint of an error whose text holds a secret, and cuts off its chain: whoever
// unwraps it must not find the text again.
func maskError(m *memory.Store, err error) error {
	if err == nil {
		return nil
	}
	text, hint := err.Error(), fault.HintOf(err)
	detail := fault.DetailOf(err)
	clean := m.Mask(text) == text && m.Mask(hint) == hint
	var masked *fault.Detail
	if detail != nil {
		d := fault.Detail{Looked: m.Mask(detail.Looked), Candidates: maskAll(m, detail.Candidates), Log: maskAll(m, detail.Log)}
		clean = clean && d.Looked == detail.Looked && slices.Equal(d.Candidates, detail.Candidates) && slices.Equal(d.Log, detail.Log)
		masked = &d
	}
	if clean {
		return err
	}
	f := &fault.Error{Kind: fault.KindOf(err), Hint: m.Mask(hint), Err: errors.New(m.Mask(text)), Detail: masked}
	if inner, ok := errors.AsType[*fault.Error](err); ok {
		f.Device = inner.Device
	}
	return f
}

func maskAll(m *memory.Store, in []string) []string {
	var out []string
	for _, s := range in {
		out = append(out, m.Mask(s))
	}
	return out
}
