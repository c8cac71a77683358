package yamltool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// maxDepth limits the nesting of calls; it is the dispatcher's bound.
const maxDepth = 16

// linker makes tools of the files of a source. A tool that calls another is made after it.
type linker struct {
	builtIn   *tool.Registry
	daemon    func(name string) (*tool.Spec, bool)   // nil: none
	elsewhere bool                                   // other sources may have what is not known here
	compile   func(source.Script) (tool.Tool, error) // nil: scripts are not run
	defs      map[string]*linked
	order     []*linked
	way       []*linked // those whose calls are being looked at, each called by the one before
}

// linked is a definition on its way to a tool.
type linked struct {
	*Definition
	target string
	spec   tool.Spec
	tool   tool.Tool
	state  state
	depth  int // of the calls below it
}

type state int

const (
	untouched state = iota
	open            // its calls are being looked at
	done
)

// link makes the tools of the correct files, and reports the mistakes in the others.
func link(files []found, o source.Options, elsewhere bool) ([]tool.Tool, []tool.Problem) {
	l := &linker{builtIn: o.BuiltIn, daemon: o.Daemon, elsewhere: elsewhere, compile: o.Script, defs: map[string]*linked{}}
	var problems []tool.Problem
	for _, f := range files {
		d, wrong := Parse(f.path, f.data)
		if d == nil {
			problems = append(problems, tool.Problem{Name: f.path, Err: problemOf(wrong)})
			continue
		}
		one := &linked{Definition: d, target: f.target}
		l.order = append(l.order, one)
		l.name(one)
	}
	var tools []tool.Tool
	for _, d := range l.order {
		l.link(d)
		if errs := d.doc.Problems().Errors(); len(errs) > 0 {
			name := d.ID
			if name == "" {
				name = d.Path
			}
			problems = append(problems, tool.Problem{Name: name, Err: problemOf(errs)})
		} else if d.tool != nil {
			tools = append(tools, d.tool)
		}
	}
	return tools, problems
}

// problemOf returns the problems of a file as one error, each mistake with its place.
func problemOf(ps trail.Problems) error {
	var lines []string
	for _, p := range ps.Errors() {
		line := fmt.Sprintf("%s:%d:%d: ", p.Path, p.Pos.Line, p.Pos.Col)
		if p.Key != "" {
			line += p.Key + ": "
		}
		line += p.Message
		if p.Hint != "" {
			line += " (" + p.Hint + ")"
		}
		lines = append(lines, line)
	}
	return fault.New(fault.Invalid, "", "%s", strings.Join(lines, "\n"))
}

// name puts a definition where others find it, if its name may be used.
func (l *linker) name(d *linked) {
	if d.ID == "" {
		return
	}
	_, builtIn := l.builtIn.Get(d.ID)
	first := l.defs[d.ID]
	if class, ok := d.Body.(Class); ok && builtIn && (class.Name == d.ID || strings.Contains(class.Name, ".")) {
		d.state = done // the file only says that the product has the tool; upstream names a class of its own
		return
	}
	switch err := tool.ValidCustomName(d.ID); {
	case first != nil:
		d.doc.Errorf(d.Pos, "id", "Give one of them another id.", "the id %q is taken by %s:%d", d.ID, first.Path,
			first.Pos.Line)
	case builtIn:
		d.doc.Errorf(d.Pos, "id", "Put your team or app first, for example "+quoted("shop_"+d.ID)+".",
			"the id %q is that of a built-in tool", d.ID)
	case err != nil:
		text := strings.TrimPrefix(err.Error(), "check tool name: ")
		d.doc.Errorf(d.Pos, "id", fault.HintOf(err), "%s", text)
	default:
		l.defs[d.ID] = d
		return
	}
	d.state = done
}

func quoted(s string) string { return `"` + s + `"` }

// link makes the tool of one definition, and of those that it calls before.
func (l *linker) link(d *linked) {
	if d.state != untouched {
		return
	}
	d.state, l.way = open, append(l.way, d)
	defer func() { d.state, l.way = done, l.way[:len(l.way)-1] }()
	switch b := d.Body.(type) {
	case Class:
		l.class(d, b)
	case Inline:
		l.inline(d, b)
	case Script:
		l.script(d, b)
	}
}

func (l *linker) class(d *linked, c Class) {
	t, ok := l.builtIn.Get(c.Name)
	if !ok {
		hint := "trailblaze toolbox lists the registered tools."
		if near := l.builtIn.Near(lastWord(c.Name)); len(near) > 0 {
			hint = "Did you mean " + strings.Join(near[:min(3, len(near))], " or ") + "?"
		}
		d.doc.Errorf(c.Pos, "class", hint, "there is no registered tool %q", c.Name)
		return
	}
	spec := *t.Spec()
	spec.Name, spec.Title = d.ID, ""
	spec.Categories, spec.Default, spec.Replaces, spec.Purpose, spec.Groups = nil, 0, "", "", nil
	if d.Flags.ExposedToLLM != nil {
		spec.ExposedToLLM = *d.Flags.ExposedToLLM
	}
	if d.Flags.Recordable != nil {
		spec.Recordable = *d.Flags.Recordable
	}
	l.identify(d, &spec, nil)
	d.spec, d.tool = spec, &alias{Tool: t, spec: spec}
}

// lastWord is the simple name of a class as upstream writes it: xyz.block.EraseTextTrailblazeTool is EraseText.
func lastWord(class string) string {
	if i := strings.LastIndexByte(class, '.'); i >= 0 {
		class = class[i+1:]
	}
	return strings.TrimSuffix(strings.TrimSuffix(class, "Tool"), "Trailblaze")
}

// script makes a tool of source. It is compiled by another maker, which also finds the mistakes in it.
func (l *linker) script(d *linked, b Script) {
	if b.Source == "" {
		return // told by Parse
	}
	if l.compile == nil {
		d.doc.Errorf(b.Pos, "script", "Write it as calls under tools:.", "source is not run here")
		return
	}
	spec := tool.Spec{
		Name: d.ID, Description: d.Description, Kind: tool.Action, Input: tool.Fixed(d.Schema()),
		Recordable: true, ExposedToLLM: true,
	}
	if d.Asserts {
		spec.Kind = tool.Assertion
	}
	d.Flags.Apply(&spec)
	l.identify(d, &spec, nil)
	t, err := l.compile(source.Script{Spec: &spec, Path: d.Path, Line: b.Line, Source: b.Source})
	if err != nil {
		at, text := d.mistakeIn(b, err.Error())
		d.doc.Errorf(at, "script.source", fault.HintOf(err), "%s", text)
		return
	}
	d.spec, d.tool = spec, t
}

var placed = regex.Lazy(`^:(\d+):(\d+): `)

// mistakeIn returns the place of a mistake in a script, in the file, and its text. The compiler of the script names
// the line of the file, and the column without the indentation of the block.
func (d *linked) mistakeIn(b Script, text string) (trail.Pos, string) {
	rest, ours := strings.CutPrefix(text, d.Path)
	m := placed().FindStringSubmatch(rest)
	if !ours || m == nil {
		return b.Pos, text
	}
	at := trail.Pos{}
	at.Line, _ = strconv.Atoi(m[1])
	at.Col, _ = strconv.Atoi(m[2])
	file, source := strings.Split(string(d.Source), "\n"), strings.Split(b.Source, "\n")
	if i := at.Line - b.Line; i >= 0 && i < len(source) && at.Line <= len(file) {
		at.Col += max(strings.Index(file[at.Line-1], source[i]), 0)
	}
	return at, rest[len(m[0]):]
}

// identify sets the origin and the identity of a tool. called are the hashes of the tools of this source that it
// calls: it is another tool when one of them is.
func (l *linker) identify(d *linked, s *tool.Spec, called []string) {
	s.Origin = fmt.Sprintf("%s:%d", d.Path, d.Pos.Line)
	sum := sha256.Sum256([]byte(strings.Join(append([]string{string(d.Source)}, called...), "\x00")))
	s.Target = d.target
	s.Hash = hex.EncodeToString(sum[:8])
	if d.Category != "" {
		s.Categories = []string{d.Category}
	}
	for _, p := range d.Platforms {
		if !slices.Contains(s.Platforms, driver.Platform(p)) {
			s.Platforms = append(s.Platforms, driver.Platform(p))
		}
	}
}

func (l *linker) inline(d *linked, b Inline) {
	t := &inline{names: d.names()}
	var all calls
	for _, c := range b.Calls {
		if spec := l.add(d, c, &all); spec != nil {
			t.calls, t.specs = append(t.calls, c.Call), append(t.specs, spec)
		}
	}
	specs := all.specs
	t.refs = all.refs
	d.depth++
	if d.depth >= maxDepth {
		d.doc.Errorf(d.Pos, "tools", "Flatten the chain of tools.", "its calls are nested %d deep, and at most %d are made",
			d.depth+1, maxDepth)
	}
	t.spec = d.facts(specs, all.calls)
	if len(t.spec.Platforms) == 0 && len(d.Platforms) == 0 &&
		slices.ContainsFunc(specs, func(s *tool.Spec) bool { return len(s.Platforms) > 0 }) {
		d.doc.Errorf(d.Pos, "tools", "Make a tool for each platform.",
			"its calls are for different platforms, so it could run on none")
	}
	l.identify(d, &t.spec, all.hashes)
	d.spec, d.tool = t.spec, t
}

// calls are those of a tool's body together with the calls that they hold in their arguments.
type calls struct {
	calls  []trail.DocumentCall
	specs  []*tool.Spec // of their tools
	hashes []string
	refs   []string // parameters whose value names an element
}

// add checks a call and those that it holds, and returns the spec of its tool; nil: there is none. A call that holds
// others is what they are.
func (l *linker) add(d *linked, c trail.DocumentCall, all *calls) *tool.Spec {
	spec, known := l.called(d, c)
	if spec == nil && known {
		spec = &tool.Spec{Kind: tool.Action} // it may do anything
	}
	if spec == nil {
		return nil
	}
	held := spec.Holds(c.Call.Args)
	if len(held) == 0 {
		all.calls, all.specs = append(all.calls, c), append(all.specs, spec)
	}
	if spec.Hash != "" {
		all.hashes = append(all.hashes, spec.Hash)
	}
	if spec.Input != nil && spec.Input.Get().Properties[refArg] != nil {
		all.refs = append(all.refs, d.reads(c.Args.Get(refArg))...)
	}
	for _, h := range held {
		inner := place(c, h)
		if s := l.add(d, inner, all); s != nil && h.Decides && s.Kind == tool.Action {
			d.doc.Errorf(inner.Pos, inner.Field, "Name a query or an assertion.", "%s acts, so it cannot decide", h.Name)
		}
	}
	return spec
}

// place returns the place of a call that another one holds.
func place(c trail.DocumentCall, h tool.Held) trail.DocumentCall {
	inner := trail.DocumentCall{Recorded: trail.Recorded{Call: h.Call, Pos: c.Pos}, Field: c.Field}
	if h.At != "" {
		inner.Args = c.Args.At(steps(h.At)...)
		inner.Pos, inner.Field = inner.Args.Pos(), c.Field+"."+h.At
	}
	return inner
}

// steps are the keys and the indexes of a path such as "tools[0].web_click".
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// refArg is the argument that names an element.
const refArg = "ref"

// reads are the parameters whose value goes into a text.
func (d *Definition) reads(v trail.Value) []string {
	if v.Zero() {
		return nil
	}
	text, _ := v.Text()
	var out []string
	for _, t := range memory.TokensIn(text) {
		if name, _ := t.Param(); slices.Contains(d.names(), name) {
			out = append(out, name)
		}
	}
	return out
}

// called finds the tool of a call and checks the call against it. known without a spec is a tool of another source.
func (l *linker) called(d *linked, c trail.DocumentCall) (spec *tool.Spec, known bool) {
	if t, ok := l.builtIn.Get(c.Name); ok {
		var mistake func(json.RawMessage) error
		if m, ok := t.(mistaken); ok {
			mistake = m.Mistake
		}
		d.Definition.call(c, t.Spec(), mistake)
		return t.Spec(), true
	}
	other := l.defs[c.Name]
	if other == nil {
		if spec, ok := l.ofDaemon(c.Name); ok {
			d.Definition.call(c, spec, nil)
			return spec, true
		}
		if l.elsewhere && tool.ValidCustomName(c.Name) == nil {
			return nil, true
		}
		hint := "trailblaze toolbox lists the tools."
		if near := argument.Near(c.Name, l.names(), 3); len(near) > 0 {
			hint = "Did you mean " + strings.Join(near, " or ") + "?"
		}
		d.doc.Errorf(c.Pos, c.Field, hint, "there is no tool %q", c.Name)
		return nil, false
	}
	if other.state == open {
		d.doc.Errorf(c.Pos, c.Field, "One of them must stop calling the other.", "%s calls itself: %s", other.ID,
			l.circle(other))
		return nil, false
	}
	l.link(other)
	if other.tool == nil || len(other.doc.Problems().Errors()) > 0 {
		d.doc.Errorf(c.Pos, c.Field, "Mend "+other.Path+" first.", "%s cannot be called: its file %s has mistakes", other.ID,
			other.Path)
		return nil, false
	}
	d.depth = max(d.depth, other.depth)
	d.Definition.call(c, other.tool.Spec(), nil)
	return other.tool.Spec(), true
}

// ofDaemon finds a tool that is there in a daemon alone.
func (l *linker) ofDaemon(name string) (*tool.Spec, bool) {
	if l.daemon == nil {
		return nil, false
	}
	return l.daemon(name)
}

// circle names the tools that are being linked, from one to itself.
func (l *linker) circle(from *linked) string {
	var way []string
	for _, d := range l.way[slices.Index(l.way, from):] {
		way = append(way, d.ID)
	}
	return strings.Join(append(way, from.ID), " → ")
}

func (l *linker) names() []string {
	out := l.builtIn.Names()
	for name := range l.defs {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
