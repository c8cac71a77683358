package dispatch

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Records reports whether a finished call belongs into a recording: it was asked for from outside or replaces a call
// that was (a delegate), its tool is recordable, and it was not itself replaced by delegates. Whether a failed call is
// kept is decided by the reader of the log.
func Records(inv *Invocation, res *tool.Result) bool {
	s := inv.Spec()
	if s == nil || res == nil || inv.Role == Inner || !s.Recordable {
		return false
	}
	return !s.Delegating && !res.Unfold || len(res.Delegates) == 0
}

// durable returns a result with the call that a recording keeps: the durable form by the tool, or the call as it was
// written, with the tokens as they were written. A recording never holds the value of a token.
func durable(inv *Invocation, res *tool.Result) *tool.Result {
	if res == nil {
		return nil
	}
	c := *res
	if res.Record == nil {
		c.Record = &tool.Call{Name: inv.Authored.Name, Args: inv.Authored.Args}
		if inv.Spec() != nil && inv.Spec().Origin != "" && len(res.Made) > 0 {
			c.Record.Args = lasting(c.Record.Args, res.Made)
		}
	} else {
		c.Record = &tool.Call{Name: res.Record.Name, Args: restore(res.Record.Args, inv.Call.Args, inv.Authored.Args)}
	}
	c.Record.Args = inv.Session.Memory.Named(c.Record.Args) // what was spelled out becomes its token, too
	return &c
}

// lasting replaces a snapshot's ref, which means nothing later, by the name of its element in the arguments of a tool
// that handed the ref on to calls of its own. A value that none of its calls took for an element may be any text, and
// stays.
func lasting(raw json.RawMessage, made []tool.Made) json.RawMessage {
	var out any = nameIn(made, refIn(raw))
	var list []json.RawMessage
	args, isObject := argument.FieldsOf(raw)
	switch {
	case out != "":
	case isObject:
		for i := range args {
			args[i].Value = lasting(args[i].Value, made)
		}
		return args.JSON()
	case json.Unmarshal(raw, &list) == nil && list != nil:
		for i := range list {
			list[i] = lasting(list[i], made)
		}
		out = list
	default:
		return raw
	}
	text, err := json.Marshal(out)
	if err != nil {
		return raw
	}
	return text
}

// refIn is the ref that an argument is, "" when it is none.
func refIn(argument json.RawMessage) string {
	var text string
	_ = json.Unmarshal(argument, &text) // what is no text is no ref
	ref, _ := screen.RefOf(text)
	return ref
}

// nameIn returns the name of the element of a ref on the screen of the first call that was made for it.
func nameIn(made []tool.Made, ref string) string {
	for _, m := range made {
		args, _ := argument.FieldsOf(m.Call.Args)
		took := slices.ContainsFunc(args, func(f argument.Field) bool { return refIn(f.Value) == ref })
		if ref == "" || !took || m.Evidence == nil || m.Evidence.Screen == nil {
			continue
		}
		if n := m.Evidence.Screen.ByRef(ref); n != nil {
			return m.Evidence.Screen.Named(n)
		}
	}
	return ""
}

// restore puts authored values back into the durable arguments wherever they still are the executed ones. Keys keep
// the order in which the tool wrote them, because the file will have that order.
func restore(record, executed, authored json.RawMessage) json.RawMessage {
	if bytes.Equal(executed, authored) {
		return record
	}
	if same(record, executed) {
		return authored
	}
	r, ok1 := argument.FieldsOf(record)
	x, ok2 := argument.FieldsOf(executed)
	a, ok3 := argument.FieldsOf(authored)
	if !ok1 || !ok2 || !ok3 || len(r) == 0 {
		return record
	}
	for i, f := range r {
		if xv, av := x.Get(f.Name), a.Get(f.Name); xv != nil && av != nil {
			r[i].Value = restore(f.Value, xv, av)
		}
	}
	return r.JSON()
}

// same compares JSON by meaning.
func same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, err1 := argument.Decode(a)
	y, err2 := argument.Decode(b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// Conceal has a memory mask the secrets that a call spells out in arguments that may hold them, and in those of the
// calls in its arguments. The dispatcher does so before anything else; so does a caller that writes about a call
// before it makes it.
func (d *Dispatcher) Conceal(m *memory.Store, c tool.Call) {
	t, ok := d.Registry().Get(c.Name)
	if !ok {
		return
	}
	s := t.Spec()
	if s.HoldsSecrets() {
		m.Conceal(c.Args, s.Secret)
	}
	if s.Calls == nil {
		return
	}
	for _, inner := range s.Calls(c.Args) {
		d.Conceal(m, inner.Call)
	}
}
