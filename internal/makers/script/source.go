package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// loadTime bounds the top level of a file while its tools are listed.
const loadTime = time.Second

// Source makes tools of the TypeScript and JavaScript files of one folder.
type Source struct {
	o      source.Options
	folder source.Folder

	mu      sync.Mutex // held while it loads
	kept    map[string]*loaded
	cache   *cache
	changed bool // the cache is newer than its file
	release func()
}

var (
	_ tool.Source    = (*Source)(nil)
	_ source.Starter = (*Source)(nil)
	_ source.Maker   = New
)

// New makes a source of each folder.
func New(o source.Options) []tool.Source {
	var out []tool.Source
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for _, f := range o.Folders {
		out = append(out, &Source{o: o, folder: f, kept: map[string]*loaded{}, release: worker.Hold()})
	}
	return out
}

// Origin implements tool.Source.
func (s *Source) Origin() string { return s.folder.Dir }

// Close implements tool.Source.
func (s *Source) Close() error {
	s.release()
	return nil
}

// Load implements tool.Source.
func (s *Source) Load(ctx context.Context) ([]tool.Tool, []tool.Problem, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	root, err := os.OpenRoot(s.o.Root)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	if s.cache == nil {
		s.cache = readCache(s.cacheFile())
	}
	var tools []tool.Tool
	all, problems, err := list(root, s.folder.Dir)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, f := range all {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		names = append(names, f.name)
		made, wrong := s.loadFile(ctx, root, f)
		tools, problems = append(tools, made...), append(problems, wrong...)
	}
	s.forget(names)
	return tools, problems, nil
}

// Processes implements source.Starter: the tools that get more than calling tools.
func (s *Source) Processes(ctx context.Context) ([]source.Process, error) {
	tools, _, err := s.Load(ctx) // what is wrong with a tool, Load tells
	return source.GrantsOf(ctx, tools), err
}

// toolFile is a script with the descriptions of its tools in files beside it.
type toolFile struct {
	name string
	desc []descriptor
}

// list lists the files of a folder that may define tools.
func list(root *os.Root, dir string) ([]toolFile, []tool.Problem, error) {
	names, err := files(root, dir, isToolFile)
	if err != nil {
		return nil, nil, fault.Wrap(err, "", "list scripts")
	}
	desc, problems, err := descriptors(root, dir)
	if err != nil {
		return nil, nil, fault.Wrap(err, "", "list descriptions of scripts")
	}
	for name := range desc {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := make([]toolFile, 0, len(names))
	for _, name := range names {
		out = append(out, toolFile{name, desc[name]})
	}
	return out, problems, nil
}

// definesTools finds a file that is more than a module of other files.
var definesTools = regex.Lazy(`\btrailblaze\s*\.\s*tool\b`)

// files are the names of the files in a folder and below that are wanted.
func files(root *os.Root, dir string, want func(base string) bool) ([]string, error) {
	var out []string
	err := fs.WalkDir(root.FS(), path.Clean(dir), func(name string, e fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir() && (base == "node_modules" || strings.HasPrefix(base, ".") && base != "."):
			return fs.SkipDir
		case want(base) && e.Type().IsRegular():
			out = append(out, name)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}

// isToolFile decides by its name whether a file may define tools.
func isToolFile(base string) bool {
	stem, isScript := strings.CutSuffix(base, ".ts")
	if !isScript {
		stem, isScript = strings.CutSuffix(base, ".js")
	}
	return isScript && !strings.HasSuffix(stem, ".test") && !strings.HasSuffix(stem, ".d")
}

// loadFile makes the tools of one file. Tools of an unchanged file are not made again.
func (s *Source) loadFile(ctx context.Context, root *os.Root, f toolFile) ([]tool.Tool, []tool.Problem) {
	name := f.name
	if have := s.kept[name]; have != nil && have.current(root, f.desc) {
		return have.tools, have.problems
	}
	rec := s.cache.Files[name]
	if rec == nil || !rec.current(root, f.desc) {
		delete(s.kept, name)
		fresh, err := s.read(ctx, root, f)
		if err != nil {
			return nil, []tool.Problem{{Name: name, Err: err, AllTools: true}}
		}
		rec = fresh
		s.cache.Files[name], s.changed = rec, true
	}
	l := &loaded{record: rec}
	p := rec.program
	if p == nil {
		p = &program{name: name, build: func(ctx context.Context) (*bundle, error) { return s.bundle(ctx, f) }}
	}
	for _, d := range rec.Tools {
		t, err := s.toolOf(p, d, rec.hash())
		if err != nil {
			l.problems = append(l.problems, tool.Problem{Name: d.Name, Err: fmt.Errorf("%s: %w", placed(name, d.Line), err)})
			continue
		}
		l.tools = append(l.tools, t)
	}
	s.kept[name] = l
	return l.tools, l.problems
}

// bundle bundles a file whose tools are known from the cache.
func (s *Source) bundle(ctx context.Context, f toolFile) (*bundle, error) {
	root, err := os.OpenRoot(s.o.Root)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "open workspace")
	}
	defer func() { _ = root.Close() }()
	return bundleFile(ctx, root, f.name, f.desc)
}

// read finds out what a file defines: its top level is run, and its types are read.
func (s *Source) read(ctx context.Context, root *os.Root, f toolFile) (*record, error) {
	name := f.name
	data, err := file.ReadIn(root, name, maxFile)
	if err != nil {
		return nil, err
	}
	rec := &record{Inputs: map[string]string{}}
	rec.note(name, data)
	for _, d := range f.desc {
		rec.note(d.File, d.data)
	}
	if !f.defines(data) || f.process(data) {
		return rec, nil
	}
	b, err := bundleFile(ctx, root, name, f.desc)
	if err != nil {
		return nil, err
	}
	for input, data := range b.inputs {
		rec.note(input, data)
	}
	rec.program = &program{name: name, build: func(context.Context) (*bundle, error) { return b, nil }}
	list, err := rec.program.describe(ctx)
	if err != nil {
		return nil, err
	}
	types, err := s.types(ctx, root, name, rec)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		rec.Tools = append(rec.Tools, d.with(types))
	}
	return rec, nil
}

// typesTime bounds how long the types of a file are read.
const typesTime = 5 * time.Second

// types returns the declarations of the tools in the types of a file.
func (s *Source) types(ctx context.Context, root *os.Root, name string, rec *record) ([]tstype.Tool, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, typesTime, fault.New(fault.Invalid, "",
		"the types of %s take longer than %v to be read", name, typesTime).
		WithHint("Write an inputSchema in place of the types."))
	defer cancel()
	var out worker.Typed
	end, err := worker.Do(ctx, worker.Job{Op: worker.Types, File: name}, typed{root, rec})
	if over, is := errors.AsType[*worker.Stopped](err); is {
		return nil, over.Cause
	}
	if err == nil {
		err = json.Unmarshal(end.Args, &out)
	}
	if err != nil {
		return nil, err
	}
	for _, n := range out.Notes {
		s.o.Log.Warn("a type of a tool cannot be read", "where", n)
	}
	return out.Tools, nil
}

// typed reads the files with types, and notes them.
type typed struct {
	root *os.Root
	rec  *record
}

// Answer implements worker.Parent.
func (t typed) Answer(_ context.Context, q worker.Question) worker.Answer {
	name := string(q.Blob)
	if q.Op != worker.AskLoad || len(t.rec.Inputs) >= 2*maxNodeFiles {
		return worker.Answer{Blob: []byte("there is no " + name)}
	}
	data, err := file.ReadIn(t.root, name, maxFile)
	if err != nil {
		return worker.Answer{Blob: []byte(err.Error())}
	}
	t.rec.note(name, data)
	return worker.Answer{OK: true, Blob: data}
}

// Note implements worker.Parent.
func (typed) Note(string, []byte) {}

// with adds what the types say.
func (d described) with(types []tstype.Tool) described {
	i := slices.IndexFunc(types, func(t tstype.Tool) bool {
		return t.Export != "" && t.Export == d.Export || t.Name != "" && t.Name == d.Name
	})
	if i >= 0 {
		d.Line, d.Doc, d.Input, d.Output = types[i].Line, types[i].Description, types[i].Input, types[i].Output
	}
	return d
}

// declaresSubprocess finds a file that asks for a process. It is read before the file is run, since it does not run
// here.
var declaresSubprocess = regex.Lazy(`(?m)^[ \t]*(?:[^/*\s].*)?\bruntime["']?\s*:\s*["']subprocess["']`)

// defines reports whether a file is more than a module of other files.
func (f toolFile) defines(data []byte) bool { return len(f.desc) > 0 || definesTools().Match(data) }

// process reports whether the tools of a file run in a process.
func (f toolFile) process(data []byte) bool {
	return f.defines(data) && (declaresSubprocess().Match(data) || slices.ContainsFunc(f.desc, descriptor.process))
}

func (s *Source) toolOf(p *program, d described, sum string) (tool.Tool, error) {
	if err := tool.ValidCustomName(d.Name); err != nil {
		return nil, err
	}
	spec, in, err := specOf(d, placed(p.name, d.Line), false)
	if err != nil {
		return nil, err
	}
	spec.Hash, spec.Target = sum, s.folder.Target
	return &scripted{spec: spec, program: p, declared: in, root: s.o.Root, target: s.target,
		ask: s.o.Trusted, output: checkerOf(spec)}, nil
}

// placed returns the place in which a tool is defined.
func placed(name string, line int) string {
	if line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, line)
}

// target returns the facts about the app under test that a handler gets.
func (s *Source) target(env tool.Env) map[string]any {
	out := map[string]any{}
	if s.o.Target != nil {
		if t := s.o.Target(env.Memory()); t != nil {
			out["id"], out["displayName"] = t.ID, t.Name
			if d := env.Device(); d != nil {
				p := t.Platforms[d.Info().Platform]
				out["appIds"] = p.AppIDs
				if p.BaseURL != "" {
					out["baseUrls"], out["resolvedBaseUrl"] = []string{p.BaseURL}, p.BaseURL
				}
			}
		}
	}
	if url, _ := env.Memory().Get("baseUrl"); url != nil && url != "" && !env.Memory().IsSecret("baseUrl") {
		out["baseUrls"], out["resolvedBaseUrl"] = []any{url}, url
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// describe runs the top level of a file and lists the tools that it defines.
func (p *program) describe(ctx context.Context) (list []described, err error) {
	err = p.list(ctx, "describe", &list)
	return list, err
}

// list runs the top level of a file and reads a list that the runtime gives of it.
func (p *program) list(ctx context.Context, function string, into any) error {
	if err := p.ready(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	r := &run{world: nobody{}}
	out, err := p.run(ctx, r, worker.Running{Function: function, Plain: true})
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		return p.wrong(ctx, err, r)
	}
	return nil
}

// wrong is a failure outside of a call.
func (p *program) wrong(ctx context.Context, err error, r *run) error {
	res, err := p.failed(ctx, err, r)
	if err != nil {
		return err
	}
	return res.Err()
}

// nobody answers a script that is only being listed.
type nobody struct{}

func (nobody) now(op string, _ json.RawMessage) (any, bool, error) {
	return nil, false, fault.New(fault.Invalid, "", "%s works in handlers alone, not at the top of the file", op)
}

func (nobody) later(_ context.Context, op string, _ json.RawMessage) (any, error) {
	return nil, fault.New(fault.Invalid, "", "%s works in handlers alone, not at the top of the file", op)
}

// Inline makes tools of the source that other files hold, as source.Options wants it. Mistakes in the source are
// reported with their place in that file.
func Inline(o source.Options) func(source.Script) (tool.Tool, error) {
	of := &Source{o: o}
	return func(s source.Script) (tool.Tool, error) {
		// The source keeps its lines, so that an error in it names the line of the file.
		text := strings.Repeat("\n", max(s.Line-2, 0)) +
			fmt.Sprintf("import { trailblaze } from \"@trailblaze/scripting\"; "+
				"export const tool = trailblaze.tool(%q, {}, async (args, ctx) => {\n%s\n});", s.Spec.Name, s.Source)
		ctx, cancel := context.WithTimeout(context.Background(), readyTime)
		defer cancel()
		b, err := (&bundler{name: s.Path, text: &text}).bundle(ctx)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "")
		}
		b.inputs[s.Path] = []byte(text)
		d := &declared{}
		s.Spec.Effects = effects(d)
		p := &program{name: s.Path, build: func(context.Context) (*bundle, error) { return b, nil }}
		return &scripted{spec: s.Spec, program: p, declared: d, root: o.Root, ask: o.Trusted, target: of.target}, nil
	}
}
