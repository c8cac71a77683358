package script

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Hosted makes tools of the scripts of one folder that run in a process of their own, on Node or Bun. Each such file is
// bundled with all that it imports and started as an MCP server, which is looked after like any other.
type Hosted struct {
	o      source.Options
	folder source.Folder

	mu      sync.Mutex // held while it loads
	kept    map[string]*hosted
	retired sync.WaitGroup

	watching sync.Mutex
	watchers map[*func()]struct{}
}

// hosted is one file and its process.
type hosted struct {
	*record
	source.Service
	quiet func()
}

var (
	_ tool.Source     = (*Hosted)(nil)
	_ tool.Notifier   = (*Hosted)(nil)
	_ source.Starter  = (*Hosted)(nil)
	_ source.Started  = (*Hosted)(nil)
	_ source.Follower = (*Hosted)(nil)
	_ source.Maker    = Processes
)

// Processes makes a source of each folder, for the scripts that New leaves to it.
func Processes(o source.Options) []tool.Source {
	var out []tool.Source
	for _, f := range o.Folders {
		out = append(out, &Hosted{o: o, folder: f, kept: map[string]*hosted{}, watchers: map[*func()]struct{}{}})
	}
	return out
}

// Described makes sources of the same scripts for looking at their tools: nothing is started. Properties that a tool
// sets when its file is run, such as its time limit, are not known.
func Described(o source.Options) []tool.Source {
	o.Serve = nil
	return Processes(o)
}

// described lists the tools of a file by the declarations that can be read.
func (h *Hosted) described(ctx context.Context, root *os.Root, f toolFile) ([]tool.Tool, error) {
	_, rec, err := h.bundle(ctx, root, f)
	if err != nil {
		return nil, err
	}
	types, err := (&Source{o: h.o, folder: h.folder}).types(ctx, root, f.name, rec)
	if err != nil {
		return nil, err
	}
	var list []described
	for _, t := range types {
		list = append(list, described{Name: cmp.Or(t.Name, t.Export), Export: t.Export})
	}
	for _, d := range f.desc {
		raw, err := json.Marshal(d.Spec)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "read "+d.File)
		}
		same := func(o described) bool { return o.Name == d.Name }
		list = append(slices.DeleteFunc(list, same), described{Name: d.Name, Export: d.Name, Spec: raw})
	}
	var out []tool.Tool
	for _, d := range list {
		d = d.with(types)
		if err := tool.ValidCustomName(d.Name); err != nil {
			return out, err
		}
		spec, _, err := specOf(d, placed(f.name, d.Line), true)
		if err != nil {
			return out, fmt.Errorf("%s: %w", placed(f.name, d.Line), err)
		}
		spec.Hash, spec.Target = rec.hash(), h.folder.Target
		out = append(out, unstarted{spec})
	}
	return out, nil
}

// unstarted is a tool that is only looked at.
type unstarted struct{ spec *tool.Spec }

// Spec implements tool.Tool.
func (u unstarted) Spec() *tool.Spec { return u.spec }

// Run implements tool.Tool.
func (u unstarted) Run(context.Context, tool.Env, json.RawMessage) (*tool.Result, error) {
	return nil, fault.New(fault.Unavailable, "call "+u.spec.Name, "its process is not started here")
}

// look loads what can be read of the tools.
func (h *Hosted) look(ctx context.Context) (tools []tool.Tool, problems []tool.Problem, err error) {
	err = h.each(ctx, func(root *os.Root, f toolFile) error {
		made, err := h.described(ctx, root, f)
		if err != nil {
			problems = append(problems, tool.Problem{Name: f.name, Err: err, AllTools: true})
		}
		tools = append(tools, made...)
		return nil
	})
	return tools, problems, err
}

// Origin implements tool.Source.
func (h *Hosted) Origin() string { return "processes of " + h.folder.Dir }

// OfFiles implements source.Follower.
func (h *Hosted) OfFiles() {}

// Notify implements tool.Notifier.
func (h *Hosted) Notify(fn func()) (stop func()) {
	h.watching.Lock()
	defer h.watching.Unlock()
	h.watchers[&fn] = struct{}{}
	return func() {
		h.watching.Lock()
		defer h.watching.Unlock()
		delete(h.watchers, &fn)
	}
}

// changed notifies the watchers that a process lists other tools.
func (h *Hosted) changed() {
	h.watching.Lock()
	var tell []func()
	for fn := range h.watchers {
		tell = append(tell, *fn)
	}
	h.watching.Unlock()
	for _, fn := range tell {
		fn()
	}
}

// Close implements tool.Source.
func (h *Hosted) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.kept {
		c.end()
	}
	h.kept = map[string]*hosted{}
	h.retired.Wait()
	return nil
}

func (c *hosted) end() {
	c.quiet()
	_ = c.Close()
}

// Processes implements source.Starter.
func (h *Hosted) Processes(ctx context.Context) (out []source.Process, err error) {
	err = h.each(ctx, func(root *os.Root, f toolFile) error {
		b, _, err := h.bundle(ctx, root, f)
		if err != nil {
			return nil //nolint:nilerr // it makes no tool, and Load tells why
		}
		p, _, err := h.process(f.name, b)
		if err == nil {
			out = append(out, p)
		}
		return err
	})
	return out, err
}

// Started implements source.Started.
func (h *Hosted) Started() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, c := range h.kept {
		if text := c.Service.Started(); text != "" {
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// each calls fn for each script that runs in a process.
func (h *Hosted) each(ctx context.Context, fn func(*os.Root, toolFile) error) error {
	root, err := os.OpenRoot(h.o.Root)
	if err != nil {
		return fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	all, _, err := list(root, h.folder.Dir) // what is wrong with a description, the other source of the folder tells
	if err != nil {
		return err
	}
	for _, f := range all {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		data, err := file.ReadIn(root, f.name, maxFile)
		if err != nil || !f.process(data) {
			continue
		}
		if err := fn(root, f); err != nil {
			return err
		}
	}
	return nil
}

// Load implements tool.Source. It waits until each process is up or cannot be started.
func (h *Hosted) Load(ctx context.Context) ([]tool.Tool, []tool.Problem, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.o.Serve == nil {
		return h.look(ctx)
	}
	now := map[string]*hosted{}
	var problems []tool.Problem
	var replaced []*hosted
	err := h.each(ctx, func(root *os.Root, f toolFile) error {
		have := h.kept[f.name]
		if have != nil && have.current(root, f.desc) {
			now[f.name] = have
			return nil
		}
		c, err := h.host(ctx, root, f)
		if err != nil {
			problems = append(problems, tool.Problem{Name: f.name, Err: err, AllTools: true})
			return nil
		}
		now[f.name] = c
		return nil
	})
	for name, c := range h.kept {
		if now[name] == nil && err != nil { // it was not looked at
			now[name] = c
		}
		if now[name] != c {
			replaced = append(replaced, c)
		}
	}
	h.kept = now
	defer func() {
		for _, c := range replaced {
			c.quiet()
			h.retired.Go(c.Retire)
		}
	}()
	if err != nil {
		return nil, nil, fault.Wrap(err, "", "list scripts")
	}
	tools, more := loadAll(ctx, now)
	return tools, append(problems, more...), nil
}

// loadAll loads processes side by side.
func loadAll(ctx context.Context, all map[string]*hosted) (tools []tool.Tool, problems []tool.Problem) {
	var mu sync.Mutex
	var work sync.WaitGroup
	for name, c := range all {
		work.Go(func() {
			made, wrong, err := c.Load(ctx)
			mu.Lock()
			defer mu.Unlock()
			tools, problems = append(tools, made...), append(problems, wrong...)
			if err != nil {
				problems = append(problems, tool.Problem{Name: name, Err: err, AllTools: true})
			}
		})
	}
	work.Wait()
	slices.SortFunc(tools, func(a, b tool.Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	slices.SortFunc(problems, func(a, b tool.Problem) int { return strings.Compare(a.Name, b.Name) })
	return tools, problems
}

// bundle makes the one file that a process runs.
func (h *Hosted) bundle(ctx context.Context, root *os.Root, f toolFile) (*bundle, *record, error) {
	b, err := (&bundler{root: root, name: f.name, desc: f.desc, node: true}).bundle(ctx)
	if err != nil {
		return nil, nil, err
	}
	rec := &record{Inputs: map[string]string{}}
	for input, data := range b.inputs {
		rec.note(input, data)
	}
	return b, rec, nil
}

// process returns the process that runs a script, as a person trusts it, and its program. All that runs is in Content.
func (h *Hosted) process(name string, b *bundle) (source.Process, string, error) {
	program, err := h.program()
	sum := sha256.Sum256(b.code)
	return source.Process{
		What: "script " + name, Place: "runtime: " + subprocess, Dir: path.Dir(name),
		Command: []string{filepath.Base(program), path.Base(name)}, Content: hex.EncodeToString(sum[:]),
	}, program, err
}

// EnvRuntime is the variable that says which program runs scripts: node or bun, or the path of one.
const EnvRuntime = "TRAILBLAZE_SCRIPT_RUNTIME"

// program returns the program that runs scripts: the user's choice, else Node, else Bun.
func (h *Hosted) program() (string, error) {
	names := []string{"node", "bun"}
	if said := h.o.Env(EnvRuntime); said != "" {
		names = []string{said}
	}
	for _, name := range names {
		found, err := proc.LookPath(name)
		if err == nil {
			return found, nil
		}
	}
	return names[0], fault.New(fault.Invalid, "start script",
		"there is no %s on PATH, and a tool with runtime: %q runs on it", strings.Join(names, " and no "), subprocess).
		WithHint("Install Node 18 or later, or Bun, and restart the daemon; $%s names another program.", EnvRuntime)
}

// host makes the server of a script. It is not started yet.
func (h *Hosted) host(ctx context.Context, root *os.Root, f toolFile) (*hosted, error) {
	b, rec, err := h.bundle(ctx, root, f)
	if err != nil {
		return nil, err
	}
	trusted, program, err := h.process(f.name, b)
	if err != nil {
		return nil, err
	}
	s := &Source{o: h.o, folder: h.folder}
	types, err := s.types(ctx, root, f.name, rec)
	if err != nil {
		return nil, err
	}
	at := h.place(f.name, trusted.Content)
	args := []string{at}
	if !strings.Contains(trusted.Command[0], "bun") {
		args = []string{"--enable-source-maps", at}
	}
	c := &hosted{record: rec}
	c.Service = h.o.Serve(source.Server{
		Name: f.name, Command: program, Args: args, Dir: path.Dir(f.name), Place: f.name,
		Script: &source.Hosted{
			Process: trusted,
			Ready: func() error {
				return fault.Wrap(keep(at, b.code), fault.Unavailable, "write the bundle of "+f.name)
			},
			Tool: func(said json.RawMessage) (*tool.Spec, error) {
				d := described{}
				if err := json.Unmarshal(said, &d); err != nil {
					return nil, fmt.Errorf("%s: %w", f.name, plainly(err))
				}
				d = d.with(types)
				spec, _, err := specOf(d, placed(f.name, d.Line), true)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", placed(f.name, d.Line), err)
				}
				spec.Hash, spec.Target = rec.hash(), h.folder.Target
				spec.Effects.Script, spec.Effects.Process = false, true
				return spec, nil
			},
		},
	})
	c.quiet = c.Notify(h.changed)
	return c, nil
}

// place returns the path of the bundle of a script: its own file for each content, since an older process may still
// read its own.
func (h *Hosted) place(name, content string) string {
	dir := filepath.Join(h.o.Home, "cache", "scripts")
	if h.o.Home == "" {
		dir = filepath.Join(h.o.Root, ".trailblaze", "scripts")
	}
	sum := sha256.Sum256([]byte(h.o.Root + "\n" + name))
	return filepath.Join(dir, hex.EncodeToString(sum[:6])+"-"+content[:16]+".mjs")
}

// keep writes the bundle of a script, and removes those of the same script that are older.
func keep(name string, code []byte) error {
	if have, err := file.Read(name, maxBundle); err == nil && string(have) == string(code) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	own, _, _ := strings.Cut(filepath.Base(name), "-")
	old, _ := filepath.Glob(filepath.Join(filepath.Dir(name), own+"-*.mjs"))
	for _, o := range old {
		_ = os.Remove(o) // at worst it stays
	}
	return file.Replace(name, code)
}

// maxBundle bounds a bundle with its source map.
const maxBundle = 64 << 20
