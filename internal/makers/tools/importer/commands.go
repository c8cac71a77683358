package importer

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// command translates a call on a page, an element or an expectation. was is the element that the command before it
// clicked.
func (t *translator) command(v *value, was *element, source string) error {
	root := v
	for root.on != nil && root.on.shape != name {
		root = root.on
	}
	if root.text == "expect" && root.on == nil {
		return t.expectation(v)
	}
	if v.on == nil {
		return unequal("%s is a function of its own", v.text)
	}
	if v.on.shape == name && t.vars[v.on.text].chooser != nil && v.text == "setFiles" {
		return t.upload(t.vars[v.on.text].chooser, v, v.args)
	}
	if v.on.shape == name && t.isPage(v.on.text) {
		t.on(v.on.text, v.pos)
		return t.pageCommand(v, was)
	}
	if v.on.shape == member && v.on.on != nil && v.on.on.shape == name && t.isPage(v.on.on.text) {
		t.on(v.on.on.text, v.pos)
		return t.inputCommand(v)
	}
	e, err := t.locate(v.on)
	if err != nil {
		return err
	}
	if e.sel == nil {
		return unequal("%s has no equal", v.text)
	}
	t.on(e.page, v.pos)
	return t.elementCommand(e, v, v.args, was)
}

// ofElements are the methods of a page that take the selector of an element first.
var ofElements = []string{"click", "dblclick", "fill", "type", "press", "check", "uncheck", "selectOption",
	"setInputFiles", "hover", "waitForSelector", "tap"}

// pageCommand translates a method of a page.
func (t *translator) pageCommand(v *value, was *element) error {
	navigate := func(action string) error {
		t.add(v.pos, "", made{tool: "web_navigate", args: map[string]any{"action": action}})
		return nil
	}
	switch v.text {
	case "goto":
		url, ok := t.text(v.args, 0)
		if !ok {
			return unequal("the address is computed")
		}
		if !strings.Contains(url, ":") {
			url = t.address(url, v.pos)
		}
		t.add(v.pos, "", made{tool: "web_navigate", args: map[string]any{"url": url}})
		return nil
	case "goBack":
		return navigate("BACK")
	case "goForward":
		return navigate("FORWARD")
	case "reload":
		return navigate("RELOAD")
	case "waitForLoadState", "waitForNavigation", "bringToFront", "pause", "setDefaultTimeout":
		return nil // a step is over when the page has arrived
	case "waitForTimeout":
		ms, ok := arg(v.args, 0).int()
		if !ok || ms > 30_000 {
			return unequal("it waits for a computed time, or for more than 30 s")
		}
		seconds := max(1, int(math.Ceil(float64(ms)/1000)))
		t.add(v.pos, "", made{tool: "web_wait", args: map[string]any{"seconds": seconds}})
		return nil
	case "waitForURL", "waitForUrl":
		return t.url(v)
	case "setViewportSize":
		t.flow.Commands--
		t.resize(arg(v.args, 0))
		return nil
	case "close":
		return t.close(v)
	}
	if slices.Contains(ofElements, v.text) && len(v.args) > 0 {
		e, err := t.css(&element{page: v.on.text}, &value{args: v.args[:1]}, v.args[0])
		if err != nil {
			return err
		}
		return t.elementCommand(e, v, v.args[1:], was)
	}
	return unequal("page.%s has no equal in a trail", v.text)
}

// address is the whole address of a path: it is of the site that the file names, else of the one that a run is given.
func (t *translator) address(path string, pos trail.Pos) string {
	base := t.base
	if base == "" {
		t.note(pos, "goto", path+" is of the site that is given by run --base-url")
		base = "{{baseUrl}}"
	}
	return strings.TrimSuffix(base, "/") + "/" + strings.TrimPrefix(path, "/")
}

// close closes a tab, but not the last one: a run does that.
func (t *translator) close(v *value) error {
	if len(t.pages) < 2 {
		return nil
	}
	t.add(v.pos, "", made{tool: "web_closeTab"})
	i := slices.Index(t.pages, v.on.text)
	t.pages = slices.Delete(slices.Clone(t.pages), i, i+1)
	t.current = t.pages[max(i-1, 0)]
	return nil
}

// inputCommand translates page.keyboard and page.mouse.
func (t *translator) inputCommand(v *value) error {
	key, ok := t.text(v.args, 0)
	switch {
	case v.on.text == "keyboard" && v.text == "press" && ok:
		t.add(v.pos, "", made{tool: "web_pressKey", args: map[string]any{"key": key}})
		return nil
	case v.on.text == "keyboard" && (v.text == "type" || v.text == "insertText") && ok:
		t.add(v.pos, "", made{tool: "web_type", args: map[string]any{"text": key, "clearFirst": false}})
		return nil
	}
	return unequal("page.%s.%s has no equal: name the element", v.on.text, v.text)
}

func arg(args []*value, i int) *value {
	if i >= len(args) {
		return nil
	}
	return args[i]
}

// text is an argument as a text, also of a variable that holds one.
func (t *translator) text(args []*value, i int) (string, bool) {
	v := arg(args, i)
	if v != nil && v.shape == name {
		v = t.vars[v.text].literal
	}
	return v.str()
}

// texts is an argument as a list of texts; one text is a list of one.
func (t *translator) texts(args []*value, i int) (out []string, ok bool) {
	v := arg(args, i)
	if v == nil || v.shape != list {
		s, ok := t.text(args, i)
		return []string{s}, ok
	}
	for n := range v.args {
		s, ok := t.text(v.args, n)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// password are names of fields whose value belongs into no file.
var password = regex.Lazy(`(?i)passw|kennwort|mot de passe|contrase`)

// elementCommand translates an action on an element; args are those behind the selector.
func (t *translator) elementCommand(e *element, v *value, args []*value, was *element) error {
	act := func(called string, more map[string]any) error {
		if was != nil && was.same(e) && (called == "web_type" || called == "web_clear") {
			if n := len(t.flow.Trail.Steps); n > 0 { // the click only brought the focus, which the action takes itself
				t.flow.Trail.Steps = t.flow.Trail.Steps[:n-1]
			}
		}
		t.add(v.pos, "", made{tool: called, args: e.target(more), target: e.words})
		return nil
	}
	typed := func(more map[string]any) error {
		text, ok := t.text(args, 0)
		if !ok {
			return unequal("what is typed is computed")
		}
		if password().MatchString(e.words) && text != "" {
			text = "{{password}}"
			t.note(v.pos, v.text, "what is typed into "+e.words+" is kept out of the trail: give it with --secret password=…")
		}
		more["text"] = text
		return act("web_type", more)
	}
	if !slices.Contains([]string{"click", "dblclick", "tap", "selectOption", "setInputFiles"}, v.text) {
		if err := options(args, "force", "noWaitAfter", "delay", "state"); err != nil {
			return err
		}
	}
	switch v.text {
	case "click", "dblclick", "tap":
		more, err := clickArgs(v, args)
		if err != nil {
			return err
		}
		if err = act("web_click", more); len(more) == 1 {
			t.last = e
		}
		return err
	case "fill":
		if text, ok := t.text(args, 0); ok && text == "" {
			return act("web_clear", nil)
		}
		return typed(map[string]any{})
	case "clear":
		return act("web_clear", nil)
	case "type", "pressSequentially":
		return typed(map[string]any{"clearFirst": false})
	case "press":
		key, ok := t.text(args, 0)
		if !ok {
			return unequal("the key is computed")
		}
		return act("web_pressKey", map[string]any{"key": key})
	case "check":
		return act("web_setChecked", nil)
	case "uncheck":
		return act("web_setChecked", map[string]any{"checked": false})
	case "setChecked":
		if on := arg(args, 0); on != nil && on.data != nil {
			return act("web_setChecked", map[string]any{"checked": on.isTrue()})
		}
	case "selectOption":
		if values, ok := t.texts(args, 0); ok {
			return act("web_selectOption", map[string]any{"values": values})
		}
		return t.choose(args, act)
	case "setInputFiles":
		return t.upload(e, v, args)
	case "hover":
		return act("web_hover", nil)
	case "dragTo":
		to, err := t.locate(arg(args, 0))
		if err != nil {
			return err
		}
		return act("web_drag", map[string]any{"toNodeSelector": to.sel})
	case "waitFor", "waitForSelector":
		state, _ := v.field("state").str()
		switch state {
		case "", "visible":
			return act("waitUntilVisible", nil)
		case "hidden":
			return act("assertNotVisibleBySelector", nil)
		}
	case "scrollIntoViewIfNeeded":
		return nil // actions scroll by themselves
	}
	return unequal("%s has no equal, or not with these arguments", v.text)
}

// choose reads selectOption({ label: … }).
func (t *translator) choose(args []*value, act func(string, map[string]any) error) error {
	if len(args) == 1 && args[0].shape == object {
		for _, key := range []string{"label", "value"} {
			if s, ok := args[0].fields[key].str(); ok {
				return act("web_selectOption", map[string]any{"values": []string{s}})
			}
		}
	}
	return unequal("the option is computed")
}

func (t *translator) upload(e *element, v *value, args []*value) error {
	files, ok := t.texts(args, 0)
	if !ok || len(files) == 0 {
		return unequal("the files are computed")
	}
	t.note(v.pos, v.text, "put "+strings.Join(files, ", ")+" into the project: a page gets files of the workspace only")
	t.on(e.page, v.pos)
	t.add(v.pos, "", made{tool: "web_uploadFile", args: e.target(map[string]any{"paths": files}), target: e.words})
	return nil
}

// clickArgs reads the options of a click.
func clickArgs(v *value, args []*value) (map[string]any, error) {
	out := map[string]any{}
	if v.text == "dblclick" {
		out["count"] = 2
	}
	if len(args) == 0 || args[len(args)-1].shape != object {
		return out, nil
	}
	for key, f := range args[len(args)-1].fields {
		n, number := f.int()
		switch {
		case key == "button" && f.text != "":
			out["button"] = f.text
		case key == "clickCount" && number && n <= 3:
			out["count"] = n
		case key == "modifiers" && f.shape == list:
			var keys []string
			for _, k := range f.args {
				keys = append(keys, k.text)
			}
			out["modifiers"] = keys
		case key == "position" && f.shape == object:
			x, okX := f.fields["x"].int()
			y, okY := f.fields["y"].int()
			if !okX || !okY {
				return nil, unequal("the place of the click is computed")
			}
			out["position"] = map[string]any{"x": x, "y": y}
		case key == "timeout", key == "force", key == "noWaitAfter", key == "delay":
		default:
			return nil, unequal("the option %s of a click has no equal", key)
		}
	}
	return out, nil
}

// url translates a wait for, or an expectation of, the address of a page.
func (t *translator) url(v *value) error {
	want := arg(v.args, 0)
	pattern := ""
	switch {
	case want == nil:
		return unequal("the address is computed")
	case want.shape == regularExpression:
		if pattern = strings.ReplaceAll(want.text, `\/`, "/"); want.fold {
			pattern = "(?i)" + pattern
		}
	default:
		glob, ok := t.text(v.args, 0)
		if !ok {
			return unequal("the address is computed")
		}
		if v.text != "toHaveURL" && strings.ContainsAny(glob, "{[") {
			return unequal("the glob %s has more than stars", glob)
		}
		pattern = regexp.QuoteMeta(glob)
		if v.text != "toHaveURL" {
			pattern = strings.NewReplacer(`\*\*`, ".*", `\*`, "[^/]*").Replace(pattern)
		}
		if strings.HasPrefix(glob, "/") {
			pattern = cmp.Or(regexp.QuoteMeta(strings.TrimSuffix(t.base, "/")), "https?://[^/]*") + pattern
		}
		pattern = "^" + pattern + "$"
	}
	t.add(v.pos, "", made{tool: "web_waitForUrl", args: map[string]any{"pattern": pattern}})
	return nil
}

// expectation translates expect(…).not.toBeVisible() and its kin.
func (t *translator) expectation(v *value) error {
	on, not := v.on, strings.HasPrefix(v.text, "notTo")
	if on != nil && on.shape == member && on.text == "not" {
		on, not = on.on, true
	}
	matcher := v.text
	if rest, ok := strings.CutPrefix(matcher, "notTo"); ok {
		matcher = "to" + rest
	}
	if on == nil || on.shape != call || on.text != "expect" || len(on.args) == 0 {
		return unequal("expect.%s has no equal", v.text)
	}
	if of := on.args[0]; of.shape == name && t.isPage(of.text) {
		if matcher == "toHaveURL" || matcher == "toHaveUrl" {
			t.on(of.text, v.pos)
			return t.url(&value{text: "toHaveURL", args: v.args, pos: v.pos})
		}
		return unequal("a trail asserts the address of a page and what is on it, not %s", matcher)
	}
	e, err := t.locate(on.args[0])
	if err != nil {
		return err
	}
	if e.sel == nil {
		return unequal("expect of a page has no equal for %s", matcher)
	}
	t.on(e.page, v.pos)
	return t.assert(e, v, matcher, not)
}

// states are expectations of a state, with the CSS of the elements in it.
var states = map[string]string{
	"toBeChecked": `:is(:checked, [aria-checked="true"])`, "toBeDisabled": `:is(:disabled, [aria-disabled="true"])`,
	"toBeEnabled": `:not(:is(:disabled, [aria-disabled="true"]))`, "toBeFocused": ":focus", "toBeEditable": ":read-write",
}

// opposite are the expectations that say the same without a not.
var opposite = map[string]string{"toBeVisible": "toBeHidden", "toBeHidden": "toBeVisible",
	"toBeEnabled": "toBeDisabled", "toBeDisabled": "toBeEnabled"}

func (t *translator) assert(e *element, v *value, matcher string, not bool) error {
	if err := options(v.args); err != nil {
		return err
	}
	check := func(called string, more map[string]any) error {
		label := ""
		if want, ok := more["expected"].(string); ok {
			label = tool.Capital(e.words) + " shows " + cmp.Or(tool.Quote(want), "nothing")
		}
		t.add(v.pos, label, made{tool: called, args: e.target(more), target: e.words})
		return nil
	}
	if css, ok := states[matcher]; ok && matcher != "toBeEnabled" && not && matcher != "toBeDisabled" {
		return t.inState(e, v, ":not("+css+")", "not "+stateWord(matcher))
	}
	if not {
		if matcher = opposite[matcher]; matcher == "" {
			return unequal("the opposite of %s cannot be asserted", v.text)
		}
	}
	if css, ok := states[matcher]; ok {
		return t.inState(e, v, css, stateWord(matcher))
	}
	switch matcher {
	case "toBeVisible", "toBeAttached":
		return check("web_verifyElementVisible", nil)
	case "toBeHidden":
		return check("assertNotVisibleBySelector", nil)
	case "toContainText", "toHaveText":
		return t.showsText(e, v, matcher, check)
	case "toHaveValue":
		if want, ok := t.text(v.args, 0); ok {
			return check("web_verifyValue", map[string]any{"type": "VALUE", "expected": want})
		}
	case "toBeEmpty":
		return check("web_verifyValue", map[string]any{"type": "VALUE", "expected": ""})
	case "toHaveAttribute":
		attribute, okA := t.text(v.args, 0)
		if want, ok := t.text(v.args, 1); ok && okA {
			return check("web_verifyValue", map[string]any{"type": "ATTRIBUTE", "attribute": attribute, "expected": want})
		}
	case "toHaveCount":
		return t.count(e, v)
	}
	return unequal("%s cannot be asserted, or not with these arguments", matcher)
}

// inState asserts that an element is in a state.
func (t *translator) inState(e *element, v *value, css, words string) error {
	if e.counted() {
		return unequal("the state of an element that is found by its number cannot be asserted")
	}
	in := e.with(func(w *screen.WebMatch) { w.CSSSelector += css })
	t.add(v.pos, "", made{tool: "web_verifyElementVisible", args: in.target(nil), target: e.words})
	step := &t.flow.Trail.Steps[len(t.flow.Trail.Steps)-1]
	step.Text = strings.TrimSuffix(step.Text, "visible") + words
	return nil
}

func stateWord(matcher string) string { return strings.ToLower(strings.TrimPrefix(matcher, "toBe")) }

func (t *translator) showsText(e *element, v *value, matcher string, check func(string, map[string]any) error) error {
	want := arg(v.args, 0)
	if want != nil && want.shape == list {
		return unequal("the texts of a list, in their order and number, cannot be asserted at once")
	}
	if want != nil && want.shape == regularExpression {
		return check("assertVisible", map[string]any{"expectedText": wholePattern(want.text, want.fold),
			"textMatchMode": "REGEX"})
	}
	text, ok := t.text(v.args, 0)
	switch {
	case !ok:
		return unequal("the text is computed")
	case strings.TrimSpace(text) == "":
		return unequal("that there is no text cannot be asserted")
	case matcher == "toHaveText":
		return check("assertVisible", map[string]any{"expectedText": text})
	}
	return check("web_verifyValue", map[string]any{"expected": text})
}

// count asserts how many elements there are.
func (t *translator) count(e *element, v *value) error {
	n, ok := arg(v.args, 0).int()
	if !ok || e.counted() {
		return unequal("the number is computed")
	}
	var calls []made
	if n > 0 {
		calls = append(calls, made{tool: "web_verifyElementVisible", args: e.nth(n - 1).target(nil), target: e.words})
	}
	calls = append(calls, made{tool: "assertNotVisibleBySelector", args: e.nth(n).target(nil), target: e.words})
	t.add(v.pos, "There are "+arg(v.args, 0).text+" of "+e.words, calls...)
	return nil
}
