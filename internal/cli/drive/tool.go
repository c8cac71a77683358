package drive

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// toolCmd are the options of tool.
type toolCmd struct {
	Command
	args  string
	yaml  string
	watch bool
}

// NewTool makes the command trailblaze tool.
func NewTool(a *shell.Shell) *cobra.Command {
	c := &toolCmd{Command: Command{Shell: a}}
	cmd := &cobra.Command{
		Use: "tool <name> [name=value]...", Short: "Call a tool on a device", GroupID: "drive",
		Long: `Call a tool on a live device. The device is opened if need be and stays open; everything is recorded,
and session save makes a trail of it. With --step you say what a call is for: calls with the same words become
one step.

Values are typed by the tool's schema: numbers, true and false, JSON for lists and objects. A list may also be
written by naming it more than once, a part of an object as object.part=value. trailblaze toolbox shows the
tools, trailblaze toolbox <name> the arguments of one.`,
		Example: `  trailblaze tool web_navigate url=http://localhost:8080 -s "Open the shop"
  trailblaze tool web_click ref=e12 -s "Put the mug into the cart"
  trailblaze tool web_type ref=e7 text="two words" submit=true
  trailblaze tool web_verifyTextVisible text="1 item" -s "The cart shows one item"
  trailblaze tool web_click --args '{"ref": "e12"}' --json
  trailblaze tool --yaml @steps.yaml -s "Sign in"     # several calls, as a recording has them`,
		RunE: shell.Work(c.Run), ValidArgsFunction: c.complete,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && c.yaml == "" {
				return shell.Misuse(cmd, "expected the name of a tool; trailblaze toolbox lists them")
			}
			return nil
		},
	}
	f := cmd.Flags()
	c.DeviceFlag(cmd)
	f.StringVarP(&c.intent, "step", "s", "", "what this is for, in `words`; the recording groups calls by it")
	f.StringVarP(&c.intent, "objective", "o", "", "as --step")
	f.StringVar(&c.args, "args", "", "arguments as `JSON`, @file or - for standard input")
	f.StringVar(&c.yaml, "yaml", "",
		"calls as `YAML`, @file or -: a list of tools as in a recording, played in order up to the first failure")
	f.BoolVar(&c.watch, "watch", false, "call it again whenever the screen changes, until Ctrl-C; for queries")
	c.tokensFlag(cmd)
	c.timeoutFlag(cmd)
	shell.Exclusive(cmd, [2]string{"step", "objective"}, [2]string{"yaml", "args"}, [2]string{"yaml", "watch"})
	return cmd
}

// Run calls the tool, or the tools of --yaml.
func (c *toolCmd) Run(ctx context.Context, args []string) error {
	if c.yaml != "" {
		return c.sequence(ctx, args)
	}
	r := &pb.CallToolRequest{Name: args[0], Texts: args[1:]}
	if c.args != "" {
		text, err := c.content(c.args)
		if err != nil {
			return err
		}
		if v, err := argument.Decode(json.RawMessage(text)); err != nil {
			return fault.New(fault.Invalid, "read command line", "--args is not JSON: %w", err)
		} else if _, ok := v.(map[string]any); !ok {
			return fault.New(fault.Invalid, "read command line", "--args is not a JSON object")
		}
		r.ArgsJson = text
	}
	return c.repeat(ctx, r, c.watch)
}

// content is text given on the command line, in a file, or on standard input.
func (c *Command) content(arg string) (string, error) {
	const op, most = "read arguments", 4 << 20
	var in io.Reader = strings.NewReader(arg)
	name, isFile := strings.CutPrefix(arg, "@") // which may be one of the open files of a process
	switch {
	case arg == "-":
		in = c.In
	case isFile:
		name, err := c.Absolute(name)
		if err != nil {
			return "", err
		}
		f, err := os.Open(name)
		if err != nil {
			return "", fault.Wrap(err, fault.Invalid, op)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(data) > most {
		return "", fault.New(fault.Invalid, op, "there are more than %d bytes of them", most)
	}
	return string(data), fault.Wrap(err, fault.Invalid, op)
}

// sequence plays several calls, in the form they have in a recording, up to the first that fails.
func (c *toolCmd) sequence(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fault.New(fault.Invalid, "read command line", "--yaml has the tools; %q is one too many", args[0])
	}
	text, err := c.content(c.yaml)
	if err != nil {
		return err
	}
	calls, err := parseCalls(text)
	if err != nil {
		return err
	}
	doc := repliesDoc{Schema: "trailblaze.replies/1", Replies: []*api.Reply{}}
	for _, call := range calls {
		reply, err := c.call(ctx, &pb.CallToolRequest{Name: call.Name, ArgsJson: string(call.Args)})
		if err != nil {
			return err
		}
		doc.Replies = append(doc.Replies, reply)
		if !c.JSON {
			err = c.show(reply)
		} else if err = c.keepPictures(reply); err == nil {
			err = shell.Exit(shell.CodeOfReply(reply))
		}
		if err != nil {
			return cmp.Or(c.tellAll(doc), err)
		}
	}
	return c.tellAll(doc)
}

// repliesDoc holds the replies of several calls, up to the first that failed.
type repliesDoc struct {
	Schema  string       `json:"schema"`
	Replies []*api.Reply `json:"replies"`
}

func (c *toolCmd) tellAll(doc repliesDoc) error {
	if !c.JSON {
		return nil
	}
	return c.PrintJSON(doc)
}

// parseCalls reads "- web_click: { ref: e5 }", one or a list.
func parseCalls(text string) ([]tool.Call, error) {
	const op = "read --yaml"
	var list []map[string]any
	if err := yaml.Unmarshal([]byte(text), &list); err != nil {
		var one map[string]any
		if yaml.Unmarshal([]byte(text), &one) != nil || len(one) != 1 {
			return nil, fault.New(fault.Invalid, op, "%w", err).
				WithHint("It is a list of tools as in a recording: - %s: { ref: e5 }", tools.Click)
		}
		list = []map[string]any{one}
	}
	var calls []tool.Call
	for i, item := range list {
		if len(item) != 1 {
			return nil, fault.New(fault.Invalid, op, "item %d names %d tools, not one", i+1, len(item))
		}
		for name, args := range item {
			if args == nil {
				args = map[string]any{}
			}
			if _, ok := args.(map[string]any); !ok {
				return nil, fault.New(fault.Invalid, op, "item %d: the arguments of %s are not a mapping", i+1, name)
			}
			raw, err := json.Marshal(args)
			if err != nil {
				return nil, fault.Wrap(err, fault.Invalid, op)
			}
			calls = append(calls, tool.Call{Name: name, Args: raw})
		}
	}
	if len(calls) == 0 {
		return nil, fault.New(fault.Invalid, op, "there are no calls in it")
	}
	return calls, nil
}
