package importer

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// element is what a locator of Playwright names, as a selector of ours.
type element struct {
	page  string // the variable of its page
	sel   *screen.Selector
	words string // for sentences
	frame bool   // sel is the frame that the next locator looks in
}

// target adds the element to the arguments of a call.
func (e *element) target(args map[string]any) map[string]any {
	if args == nil {
		args = map[string]any{}
	}
	args["nodeSelector"] = e.sel
	return args
}

// same reports whether two locators are the same.
func (e *element) same(o *element) bool {
	a, errA := json.Marshal(e.sel)
	b, errB := json.Marshal(o.sel)
	return errA == nil && errB == nil && e.page == o.page && string(a) == string(b)
}

// in is a locator within e.
func (e *element) in(block screen.WebMatch, words string) *element {
	return &element{page: e.page, sel: &screen.Selector{Web: &block, ChildOf: e.sel}, words: words}
}

// with is e with a change to the block of its selector.
func (e *element) with(change func(*screen.WebMatch)) *element {
	out, sel, web := *e, *e.sel, screen.WebMatch{}
	if sel.Web != nil {
		web = *sel.Web
	}
	change(&web)
	sel.Web = &web
	out.sel = &sel
	return &out
}

// locate reads a locator: a page, or a chain of methods on one.
func (t *translator) locate(v *value) (*element, error) {
	switch {
	case v == nil:
		return nil, unequal("it names no element")
	case v.shape == name:
		if e := t.vars[v.text].element; e != nil {
			return e, nil
		}
		if t.isPage(v.text) {
			return &element{page: v.text}, nil
		}
		return nil, unequal("%s is computed elsewhere", v.text)
	case v.shape == member && v.text == "contentFrame", v.shape == member && v.text == "owner":
		return t.frame(v)
	case v.shape == member && (v.text == "first" || v.text == "last"): // Python
		return t.locator(&value{shape: call, text: v.text, on: v.on, pos: v.pos})
	case v.shape != call || v.on == nil:
		return nil, unequal("its element is computed")
	}
	return t.locator(v)
}

func (t *translator) frame(v *value) (*element, error) {
	e, err := t.locate(v.on)
	if err != nil {
		return nil, err
	}
	if e.sel == nil || v.text == "owner" {
		return nil, unequal("it names no frame")
	}
	out := *e
	out.frame = true
	return &out, nil
}

// roles are words for roles that people do not use.
var roles = map[string]string{"textbox": "field", "combobox": "list", "img": "picture", "menuitem": "menu item",
	"listitem": "item", "gridcell": "cell", "spinbutton": "number field", "searchbox": "search field"}

// optionsOf are the options of the methods that name elements.
var optionsOf = map[string][]string{
	"getByRole": {"name", "exact", "checked", "pressed", "selected", "expanded", "disabled", "level"},
	"getByText": {"exact"}, "getByLabel": {"exact"}, "getByPlaceholder": {"exact"}, "getByAltText": {"exact"},
	"getByTitle": {"exact"},
}

// locator reads one method of a locator.
func (t *translator) locator(v *value) (*element, error) {
	if v.text == "contentFrame" {
		return t.frame(v)
	}
	base, err := t.locate(v.on)
	if err != nil {
		return nil, err
	}
	if known, ok := optionsOf[v.text]; ok {
		if err := options(v.args, known...); err != nil {
			return nil, err
		}
	}
	exact := v.field("exact").isTrue()
	var first *value
	if len(v.args) > 0 {
		first = v.args[0]
	}
	switch v.text {
	case "getByRole":
		return t.byRole(base, v, first, exact)
	case "getByText":
		return byPattern(base, first, exact, func(w *screen.WebMatch, like string) { w.OwnTextRegex = like })
	case "getByLabel":
		return byPattern(base, first, exact, func(w *screen.WebMatch, like string) {
			w.AriaNameRegex, w.CSSSelector = like, labelled
		})
	case "getByPlaceholder":
		return byAttribute(base, first, exact, "placeholder")
	case "getByAltText":
		return byAttribute(base, first, exact, "alt")
	case "getByTitle":
		return byAttribute(base, first, exact, "title")
	case "getByTestId":
		id, ok := first.str()
		if !ok {
			return nil, unequal("its test id is a pattern or computed")
		}
		return base.in(screen.WebMatch{DataTestID: id}, "the element "+id), nil
	case "locator", "frameLocator":
		e, err := t.css(base, v, first)
		if err == nil && v.text == "frameLocator" {
			e.frame = true
		}
		return e, err
	}
	return narrow(t, base, v, first)
}

// narrow reads a method that chooses among the matches of a locator.
func narrow(t *translator, base *element, v, first *value) (*element, error) {
	if base.sel == nil {
		return nil, unequal("%s has no equal", v.text)
	}
	switch v.text {
	case "first":
		return base.nth(0), nil
	case "nth":
		if n, ok := first.int(); ok && n >= 0 {
			return base.nth(n), nil
		}
		return nil, unequal("elements are counted from the first, not from the last")
	case "last":
		return nil, unequal("elements are counted from the first, not from the last")
	case "filter":
		if base.counted() {
			return nil, unequal("an element that is found by its number is not filtered")
		}
		return t.filter(base, v)
	}
	return nil, unequal("the locator %s has no equal", v.text)
}

// counted reports whether the element is one of several matches, by its number.
func (e *element) counted() bool {
	return e.sel.Index != nil || e.sel.Web != nil && e.sel.Web.NthIndex != nil
}

// nth is one of the matches.
func (e *element) nth(n int) *element {
	if len(e.sel.ContainsDescendants) > 0 || e.sel.Web != nil && e.sel.Web.NthIndex != nil {
		out, sel := *e, *e.sel
		sel.Index = &n
		out.sel = &sel
		return &out
	}
	return e.with(func(w *screen.WebMatch) { w.NthIndex = &n })
}

func (t *translator) byRole(base *element, v, first *value, exact bool) (*element, error) {
	role, ok := first.str()
	if !ok {
		return nil, unequal("its role is computed")
	}
	block := screen.WebMatch{AriaRole: role}
	words := roles[role]
	if words == "" {
		words = role
	}
	words = "the " + words
	for _, state := range []string{"checked", "pressed", "selected", "expanded", "disabled"} {
		if f := v.field(state); f != nil {
			css, ok := stateCSS(state, f)
			if !ok {
				return nil, unequal("the state %s is computed", state)
			}
			block.CSSSelector += css
		}
	}
	if n, ok := v.field("level").int(); ok {
		block.HeadingLevel = &n
	}
	if f := v.field("name"); f != nil {
		like, ok := likeness(f, exact)
		if !ok {
			return nil, unequal("its name is computed")
		}
		block.AriaNameRegex = like
		words += " " + tool.Quote(f.text)
	}
	return base.in(block, words), nil
}

// stateCSS is CSS for the elements in a state.
func stateCSS(state string, v *value) (string, bool) {
	on, ok := v.data.(bool)
	if !ok {
		return "", false
	}
	css := `[aria-` + state + `="true"]`
	switch state {
	case "checked":
		css = `:is(:checked, [aria-checked="true"])`
	case "disabled":
		css = `:is(:disabled, [aria-disabled="true"])`
	case "selected":
		css = `:is(option:checked, [aria-selected="true"])`
	}
	if !on {
		css = ":not(" + css + ")"
	}
	return css, true
}

// labelled are the elements whose name may come of a label: that of a button is what stands in it.
const labelled = ":is(input, select, textarea, [contenteditable], [aria-label], [aria-labelledby])"

func byPattern(base *element, first *value, exact bool, set func(*screen.WebMatch, string)) (*element, error) {
	like, ok := likeness(first, exact)
	if !ok {
		return nil, unequal("its text is computed")
	}
	block := screen.WebMatch{}
	set(&block, like)
	return base.in(block, tool.Quote(first.text)), nil
}

func byAttribute(base *element, first *value, exact bool, attribute string) (*element, error) {
	want, ok := first.str()
	if !ok {
		return nil, unequal("its %s is a pattern or computed", attribute)
	}
	css := "[" + attribute + "*=" + quoteCSS(want) + " i]"
	if exact {
		css = "[" + attribute + "=" + quoteCSS(want) + "]"
	}
	return base.in(screen.WebMatch{CSSSelector: css}, tool.Quote(want)), nil
}

func quoteCSS(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// likeness is the pattern of a whole text that fits what a locator asks for: a part of it in any case, all of it, or a
// regular expression. Java's expressions are what patterns of selectors are.
func likeness(v *value, exact bool) (string, bool) {
	switch {
	case v == nil:
		return "", false
	case v.shape == regularExpression:
		return wholePattern(v.text, v.fold), true
	case v.shape != literal || strings.TrimSpace(v.text) == "":
		return "", false
	case exact:
		return regexp.QuoteMeta(strings.Join(strings.Fields(v.text), " ")), true
	}
	return "(?i).*" + regexp.QuoteMeta(strings.Join(strings.Fields(v.text), " ")) + ".*", true
}

// wholePattern makes an expression that is looked for in a text one for the whole text.
func wholePattern(source string, fold bool) string {
	source = strings.ReplaceAll(source, `\/`, "/")
	body, begins := strings.CutPrefix(source, "^")
	ends := strings.HasSuffix(body, "$") && !strings.HasSuffix(body, `\$`)
	body = strings.TrimSuffix(body, "$")
	if !ends {
		body = strings.TrimPrefix(source, "^")
	}
	if strings.Contains(body, "|") && !(begins && ends) {
		body = "(?:" + body + ")"
	}
	if !begins {
		body = ".*" + body
	}
	if !ends {
		body += ".*"
	}
	if fold {
		body = "(?i)" + body
	}
	return body
}

var (
	// engines are prefixes of selectors that are no CSS.
	engines = regex.Lazy(`^(?://|\.\.|["']|internal:|_react|_vue|[a-z][a-z:-]*=)`)
	// hasText is a selector that ends with a condition of Playwright's own.
	hasText = regex.Lazy(`^(.*?):has-text\((?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\)$`)
	// own are the pseudo-classes that Playwright has beside those of CSS.
	own = regex.Lazy(`:(?:has-text|text|text-is|text-matches|nth-match|visible|above|below|near|left-of|right-of|light)\b`)
)

// css reads the selector of locator(…).
func (t *translator) css(base *element, v, first *value) (*element, error) {
	source, ok := first.str()
	if !ok {
		if first != nil && first.shape == call {
			return nil, unequal("a locator in a locator has no equal")
		}
		return nil, unequal("its selector is computed")
	}
	e := base
	for part := range strings.SplitSeq(source, ">>") {
		var err error
		if e, err = cssPart(e, strings.TrimSpace(part)); err != nil {
			return nil, err
		}
	}
	if len(v.args) > 1 {
		return t.filter(e, v)
	}
	return e, nil
}

func cssPart(base *element, source string) (*element, error) {
	if n, ok := strings.CutPrefix(source, "nth="); ok && base.sel != nil {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 {
			return base.nth(i), nil
		}
	}
	if plain, ok := strings.CutPrefix(source, "text="); ok {
		if strings.HasPrefix(plain, "/") {
			return nil, unequal("the text of %s is a pattern", source)
		}
		quoted := strings.Trim(plain, `"'`)
		return byPattern(base, &value{shape: literal, text: quoted}, quoted != plain,
			func(w *screen.WebMatch, like string) { w.OwnTextRegex = like })
	}
	source = strings.TrimPrefix(source, "css=")
	if engines().MatchString(source) {
		return nil, unequal("%s is no CSS, and elements are named by role, name, text, test id or CSS", source)
	}
	text := ""
	if m := hasText().FindStringSubmatch(source); m != nil {
		source, text = m[1], m[2]+m[3]
	}
	if own().MatchString(source) {
		return nil, unequal("%s is CSS that only Playwright has", source)
	}
	words := "the element " + source
	if text != "" {
		words = tool.Quote(text)
	}
	if source == "" {
		source = "*"
	}
	e := base.in(screen.WebMatch{CSSSelector: source}, words)
	if text != "" {
		e = e.with(func(w *screen.WebMatch) { w.TextRegex = "(?is).*" + regexp.QuoteMeta(text) + ".*" })
	}
	return e, nil
}

// filter reads the conditions of filter({ … }).
func (t *translator) filter(base *element, v *value) (*element, error) {
	e := base
	fields := map[string]*value{}
	if len(v.args) > 0 {
		fields = v.args[len(v.args)-1].fields
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		switch f := fields[key]; key {
		case "hasText":
			like, ok := likeness(f, false)
			if !ok || e.sel.Web != nil && e.sel.Web.TextRegex != "" {
				return nil, unequal("the text that it is filtered by is computed, or there is another")
			}
			e = e.with(func(w *screen.WebMatch) { w.TextRegex = like })
			e.words = base.words + " with " + tool.Quote(f.text)
		case "has":
			inner, err := t.locate(f)
			if err != nil {
				return nil, err
			}
			out, sel := *e, *e.sel
			sel.ContainsDescendants = append(slices.Clip(sel.ContainsDescendants), *inner.sel)
			out.sel = &sel
			out.words = base.words + " with " + inner.words
			e = &out
		default:
			return nil, unequal("the filter %s has no equal", key)
		}
	}
	return e, nil
}
