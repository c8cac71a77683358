// Package trailblaze builds the whole program with a team's own tools in it: Main is its main function. The tools are
// called like those of the product, by trails, shells, agents and other tools, and the daemon that the program starts
// has them too. cmd/trailblaze is the program without any.
//
//	package main
//
//	type openIn struct {
//		Product string `json:"product" jsonschema:"name of the product"`
//	}
//
//	func main() {
//		trailblaze.Main(tool.Define(tool.Spec{
//			Name: "acme_open", Description: "Opens the page of a product.",
//			Kind: tool.Action, ExposedToLLM: true, Recordable: true,
//		}, func(ctx context.Context, env tool.Env, in openIn) (*tool.Result, error) {
//			args, err := json.Marshal(map[string]string{"ref": "link " + strconv.Quote(in.Product)})
//			if err != nil {
//				return nil, err
//			}
//			return env.Call(ctx, tool.Call{Name: "web_click", Args: args})
//		}))
//	}
//
// A tool is made with tool.Define, whose body calls others by their names, or with client.Define, whose body has a
// client with a method for each command. A tool of the latter goes through inprocess.Tools of client/inprocess:
//
//	trailblaze.Main(inprocess.Tools(client.Define(spec, body))...)
//
// A program is a build of its own: it has a daemon of its own, beside those of other builds, and its sessions,
// trails and settings are where those of every build are. A trail that calls a tool of the program is refused by
// another one before any device is touched. A tool for every build belongs to the workspace instead: in YAML, in
// TypeScript, or of an MCP server, which package client/toolserver makes of the same definition.
// examples/acme-program is a whole program.
//
// Such a tool runs in the process of the program, with all that the program may do. Its verdict is that of the
// calls that it makes, as for a tool of a workspace.
package trailblaze

import (
	"github.com/trailblaze-dev/trailblaze/internal/cli"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Main runs the command line of the process and ends the process with its exit status.
//
// A tool is named <namespace>_<action>, as those of a workspace are. When one of them cannot be registered, because
// its name is taken or its definition is wrong, Main reports that and does nothing else. A tool without an Origin
// is said to be Go code of the program, and one without Categories is listed under CUSTOM.
func Main(tools ...tool.Tool) { cli.Program(tools...) }
