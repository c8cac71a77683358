package hub

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Do carries out a call for a client. It is the one entry for every transport. A Reply comes with an error too, unless
// the call was not even begun: it says where the call ran, and the events around it.
func (h *Hub) Do(ctx context.Context, c *clients.Client, q calls.Request) (*calls.Reply, error) {
	if !h.clients.Has(c) {
		return nil, fault.New(fault.Invalid, "call "+q.Call.Name, "there is no client")
	}
	return h.calls.Do(ctx, c, q, h.run)
}

// run runs the tool of a call and makes the reply. A tool with an unknown name runs like a
// management tool, so that no device is opened to say so.
func (h *Hub) run(c *calls.Call) (*calls.Reply, error) {
	ws, leave, err := h.workspaces.use(c.Context(), c.Client().State().Workspace)
	if err != nil {
		return h.answer(c, nil, err, false)
	}
	defer leave()
	t, known := ws.find(c.Context(), c.Tool())
	if !known || h.manages[c.Tool()] {
		res, err := h.manage(c, ws)
		return h.answer(c, res, err, false)
	}
	if err := h.thinks(c, t.Spec()); err != nil {
		return h.answer(c, nil, err, false)
	}
	res, cut, err := h.act(c, ws, t.Spec())
	reply, err := h.answer(c, res, err, cut)
	reply.FromPage = fromPage(t.Spec(), reply)
	return reply, err
}

// thinks returns an error for a tool that needs a model and has none, before a device is opened for it.
func (h *Hub) thinks(c *calls.Call, spec *tool.Spec) error {
	if !spec.NeedsModel || h.o.Model == nil {
		return nil
	}
	var in struct {
		Model string `json:"llm"`
	}
	_ = json.Unmarshal(c.Request().Call.Args, &in) // what is wrong with the arguments is for the dispatcher to say
	return h.o.Model.Check(c.Context(), c.Client(), in.Model)
}

// readyTime limits the wait for the tools of a workspace before a call of a missing one fails.
const readyTime = 15 * time.Second

// find finds a tool. The sources of a workspace that was just opened are still loading; a call of a tool that is not
// there yet waits for them.
func (ws *workspace) find(ctx context.Context, name string) (tool.Tool, bool) {
	t, ok := ws.dispatcher.Registry().Get(name)
	if ok || ws.ws.Ready == nil {
		return t, ok
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	_ = ws.ws.Ready(ctx) // which source has not come is in the log
	return ws.dispatcher.Registry().Get(name)
}

// Tool finds a tool of the client's workspace, and waits for the sources of its tools when it is not there.
func (h *Hub) Tool(ctx context.Context, c *clients.Client, name string) (tool.Tool, bool) {
	ws, leave, err := h.workspaces.use(ctx, c.State().Workspace)
	if err != nil {
		return nil, false
	}
	defer leave()
	return ws.find(ctx, name)
}

// manage runs a management tool: in a session of its own that keeps nothing, without a lease.
func (h *Hub) manage(c *calls.Call, ws *workspace) (*tool.Result, error) {
	sess, err := session.Open(c.Context(), session.Options{ID: "management", Forget: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = sess.Close(event.Passed) }()
	defer c.Follow(sess.Log)()
	return ws.dispatcher.Call(dispatch.WithID(c.Context(), c.ID()), sess, c.Request().From, c.Request().Call)
}

// act runs a tool in the session of a device, under the device's lease. cut says that the call was
// cut off.
func (h *Hub) act(c *calls.Call, ws *workspace, spec *tool.Spec) (_ *tool.Result, cut bool, err error) {
	ctx, q := c.Context(), c.Request()
	lease, err := h.devices.Acquire(ctx, c, q.Device)
	if err != nil {
		return nil, false, err
	}
	release := lease.Release
	defer func() { release() }()
	s, err := lease.Session(ctx, ws.memory)
	if err != nil {
		return nil, false, err
	}
	if ws.ws.Refresh != nil {
		ws.ws.Refresh(s.Memory)
	}
	if id, _ := h.Target(c.Client()); id != "" {
		s.Memory.Set(tool.TargetKey, id)
	} else {
		s.Memory.Delete(tool.TargetKey) // the client that had the device before had chosen one
	}
	ws.dispatcher.Conceal(s.Memory, q.Call) // the intent may hold it, too
	unfollow := c.Follow(s.Log)
	s.Enter(c.Client().ID(), intent(spec, q), spec.Kind)
	res, err := ws.dispatcher.Call(h.viewing(c, s), s.Session, q.From, q.Call)
	unfollow()
	failure := err
	if failure == nil {
		failure = res.Err()
	}
	s.Called(failure)
	cut = c.CutOff(err)
	if !cut {
		res = h.observe(c, s, spec, res)
		lease.Locate(ctx, s)
	}
	if c.CutOff(failure) { // looking at the screen may have been cut off too
		release = lease.Restore
	}
	return res, cut, err
}

// intent returns the purpose of a call: its client's words, else the objective that it hands over.
func intent(spec *tool.Spec, q calls.Request) string {
	if q.Intent != "" || !spec.NeedsModel || spec.Sentence == nil {
		return q.Intent
	}
	args, err := argument.Decode(q.Call.Args)
	fields, ok := args.(map[string]any)
	if err != nil || !ok {
		return ""
	}
	return spec.Sentence(tool.Phrase{Args: fields})
}

// answer makes the reply, with the notices of the device and without every secret that the device knows. The reply to a
// call that was cut off carries no notices, because its caller may not read them. Results of device tools are masked by
// the dispatcher already; the result of a management tool may come from any session of the workspace.
func (h *Hub) answer(c *calls.Call, res *tool.Result, err error, cut bool) (*calls.Reply, error) {
	if !cut {
		for _, text := range h.devices.Notices(c) {
			c.Warn("%s", text)
		}
	}
	reply := c.Reply()
	reply.Result = res
	stores := h.devices.Memories(c)
	management := c.Place() == nil
	if own := c.Request().Secrets; management && len(own) > 0 {
		m := memory.New()
		devices.Learn(m, own)
		stores = append(stores, m)
	}
	for _, m := range stores {
		maskReply(&reply, m, management)
		err = redact.Error(m, err)
	}
	return &reply, err
}

// fromPage reports whether the result of a tool is text of a page, which is marked as such: the tool read a device,
// ran script in a page, or is a team's own, and did not fail at it.
func fromPage(spec *tool.Spec, r *calls.Reply) bool {
	if r.Device == "" || r.Result == nil || r.Result.IsError {
		return false
	}
	of := toolset.Of(spec)
	return spec.Kind == tool.Query || slices.Contains(of, toolset.Script) || slices.Contains(of, toolset.Custom) ||
		slices.Contains(of, toolset.Servers)
}
