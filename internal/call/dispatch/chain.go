package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// logged makes a call and writes ToolStarted before and ToolCall after everything else. Both are on disk before the
// call returns, and a call that cannot be logged is not made: without proof it counts as not made.
func (d *Dispatcher) logged(ctx context.Context, inv *Invocation) (*tool.Result, error) {
	c := &event.Call{ID: inv.ID, Caller: string(inv.Caller), Role: string(inv.Role), Name: inv.Authored.Name,
		Authored: jsonOrText(inv.Authored.Args), Step: inv.step(),
		Client: inv.Session.Client()}
	if inv.Parent != nil {
		c.Parent = inv.Parent.ID
	}
	if s := inv.Spec(); s != nil {
		c.Kind, c.Hash = s.Kind, s.Hash
	}
	if dev := inv.Session.Device; dev != nil {
		c.Device = dev.Info().ID
	}
	m, log := inv.Session.Memory, inv.Session.Log
	d.Conceal(m, inv.Authored)
	if _, err := log.Append(event.Event{Type: event.ToolStarted, Call: c}); err != nil {
		return nil, err
	}
	spent := log.Spending()
	res, err := d.attempt(ctx, inv)
	res, err = spilled(inv, redact.Result(m, res), redact.Error(m, err))
	done := *c
	done.Price = spent()
	done.Duration = time.Since(inv.Started)
	finish(&done, inv, res, err)
	if _, e := log.Append(event.Event{Type: event.ToolCall, Call: &done}); e != nil && err == nil {
		return nil, e
	}
	if e := keepPictures(inv, res); e != nil && err == nil {
		return nil, e
	}
	return res, err
}

// attempt refuses what cannot work, waits for the call's turn, brings the arguments into their last form and has the
// tool carry the call out.
func (d *Dispatcher) attempt(ctx context.Context, inv *Invocation) (*tool.Result, error) {
	if err := d.gate(ctx, inv); err != nil {
		return nil, err
	}
	end, err := d.turn(ctx, inv)
	if err != nil {
		return nil, err
	}
	defer end()
	ready := *inv
	if err := ready.expand(); err != nil {
		return nil, err
	}
	if err := d.validate(ctx, &ready); err != nil {
		return nil, err
	}
	began := time.Now()
	res, err := d.handler(ctx, &ready)
	if d.counter != nil {
		d.counter(ctx, &ready, res, err, time.Since(began))
	}
	return res, err
}

func finish(c *event.Call, inv *Invocation, res *tool.Result, err error) {
	if x := inv.frame.executed.Load(); x != nil {
		c.Args = x.Args
	}
	c.IsError = err != nil
	c.Error = fault.FailureOf(err)
	if res == nil {
		return
	}
	c.Text, c.Value, c.Evidence = res.Text(), jsonOrText(res.Value), res.Evidence
	if c.Evidence != nil && c.Evidence.Screen != nil {
		c.Page = c.Evidence.Screen.URL
	}
	if res.IsError {
		c.IsError = true
		if err == nil {
			c.Error = fault.FailureOf(res.Err())
		}
	}
	c.Kept = inv.frame.kept
	if Records(inv, res) {
		c.Recorded = &tool.Call{Name: res.Record.Name, Args: jsonOrText(res.Record.Args)}
	}
}

// jsonOrText keeps arguments that are not JSON in the log all the same, as a JSON string.
func jsonOrText(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	text, _ := json.Marshal(string(raw))
	return text
}

// gate refuses what cannot work: a tool that does not exist, a chain of calls that is too deep or too long, a device
// that the tool is not for.
func (d *Dispatcher) gate(ctx context.Context, inv *Invocation) error {
	name := inv.Authored.Name
	op := "call " + name
	if err := ctx.Err(); err != nil {
		return fault.Wrap(context.Cause(ctx), fault.KindOf(err), op)
	}
	if inv.depth >= d.maxDepth {
		return tooDeep(inv, d.maxDepth)
	}
	if inv.frame.budget.Add(1) > d.maxCalls {
		return fault.New(fault.Invalid, op, "one call of %s set off more than %d calls", inv.path()[0], d.maxCalls)
	}
	if inv.Tool == nil {
		return d.Registry().Missing("call tool", name, "Toolbox lists the tools; in a shell: trailblaze toolbox.")
	}
	return suits(inv.Spec(), inv.Session.Device)
}

// tooDeep reports the path of calls, and the cycle in it when there is one.
func tooDeep(inv *Invocation, limit int) error {
	path := inv.path()
	f := fault.New(fault.Invalid, "call "+inv.Authored.Name, "calls are nested %d deep, the most that is allowed: %s",
		limit, strings.Join(path, " → "))
	if c := cycle(path); c != nil {
		return f.WithHint("The tools call each other in a circle: %s. One of them must stop.", strings.Join(c, " → "))
	}
	return f.WithHint("Flatten the chain of tools.")
}

// cycle is the shortest circle at the end of a path, its first name repeated, or nil.
func cycle(path []string) []string {
	last := len(path) - 1
	for i := last - 1; i >= 0; i-- {
		if path[i] == path[last] {
			return path[i:]
		}
	}
	return nil
}

// suits checks a tool against the device of the session.
func suits(s *tool.Spec, dev driver.Device) error {
	if len(s.Platforms) == 0 && len(s.Drivers) == 0 {
		return nil
	}
	var names []string
	for _, p := range s.Platforms {
		names = append(names, string(p))
	}
	names = append(names, s.Drivers...)
	runsOn := strings.Join(names, ", ")
	if dev == nil {
		f := fault.New(fault.Unsupported, "call "+s.Name, "it needs a device (%s), and this session has none", runsOn)
		return f.WithHint("Open a session on a device first.")
	}
	i := dev.Info()
	if s.RunsOn(i.Platform, i.Driver) {
		return nil
	}
	f := fault.New(fault.Unsupported, "call "+s.Name, "it does not run on %s (device %s, driver %s)", i.Platform, i.ID,
		i.Driver)
	f.Device = i.ID
	return f.WithHint("It runs on %s.", runsOn)
}

// expand replaces the tokens in the arguments, late: a value that the action before has just stored counts.
func (inv *Invocation) expand() error {
	op := "call " + inv.Authored.Name
	args := inv.Authored.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if !json.Valid(args) {
		return fault.New(fault.Invalid, op, "the arguments are not JSON").WithHint("Pass an object, for example {}.")
	}
	if inv.Spec().Verbatim {
		if err := confined(inv, args); err != nil { // keeps what the calls that it makes must not spell out
			return err
		}
		return inv.execute(args)
	}
	args, warnings, err := inv.Session.Memory.Expand(args)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	args = argument.Texts(inv.Spec().Input.Get(), inv.Authored.Args, args)
	if err := confined(inv, args); err != nil {
		return err
	}
	for _, w := range warnings {
		note := event.Event{Type: event.Note,
			Note: &event.NoteText{Level: "warning", Text: fmt.Sprintf("%s: %s", inv.Authored.Name, w)}}
		if _, err := inv.Session.Log.Append(note); err != nil {
			return err
		}
	}
	inv.Warnings = warnings
	return inv.execute(args)
}

// execute sets the arguments that the log keeps as those of the call.
func (inv *Invocation) execute(args json.RawMessage) error {
	inv.Call = tool.Call{Name: inv.Authored.Name, Args: args}
	executed := inv.Call
	inv.frame.executed.Store(&executed)
	return nil
}

// keepPictures puts the pictures of a result beside the log, so that the report can show what a takeSnapshot saw. The
// line of a call holds text only.
func keepPictures(inv *Invocation, res *tool.Result) error {
	if res == nil || inv.Session.Dir == "" {
		return nil
	}
	for _, part := range res.Content {
		if part.Type != "image" || len(part.Data) == 0 {
			continue
		}
		var named struct {
			ScreenName string `json:"screenName"`
		}
		_ = json.Unmarshal(inv.Call.Args, &named) // a picture without a name is a picture
		blob, err := inv.Session.Log.PutBlob(part.Data, part.MIME)
		if err != nil {
			return err
		}
		shot := &event.Screen{Blob: blob, MIME: part.MIME, Why: inv.Authored.Name, Name: named.ScreenName,
			Step: inv.step(), CallID: inv.ID}
		if _, err := inv.Session.Log.Append(event.Event{Type: event.Screenshot, Screen: shot}); err != nil {
			return err
		}
	}
	return nil
}
