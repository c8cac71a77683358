package importer

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Playwright reads the tests of a file in TypeScript, JavaScript or Python: a flow each. A file without tests, as
// codegen writes it for the library alone, is one flow.
func Playwright(file, source string, o Options) []*Flow {
	python := strings.HasSuffix(file, ".py")
	p := &parser{toks: lex(source, python), python: python}
	f := &fileReader{source: source, o: o, python: python}
	f.top(p.statements(), "")
	base := path.Base(file)
	base, _, _ = strings.Cut(base, ".")
	if len(f.flows) == 0 {
		b := f.translator(base)
		b.statements((&parser{toks: p.toks, python: python}).statements())
		if b.flow.Imported() > 0 {
			f.flows = append(f.flows, b.flow)
		}
	}
	for _, flow := range f.flows {
		for _, pos := range f.around {
			flow.Notes = append(flow.Notes, Left{Pos: pos, Command: "hook",
				Reason: "what runs after tests or once for all of them is not imported"})
		}
		if len(f.flows) == 1 && slices.Contains([]string{"test", "test_example", "run"}, flow.Title) { // codegen's own names
			flow.Title = base
			flow.Trail.Config.Title = base
		}
	}
	return f.flows
}

// fileReader finds the tests of a file.
type fileReader struct {
	source string
	python bool
	o      Options
	flows  []*Flow
	before [][]token          // what beforeEach does
	uses   []*value           // of test.use
	around []trail.Pos        // where afterEach, beforeAll and afterAll stand, which no trail has
	vars   map[string]binding // constants of the file
}

// modifiers are words between test and its name that change nothing of what it does.
var modifiers = map[string]bool{"only": true, "fixme": true, "skip": true, "slow": true, "fail": true}

func (f *fileReader) top(all []statement, prefix string) {
	for _, s := range all {
		v := s.value
		switch {
		case v == nil:
		case f.python && v.shape == function &&
			(strings.HasPrefix(s.target, "test_") || s.target == "run" || s.target == "main"):
			f.test(s.target, v.code)
		case v.shape == literal && s.target != "":
			if f.vars == nil {
				f.vars = map[string]binding{}
			}
			f.vars[s.target] = binding{literal: v}
		case v.shape == function && v.text != "def" && s.target == "": // (async () => { … })()
			f.test("run", v.code)
		case v.shape == call:
			f.called(v, prefix)
		}
	}
}

// called reads a call at the top of a file: test("name", …) and what belongs to it.
func (f *fileReader) called(v *value, prefix string) {
	root := v
	for root.on != nil {
		root = root.on
	}
	if root.text != "test" && root.text != "it" && root.text != "setup" || len(v.args) == 0 {
		return
	}
	last := v.args[len(v.args)-1]
	title, named := v.args[0].str()
	switch {
	case v.text == "use" && last.shape == object:
		f.uses = append(f.uses, last)
	case v.text == "beforeEach" && last.shape == function:
		f.before = append(f.before, last.code)
	case (v.text == "describe" || v.on != nil && v.on.text == "describe") && last.shape == function:
		inner := &parser{toks: append(slices.Clone(last.code), token{kind: end}), python: f.python}
		before, uses := len(f.before), len(f.uses)
		f.top(inner.statements(), strings.TrimSpace(prefix+" "+title))
		f.before, f.uses = f.before[:before:before], f.uses[:uses:uses]
	case last.shape == function && (v.text == "afterEach" || v.text == "beforeAll" || v.text == "afterAll"):
		f.around = append(f.around, trail.Pos{Line: v.pos.Line, Col: v.pos.Col})
	case last.shape == function && named && (v.on == nil || modifiers[v.text]):
		f.test(strings.TrimSpace(prefix+" "+title), last.code)
		if flow := f.flows[len(f.flows)-1]; v.on != nil && v.text != "only" && v.text != "slow" {
			flow.Notes = append(flow.Notes, Left{Pos: v.pos, Command: "test." + v.text,
				Reason: "it is marked " + v.text + ": the trail runs"})
		}
	}
}

// test reads the function of a test.
func (f *fileReader) test(title string, code []token) {
	b := f.translator(title)
	for _, use := range f.uses {
		b.use(use)
	}
	for _, before := range f.before {
		b.run(before)
	}
	b.run(code)
	f.flows = append(f.flows, b.flow)
}

func (f *fileReader) translator(title string) *translator {
	t := &translator{builder: newBuilder(f.o, driver.WebPlatform, title), source: f.source, python: f.python,
		vars: map[string]binding{}, pages: []string{"page"}, current: "page"}
	maps.Copy(t.vars, f.vars)
	return t
}

// binding is what a variable stands for.
type binding struct {
	element *element
	literal *value
	event   string // the event that it waits for: popup, download, filechooser
	chooser *element
}

// translator makes calls of the statements of a test.
type translator struct {
	*builder
	source  string
	python  bool
	vars    map[string]binding
	pages   []string // variables of the pages that are open, in their order
	current string   // the one that acts
	context bool     // the context has its first page
	base    string   // address of the site that the file names
	last    *element // of the last click, which the step after it may make needless
}

func (t *translator) isPage(name string) bool { return slices.Contains(t.pages, name) }

func (t *translator) run(code []token) {
	toks := append(slices.Clone(code), token{kind: newline}, token{kind: end})
	t.statements((&parser{toks: toks, python: t.python}).statements())
}

func (t *translator) statements(all []statement) {
	for i, s := range all {
		text := t.source[s.first.from:max(s.first.from, min(t.endOf(all, i), len(t.source)))]
		text = strings.TrimSuffix(strings.TrimSpace(text), ";")
		switch {
		case s.control != "":
			t.flow.Commands++
			t.leave(s.first.pos, s.control, text, "a trail has no control flow in code; use when and repeat")
			t.last = nil
		case s.value != nil:
			t.statement(s, text)
		}
	}
}

// endOf is where a statement ends in the source.
func (t *translator) endOf(all []statement, i int) int {
	if last := all[i].last; last.from > 0 || last.kind != end {
		if last.kind != end || last.from > 0 {
			return max(last.from, all[i].first.to)
		}
	}
	return all[i].first.to
}

// use reads test.use({ … }).
func (t *translator) use(v *value) {
	for key, f := range v.fields {
		switch key {
		case "viewport":
			t.resize(f)
		case "headless", "trace", "video", "screenshot":
		case "baseURL":
			t.base, _ = f.str()
		default:
			t.flow.Commands++
			t.leave(v.pos, "test.use", key, "test.use({"+key+"}) has no equal in a trail")
		}
	}
}

func (t *translator) resize(v *value) {
	if v == nil || v.shape != object {
		return
	}
	w, okW := v.fields["width"].int()
	h, okH := v.fields["height"].int()
	if t.flow.Commands++; !okW || !okH {
		t.leave(v.pos, "viewport", "", "the size of the viewport is computed")
		return
	}
	t.add(v.pos, "", made{tool: "web_resize", args: map[string]any{"width": w, "height": h}})
}

// setup are methods of what is around a page, which a run does by itself.
var setup = []string{"launch", "newContext", "close", "launchPersistentContext", "require", "syncPlaywright",
	"asyncPlaywright", "run", "log", "print", "sync_playwright", "async_playwright", "main", "stop", "start",
	"setDefaultTimeout", "setDefaultNavigationTimeout", "tracing", "extend"}

// statement translates one.
func (t *translator) statement(s statement, source string) {
	v := s.value
	if v.shape == literal && s.target != "" {
		t.vars[s.target] = binding{literal: v}
		return
	}
	if v.shape == name && s.target != "" || v.shape == member && v.text == "value" {
		of := v
		if v.shape == member && v.on != nil {
			of = v.on
		}
		if b, ok := t.vars[of.text]; ok && b.event != "" {
			t.arrived(s, b, v.pos)
			return
		}
	}
	if v.shape == call && (t.prepares(s, v) || t.gathers(s, v, source)) {
		return
	}
	if v.shape == call && s.target != "" && len(t.pages) > 0 {
		if e, err := t.locate(v); err == nil && e.sel != nil {
			t.vars[s.target] = binding{element: e}
			return
		}
	}
	if v.shape == function {
		return
	}
	t.flow.Commands++
	if s.target != "" && v.shape != call || v.shape != call {
		t.leave(v.pos, "code", source, "it is code that no recorder writes")
		t.last = nil
		return
	}
	was := t.last
	t.last = nil
	if err := t.command(v, was, source); err != nil {
		t.leave(v.pos, v.text, source, err.Error())
	}
}

// prepares reads a call that makes no step: of the browser, and one that begins to wait for an event.
func (t *translator) prepares(s statement, v *value) bool {
	root := v
	for root.on != nil {
		root = root.on
	}
	event, waits := strings.CutPrefix(v.text, "expect")
	if event = strings.ToLower(event); v.text == "waitForEvent" && len(v.args) > 0 {
		event, waits = v.args[0].text, true
	}
	switch {
	case waits && t.onPage(v.on) && slices.Contains([]string{"popup", "download", "filechooser", "page"}, event):
		t.vars[s.target] = binding{event: strings.Replace(event, "page", "popup", 1)}
		return true
	case v.text == "newPage":
		if t.context {
			t.flow.Commands++
			t.open(s.target, v)
		} else if t.context = true; s.target != "" {
			t.pages, t.current = []string{s.target}, s.target
		}
		return true
	case slices.Contains([]string{"once", "on", "addListener"}, v.text) && len(v.args) > 1 &&
		v.args[0].text == "dialog" && t.onPage(v.on):
		t.dialog(v)
		return true
	}
	ofPage := v.on != nil && v.on.shape == name && t.isPage(v.on.text)
	return slices.Contains(setup, v.text) && !ofPage || root.text == "console"
}

// gathers reads a call that holds others: test.step("name", …) and Promise.all([…]).
func (t *translator) gathers(s statement, v *value, source string) bool {
	if v.on == nil || v.on.shape != name || len(v.args) == 0 {
		return false
	}
	switch last := v.args[len(v.args)-1]; {
	case v.on.text == "test" && v.text == "step" && last.shape == function:
		t.run(last.code)
		return true
	case v.on.text == "Promise" && v.text == "all" && last.shape == list:
		for _, inner := range last.args {
			if inner.shape == call {
				t.statement(statement{target: s.target, value: inner}, source)
			}
		}
		if b := t.vars[s.target]; b.event != "" {
			t.arrived(s, b, v.pos)
		}
		return true
	}
	return false
}

// onPage reports whether a value is the variable of a page, or its context.
func (t *translator) onPage(v *value) bool {
	return v != nil && (v.shape == name && t.isPage(v.text) || (v.shape == name || v.shape == call) && v.text == "context")
}

func (t *translator) open(variable string, v *value) {
	if variable == "" {
		variable = fmt.Sprintf("page%d", len(t.pages))
	}
	t.pages, t.current = append(t.pages, variable), variable
	t.add(v.pos, "", made{tool: "web_newTab"})
}

// arrived reads a variable that gets what was waited for.
func (t *translator) arrived(s statement, b binding, pos trail.Pos) {
	switch b.event {
	case "popup":
		t.pages = append(t.pages, s.target)
	case "download":
		t.flow.Commands++
		t.add(pos, "", made{tool: "web_waitForDownload"})
	case "filechooser":
		t.vars[s.target] = binding{chooser: t.last}
		if n := len(t.flow.Trail.Steps); t.last != nil && n > 0 {
			t.flow.Trail.Steps = t.flow.Trail.Steps[:n-1] // giving the files opens the chooser again
		}
	}
	t.last = nil
}

// dialog reads how dialogs are answered.
func (t *translator) dialog(v *value) {
	t.flow.Commands++
	args := map[string]any{}
	if v.text == "once" {
		args["once"] = true
	}
	for i, tok := range v.args[1].code {
		if tok.kind != word || tok.value != "dismiss" && tok.value != "accept" {
			continue
		}
		rest := v.args[1].code[i+1:]
		answers := len(rest) > 1 && rest[1].kind == text && !rest[1].computed
		if args["policy"] != nil || len(rest) > 1 && !answers && rest[1].value != ")" {
			args["policy"] = nil // it depends
			break
		}
		args["policy"] = tok.value
		if answers {
			args["answer"] = rest[1].value
		}
	}
	if args["policy"] == nil {
		t.leave(v.pos, v.text, "", "what it does with a dialog is neither accept nor dismiss")
		return
	}
	t.add(v.pos, fmt.Sprintf("Answer the next dialog: %s", args["policy"]), made{tool: "web_setDialogPolicy", args: args})
}

// on brings the page to the front that a command is on.
func (t *translator) on(variable string, pos trail.Pos) {
	if variable == t.current || !t.isPage(variable) {
		return
	}
	t.current, t.last = variable, nil
	t.add(pos, "", made{tool: "web_switchTab", args: map[string]any{"index": slices.Index(t.pages, variable)}})
}
