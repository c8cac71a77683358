// Package desk holds the tools that manage the house for a client: its device, its session, its trails, its settings, what
// tools it sees. A desk tool runs without a device and takes no turn; it finds who asks in the context (hub.SeatFrom). The
// hub puts them beside every workspace's tools, so that a shell command and an MCP call are one implementation.
//
// Each tool is made by one function and described to models by the .md file of its name.
//
//	hub.New(hub.Options{Desk: func(h *hub.Hub) []tool.Tool { return desk.Tools(h, desk.Options{…}) }})
package desk

import (
	"context"
	"embed"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

//go:embed *.md
var texts embed.FS

// Group is the toolset of every desk tool.
const Group = toolset.DeskGroup

// Options are what desk tools need of the house beside the hub. Every field may be left out; what needs it then says so.
type Options struct {
	Sessions   string                                                   // root of all session directories
	Version    string                                                   // of trailblaze
	Config     func(workspace string) (*config.Config, error)           // the settings as they are for a workspace
	Lint       func(workspace, path string, data []byte) trail.Problems // what check says of a trail file
	Greens     func(ctx context.Context) (g replay.Greens, done func()) // the screens of last green runs
	NeedsModel []string                                                 // names of tools that ask a model and are not registered
	Metrics    Metrics                                                  // of agents; nil: none are kept
	Now        func() time.Time
}

// Tools are the desk tools.
func Tools(h *hub.Hub, o Options) []tool.Tool {
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &desk{hub: h, Options: o}
	return slices.Concat(d.devices(), d.sessions(), d.trails(), d.settings(), d.toolboxes(), d.jobs(), d.prompts(), d.watching())
}

// desk is what the tools share. It keeps no state: what belongs to a client is in its seat.
type desk struct {
	Options
	hub *hub.Hub
}

// spec is what desk tools have in common: they are for every platform, and no recording keeps them.
func spec(name, title string, kind tool.Kind, groups ...string) tool.Spec {
	text, _ := texts.ReadFile(name + ".md")
	return tool.Spec{
		Name: name, Title: title, Description: strings.TrimSpace(string(text)), Kind: kind,
		Groups: append([]string{Group}, groups...), ExposedToLLM: true,
	}
}

// destructive marks a tool that may lose data.
func destructive(s tool.Spec) tool.Spec {
	s.Destructive = true
	return s
}

// lasting gives a tool more time than a call has by itself.
func lasting(s tool.Spec, d time.Duration) tool.Spec {
	s.Timeout = d
	return s
}

// seated is the seat of who asks.
func seated(ctx context.Context) (*hub.Seat, error) {
	s, ok := hub.SeatFrom(ctx)
	if !ok {
		return nil, fault.New(fault.Unavailable, "find seat", "this tool belongs to a daemon's session, and there is none here").
			WithHint("Call it with trailblaze tool, or over MCP.")
	}
	return s, nil
}

// is says whether a listing means this seat: it shows the beginning of a handle only, since the whole of it is a key.
func is(s *hub.Seat, shown string) bool { return shown != "" && strings.HasPrefix(s.Handle(), shown) }

// noArgs is the input of tools that take none.
type noArgs struct{}

// action reads the name of an action, which models write in any case.
func action(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

// missing says that an action needs an argument that was not given.
func missing(op, arg, example string) error {
	return fault.New(fault.Invalid, op, "%s is missing", arg).WithHint("Give %s, such as %s.", arg, example)
}
