package manage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// ToolFiles makes and checks the tools of a workspace's files.
type ToolFiles interface {
	// Tools makes the tools of the files as they are, without letting them be called.
	Tools(ctx context.Context, workspace string) ([]*tool.Spec, []tool.Problem, error)
	// Reload has the tools of a workspace loaded again, and returns when they can be called.
	Reload(ctx context.Context, workspace string) error
}

// toolFolder is the folder of tools, and toolKinds the endings of the files of each kind.
const toolFolder = "trails/config/tools"

var toolKinds = map[string]string{"YAML": ".tool.yaml", "TS": ".ts"}

func (d *manager) authoring() []tool.Tool {
	return []tool.Tool{
		tool.Define(destructive(spec("createTool", "Create a tool", tool.Action).With(tool.Facts{
			Categories: []string{"AUTHORING"}, Effects: &tool.Effects{Files: createdTool},
		})), d.createTool),
		tool.Define(spec("checkTool", "Check a tool", tool.Action).With(tool.Facts{
			Categories: []string{"AUTHORING"}, Effects: &tool.Effects{CallsTools: true}, Calls: triedCall,
		}), d.checkTool),
	}
}

type createToolIn struct {
	Name      string `json:"name" jsonschema:"of the file, and the id of a YAML tool" pattern:"^[A-Za-z][A-Za-z0-9_-]*$" maxLength:"64"`
	Kind      string `json:"kind,omitempty" enum:"YAML,TS" default:"YAML" jsonschema:"YAML: a list of calls; TS: TypeScript, for conditions and loops"`
	Content   string `json:"content" jsonschema:"the whole text of the file" minLength:"1" maxLength:"200000"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"replace the file that is there"`
}

func (in createToolIn) path() string { return path.Join(toolFolder, in.Name+toolKinds[in.Kind]) }

// createdTool is the file that a call writes, for the policy.
func createdTool(a tool.Args) (reads, writes []string) {
	kind := a.Text("kind")
	if kind == "" {
		kind = "YAML"
	}
	return nil, []string{createToolIn{Name: a.Text("name"), Kind: strings.ToUpper(kind)}.path()}
}

// madeTool is the result of a tool's file.
type madeTool struct {
	File       string   `json:"file"`
	Tools      []string `json:"tools,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Parameters []string `json:"parameters,omitempty"`
	Problems   []string `json:"problems,omitempty"`
	Tried      string   `json:"tried,omitempty" jsonschema:"what the call of it said"`
}

func (m madeTool) text(done string) string {
	text := done
	if len(m.Tools) > 0 {
		text += fmt.Sprintf(" %s makes %s (%s)", m.File, strings.Join(m.Tools, ", "), m.Kind)
		if len(m.Parameters) > 0 {
			text += " with the parameters " + strings.Join(m.Parameters, ", ")
		}
		text += "."
	}
	for _, p := range m.Problems {
		text += "\n" + p
	}
	if m.Tried != "" {
		text += "\nIt was called and said: " + m.Tried
	}
	return strings.TrimSpace(text)
}

// createTool writes a file, and takes it back if it makes no tool.
func (d *manager) createTool(ctx context.Context, _ tool.Env, in createToolIn) (*tool.Result, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	workspace := s.State().Workspace
	if workspace == "" || d.ToolFiles == nil {
		return nil, fault.New(fault.Unsupported, "create tool", "there is no workspace to write it into").
			WithHint(record.NameProject)
	}
	undo, err := writeTool(workspace, in)
	if err != nil {
		return nil, err
	}
	made, err := d.made(ctx, workspace, in.path())
	if err == nil && len(made.Tools) == 0 && len(made.Problems) == 0 {
		made.Problems = []string{"it is a module for other files: a tool is what trailblaze.tool(…) makes"}
	}
	if err == nil && len(made.Problems) > 0 {
		err = fault.New(fault.Invalid, "create tool", "%s makes no tool, so it was not kept\n%s", in.path(),
			strings.Join(made.Problems, "\n")).WithHint("Mend the text and call again.")
	}
	if err != nil {
		return nil, errors.Join(err, undo())
	}
	if err := d.ToolFiles.Reload(ctx, workspace); err != nil {
		return nil, err
	}
	reg := d.hub.Tools(s)
	for _, name := range made.Tools {
		if _, ok := reg.Get(name); !ok {
			return tool.ValueResult(made, made.text("Wrote it.")+"\nIt can be called when the workspace is loaded "+
				"again; one that runs in a process, once a person has trusted it in a terminal: trailblaze trust")
		}
	}
	return tool.ValueResult(made, made.text("Wrote it."))
}

// writeTool writes the file of a tool as a whole; undo restores the old one.
func writeTool(workspace string, in createToolIn) (undo func() error, err error) {
	const op = "create tool"
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = root.Close() }()
	name := in.path()
	old, err := file.ReadIn(root, name, maxFile)
	there := err == nil
	switch {
	case there && !in.Overwrite:
		return nil, fault.New(fault.Conflict, op, "%s exists", name).WithHint("Choose another name, or pass overwrite: true.")
	case !there && !errors.Is(err, fs.ErrNotExist):
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	if err := root.MkdirAll(toolFolder, 0o755); err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	content := in.Content
	if strings.HasSuffix(name, ".yaml") && !strings.HasPrefix(content, "#") {
		content = trail.Modeline(root, name, "tools") + content
	}
	if err := replaceIn(root, name, []byte(content)); err != nil {
		return nil, fault.Wrap(err, fault.Denied, op)
	}
	return func() error {
		root, err := os.OpenRoot(workspace)
		if err != nil {
			return err
		}
		defer func() { _ = root.Close() }()
		if there {
			return replaceIn(root, name, old)
		}
		return root.Remove(name)
	}, nil
}

// replaceIn writes a file beside its place and moves it there: no reader sees half of it.
func replaceIn(root *os.Root, name string, data []byte) error {
	next := path.Join(path.Dir(name), "."+path.Base(name)+".new")
	f, err := root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(next, name)
	}
	if err != nil {
		_ = root.Remove(next)
	}
	return err
}

// made returns the tools of a file as it is, or with "" the problems of all files.
func (d *manager) made(ctx context.Context, workspace, name string) (madeTool, error) {
	m := madeTool{File: name}
	specs, problems, err := d.ToolFiles.Tools(ctx, workspace)
	if err != nil {
		return m, err
	}
	for _, s := range specs {
		if name != "" && s.Origin != name && !strings.HasPrefix(s.Origin, name+":") {
			continue
		}
		m.Tools, m.Kind = append(m.Tools, s.Name), string(s.Kind)
		if name != "" && s.Input != nil {
			m.Parameters = slices.Sorted(maps.Keys(s.Input.Get().Properties))
		}
	}
	for _, p := range problems {
		if text := p.Error(); strings.Contains(text, name) {
			m.Problems = append(m.Problems, text)
		}
	}
	return m, nil
}

type checkToolIn struct {
	Name   string         `json:"name,omitempty" jsonschema:"the tool, or its file; none: all of them"`
	Args   map[string]any `json:"args,omitempty" jsonschema:"call it once with these"`
	Device string         `json:"device,omitempty" jsonschema:"with args: instead of this session's device"`
}

// triedCall is the call that the arguments hold. Of a tool that is named by its file it is known later.
func triedCall(args json.RawMessage) []tool.Held {
	var in struct {
		Name string
		Args json.RawMessage
	}
	_ = json.Unmarshal(args, &in) // what is wrong with the arguments is said when they are checked
	return []tool.Held{{Call: tool.Call{Name: in.Name, Args: in.Args}, At: "args"}}
}

func (d *manager) checkTool(ctx context.Context, _ tool.Env, in checkToolIn) (*tool.Result, error) {
	const op = "check tool"
	s, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	workspace := s.State().Workspace
	if workspace == "" || d.ToolFiles == nil {
		return nil, fault.New(fault.Unsupported, op, "there is no workspace with tools").
			WithHint(record.NameProject)
	}
	specs, _, err := d.ToolFiles.Tools(ctx, workspace)
	if err != nil {
		return nil, err
	}
	name, called := fileOf(specs, in.Name)
	made, err := d.made(ctx, workspace, name)
	if err != nil {
		return nil, err
	}
	switch {
	case in.Name == "" && len(made.Problems) == 0:
		return tool.ValueResult(made, fmt.Sprintf("%s, nothing is wrong: %s.",
			phrase.Count(len(made.Tools), "tool"), strings.Join(made.Tools, ", ")))
	case len(made.Problems) > 0:
		return nil, fault.New(fault.Invalid, op, "%s", strings.Join(made.Problems, "\n"))
	case len(made.Tools) == 0:
		return nil, fault.New(fault.NotFound, op, "the workspace has no tool and no file of one named %q", in.Name).
			WithHint("Call it without a name for a list.")
	case in.Args == nil:
		return tool.ValueResult(made, made.text("Nothing is wrong."))
	}
	if err := d.ToolFiles.Reload(ctx, workspace); err != nil {
		return nil, err
	}
	if called == "" {
		called = made.Tools[0]
	}
	if made.Tried, err = d.try(ctx, s, called, in); err != nil {
		return nil, err
	}
	return tool.ValueResult(made, made.text("Nothing is wrong."))
}

// try calls the tool once and returns what it says.
func (d *manager) try(ctx context.Context, s *clients.Client, called string, in checkToolIn) (string, error) {
	lease, err := d.hub.Acquire(ctx, s, in.Device, "try "+called)
	if err != nil {
		return "", err
	}
	defer lease.Release()
	args, err := json.Marshal(in.Args)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "check tool")
	}
	res, err := lease.Dispatcher.Call(lease.Ctx, lease.Session, dispatch.MCP, tool.Call{Name: called, Args: args})
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		return "", err
	}
	if res.Evidence.InVain() {
		return res.Text() + "\nOne of its actions changed nothing: a replay of it would fail.", nil
	}
	return res.Text(), nil
}

// fileOf is the file of a tool that is called by its name or its file, and the name when it was that.
func fileOf(specs []*tool.Spec, said string) (name, called string) {
	for _, s := range specs {
		if s.Name == said {
			if i := strings.LastIndexByte(s.Origin, ':'); i > 0 {
				return s.Origin[:i], said
			}
			return s.Origin, said
		}
	}
	return said, ""
}
