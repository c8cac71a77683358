// Package source defines the input of a maker of tools: the folders of a workspace that may hold tools, its external
// servers, its targets, and its rights. Package workspace fills Options; yamltool, script and extern read them. Values
// are not changed after they were handed over, and the functions are safe to call from many goroutines.
//
//	func New(o source.Options) []tool.Source {
//		for _, f := range o.Folders { … filepath.Join(o.Root, f.Dir) … }
//	}
package source

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Maker makes the sources of one kind that a workspace has. It starts and reads nothing: Load does. A workspace
// without anything of that kind gets none, so that it costs nothing.
type Maker func(Options) []tool.Source

// Options are the values for a maker.
type Options struct {
	Root    string   // the workspace, an absolute path; files are read with an os.Root on it
	Home    string   // the user's own folder, for what is kept between runs; "" keeps nothing
	Folders []Folder // that may hold tools and exist now; when one appears or goes, the sources are made anew
	Servers []Server // external MCP servers, in the order of the configuration
	Targets []Target // the apps that the workspace knows

	// BuiltIn are the tools of the product; Tools are all that there are at this moment, for calls and not for
	// loading.
	BuiltIn *tool.Registry
	Tools   func() *tool.Registry

	// Daemon finds the tools that a daemon has besides, such as those of its settings. Nil: there are none.
	Daemon func(name string) (*tool.Spec, bool)

	// Script makes a tool of source that another file holds: script in a YAML tool. Nil: scripts are not run.
	Script func(Script) (tool.Tool, error)

	// Serve makes the source of one server that a maker has itself; Servers have theirs anyway. Nil: nothing is started.
	Serve func(Server) Service

	// Target is the app under test of a session, by the session's memory; nil when none is chosen.
	Target func(*memory.Store) *Target
	// Trusted is asked before each start of a process and each connection to a server. Its error says what a person must
	// do first; it goes to the caller of the tool, or into the problems of Load.
	Trusted func(Process) error
	// Identity is everything that decides what a process does, in one hash; "" when that is not known. Nil: it never is.
	Identity func(Process) string
	// BaseURL returns the address for processes to call back, such as http://127.0.0.1:52525; "" when nothing listens.
	BaseURL func() string
	// Grant makes the token that one start of a process shows when it calls back. reach says which calls in flight are
	// its own: with an id that one or none, without an id those that it may mean. The token ends with revoke.
	Grant func(reach func(invocationID string) []string) (token string, revoke func())

	// Report passes a server's progress to those who wait for its call. The context is that of the call. Nil: it is
	// dropped.
	Report func(ctx context.Context, message string, done, total int)
	// Model answers servers that may ask for completions; nil: nothing does.
	Model Model

	Env func(string) string // of the user; never nil
	Log *slog.Logger        // never nil
}

// Script is the body of a function in another file.
type Script struct {
	Spec   *tool.Spec // what the file says of the tool; its effects are filled in
	Path   string     // of the file, below the workspace
	Line   int        // where Source begins in it
	Source string     // what the function does with args and ctx
}

// Model completes prompts for external servers. The context is that of the call from which a server asks: it decides
// whose model and whose key are used.
type Model interface {
	// Ready reports whether the call has a model.
	Ready(ctx context.Context) bool
	Complete(ctx context.Context, p Prompt) (text, model string, err error)
}

// Prompt is a request of an external server to the model.
type Prompt struct {
	Server    string // who asks
	System    string
	Messages  []Message
	MaxTokens int64
}

// Message is a part of a conversation: a text, or a picture.
type Message struct {
	Role  string // user or assistant
	Text  string
	Image []byte
	MIME  string
}

// Process is something that a source would start, or a server that it would connect to, as a person is asked to trust
// it. Two that differ in any field but What and Place are trusted apart.
type Process struct {
	What     string            // for people: MCP server "acme", tool "shop_login"
	Place    string            // where it is declared
	Command  []string          // the program and its arguments; none of a server that runs anyway
	Dir      string            // working directory, relative to the workspace
	Env      map[string]string // what is declared besides the usual variables
	Content  string            // hash of the files of the workspace that the process is made of, where they are known
	URL      string            // of a server that runs anyway
	Headers  map[string]string // that it is sent
	Sampling bool              // it may ask for completions of the model

	Grants []string // of a script in process: what it gets besides calling tools, one phrase each

	// For people: the parts of the workspace that Content covers, those that it does not, and the reason why there is
	// none. A process whose content cannot be known is never remembered as trusted.
	Covered, Uncovered []string
	Unknown            string
}

// Starter is implemented by sources that start processes or connect to servers. It says which those would be, and
// starts none.
type Starter interface {
	Processes(ctx context.Context) ([]Process, error)
}

// Granted is implemented by tools that run in process and get files, hosts or secrets once a person has trusted
// them. ok is false for one that declares none of them.
type Granted interface {
	Process(ctx context.Context) (p Process, ok bool, err error)
}

// GrantsOf lists those of tools.
func GrantsOf(ctx context.Context, tools []tool.Tool) (out []Process) {
	for _, t := range tools {
		g, is := t.(Granted)
		if !is {
			continue
		}
		if p, ok, err := g.Process(ctx); ok && err == nil {
			out = append(out, p)
		}
	}
	return out
}

// Started is implemented by sources that start or connect to something. It says what, and how long that took, "" while
// it is not up.
type Started interface{ Started() string }

// Service is the source of one external server.
type Service interface {
	tool.Source
	tool.Notifier
	Starter
	Started
	// Retire closes it once the calls that it carries out have ended.
	Retire()
}

// Follower is implemented by sources that notify of some changes, and are made of files whose changes they do not
// notice.
type Follower interface{ OfFiles() }

// Process returns the process of a server, or its connection, without the content of its files.
func (s Server) Process() Process {
	if s.Script != nil {
		return s.Script.Process
	}
	p := Process{What: fmt.Sprintf("MCP server %q", s.Name), Place: s.Place, Sampling: s.Sampling}
	if s.Transport == HTTP {
		p.URL, p.Headers = s.URL, s.Headers
		return p
	}
	p.Command, p.Dir, p.Env = append([]string{s.Command}, s.Args...), s.Dir, s.Env
	return p
}

// Folder may hold the files of tools.
type Folder struct {
	Dir    string // relative to the workspace, with slashes: trails/config/tools
	Target string // the id of the target whose tools are in it, "" for tools of the workspace: see tool.Facts.Target
}

// Transport is the protocol to an external server.
type Transport string

// The transports.
const (
	Stdio Transport = "stdio" // a process that is started and ended here
	HTTP  Transport = "http"  // a server that runs anyway
)

// Server is an external MCP server as the configuration declares it.
type Server struct {
	Name      string
	Transport Transport
	Command   string // stdio
	Args      []string
	Dir       string            // working directory, relative to the workspace, "" for its root
	Env       map[string]string // variables of the process, besides those that every process gets
	URL       string            // HTTP
	Headers   map[string]string // HTTP
	Sampling  bool              // it may ask for completions of the model
	Secrets   []string          // arguments that may hold secrets
	Timeout   time.Duration     // of a call, 0: the usual one
	Place     string            // where it is declared: "trailblaze.yaml:7"
	Script    *Hosted           // the script that it is, nil for one that is declared
	Names     Names             // what its tools are called here
	Listed    string            // when models see its tools: Always or OnDemand; "": as many as they are decides
}

// When the tools of a server are listed.
const (
	Always   = "always"
	OnDemand = "demand"
)

// Names choose the tools of a server, and their names here. The zero value takes all; those whose names cannot stay
// begin with the server's.
type Names struct {
	Prefix  string            // all begin with it
	Plain   bool              // none gets a prefix
	Include []string          // names or patterns such as get-*; none: all
	Exclude []string          // the same
	Rename  map[string]string // by what the server calls a tool
}

// Title returns the name of the server in messages.
func (s Server) Title() string {
	if s.Script != nil {
		return "script " + s.Name
	}
	return "MCP server " + s.Name
}

// Hosted is a script that is started as a server.
type Hosted struct {
	Process Process      // as it is trusted
	Ready   func() error // makes what is started; called before each start
	// Tool makes the Spec of a tool from the script's own description.
	Tool func(said json.RawMessage) (*tool.Spec, error)
}

// DeclarationKey is the key in a tool's _meta that holds the script's own declaration of the tool.
const DeclarationKey = "trailblaze/tool"

var (
	hasID       = regex.Lazy(`(?m)^id:`)
	hasName     = regex.Lazy(`(?m)^name:`)
	namesScript = regex.Lazy(`(?m)^script:[ \t]*[^ \t\r\n{#]`)
)

// DescribesScript reports whether a YAML file describes a tool of a script beside it.
func DescribesScript(data []byte) bool {
	return !hasID().Match(data) && hasName().Match(data) && namesScript().Match(data)
}

// Target is an app under test.
type Target struct {
	ID        string
	Name      string                       // for people
	Platforms map[driver.Platform]Platform // what holds on each; one that is not there is not supported
	Prompt    string                       // what a model should know of the app
	Place     string                       // where it is declared: "trails/config/trailmaps/shop/trailmap.yaml"
}

// Platform describes a target on one platform.
type Platform struct {
	AppIDs   []string `json:"appIds,omitempty"`
	BaseURL  string   `json:"baseUrl,omitempty"`
	Toolsets []string `json:"toolsets,omitempty"` // ids of toolsets that are listed when the target is chosen
	Tools    []string `json:"tools,omitempty"`    // names of tools that are listed then
	Excluded []string `json:"excluded,omitempty"` // names of tools that are not listed then
	Drivers  []string `json:"drivers,omitempty"`
}
