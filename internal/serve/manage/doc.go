// Package manage holds the management tools of a client: its device, its session, its trails, its settings, its list
// of tools. A management tool takes no lease and finds its client in the context (calls.ClientFrom). The hub puts them
// beside every workspace's tools, so that a shell command and an MCP call are one implementation.
//
// Each tool is made by one function and described to models by the .md file of its name.
//
//	hub.New(hub.Options{Management: func(h *hub.Hub) []tool.Tool { return manage.Tools(h, manage.Options{…}) }})
package manage

import (
	"context"
	"embed"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

//go:embed *.md
var texts embed.FS

// Group is the toolset of every management tool.
const Group = toolset.ManageGroup

// The tools that commands of the shell call by name: the tools are in the daemon, so that the commands have no
// registry.
const (
	Device      = "device"
	Session     = "session"
	AwaitScreen = "awaitScreen"
	ReloadTools = "reloadTools"
)

// Options are the values that management tools need beside the hub. Every field may be left out; a tool that needs it
// then says so.
type Options struct {
	Sessions  string                                                         // root of all session directories
	Version   string                                                         // of trailblaze
	Config    func(workspace string) (*config.Config, error)                 // the settings as they are for a workspace
	Lint      func(workspace, path string, data []byte) trail.Problems       // what check says of a trail file
	Player    func(context.Context, *tool.Registry) (*replay.Player, func()) // plays a trail; it has no dispatcher yet
	Metrics   Metrics                                                        // of agents; nil: none are kept
	ToolFiles ToolFiles                                                      // of workspaces; nil: there are none
	Now       func() time.Time
}

// Tools are the management tools.
func Tools(h *hub.Hub, o Options) []tool.Tool {
	if o.Now == nil {
		o.Now = time.Now
	}
	d := manager{hub: h, Options: o}
	s := sessionTools{d}
	return slices.Concat(d.devices(), s.sessions(), (&trailTools{s}).trails(), (&settingTools{d}).settings(),
		(&toolboxTools{d}).toolboxes(), d.jobs(), d.prompts(), d.watching(), d.authoring(), d.sources())
}

// manager holds the values that the tools share. It keeps no state: the state of a client is in its clients.Client.
type manager struct {
	Options
	hub *hub.Hub
}

// The tools of sessions, of trails, which save and stop sessions, of settings and of what a client has listed.
type (
	sessionTools struct{ manager }
	trailTools   struct{ sessionTools }
	settingTools struct{ manager }
	toolboxTools struct{ manager }
)

// spec returns the common part of the specs of management tools: they are for every platform, and no recording keeps
// them.
func spec(name, title string, kind tool.Kind, groups ...string) tool.Spec {
	text, _ := texts.ReadFile(name + ".md")
	return tool.Spec{
		Name: name, Title: title, Description: strings.TrimSpace(string(text)), Kind: kind,
		Groups: append([]string{Group}, groups...), ExposedToLLM: true,
		Facts: tool.Facts{Device: tool.NoDevice, Effects: &tool.Effects{}},
	}
}

// destructive marks a tool that may lose data.
func destructive(s tool.Spec) tool.Spec {
	s.Destructive = true
	return s
}

// lasting gives a tool more time than a call normally has.
func lasting(s tool.Spec, d time.Duration) tool.Spec {
	s.Timeout = d
	return s
}

// callerOf is the client that calls the tool.
func callerOf(ctx context.Context) (*clients.Client, error) {
	s, ok := calls.ClientFrom(ctx)
	if !ok {
		return nil, fault.New(fault.Unavailable, "find client",
			"this tool belongs to a daemon's session, and there is none here").
			WithHint("Call it with trailblaze tool, or over MCP.")
	}
	return s, nil
}

// is reports whether a listing means this client: it shows the beginning of an id only, since the whole of it is a
// key.
func is(s *clients.Client, shown string) bool { return shown != "" && strings.HasPrefix(s.ID(), shown) }

// noArgs is the input of tools that take none.
type noArgs struct{}

// action reads the name of an action, which models write in any case.
func action(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

// missing returns the error for an argument that was not given.
func missing(op, arg, example string) error {
	return fault.New(fault.Invalid, op, "%s is missing", arg).WithHint("Give %s, such as %s.", arg, example)
}
