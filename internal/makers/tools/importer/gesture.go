package importer

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Here the elements and gestures of Maestro's commands are translated.

// about are keys of an element that say how long to wait and how to try, which actions here decide by themselves.
var about = []string{"label", "optional", "repeat", "delay", "retryTapIfNoChange", "waitToSettleTimeoutMs",
	"waitUntilVisible", "timeout", "searchDepthFirst", "from", "direction", "duration"}

// element returns the arguments that name an element: text and id where they are plain, else a selector.
func (m *maestro) element(v trail.Value) (args map[string]any, target string, err error) {
	args = map[string]any{}
	if s := scalarOf(v); s != "" {
		if text, ok := plainText(s); ok {
			return map[string]any{"text": text}, quoted(text), nil
		}
	}
	for _, e := range v.Entries() {
		s := scalarOf(e.Value)
		text, ok := plainText(s)
		switch {
		case slices.Contains(about, e.Key):
		case e.Key == "text" && ok, e.Key == "id" && s == regexp.QuoteMeta(s) && s != "":
			args[e.Key] = text
			target = cmp.Or(target, quoted(text))
		case e.Key == "index" && ok:
			n, err := strconv.ParseFloat(s, 64)
			if err != nil || n < 0 {
				return nil, "", unequal("elements are counted from the first")
			}
			args[e.Key] = int(n)
		case (e.Key == "enabled" || e.Key == "selected") && ok:
			args[e.Key] = s == "true"
		default:
			return m.bySelector(v)
		}
	}
	if args["text"] == nil && args["id"] == nil {
		return m.bySelector(v)
	}
	return args, target, nil
}

// seen is element for what asks whether it is there: a text must be the whole one, unless the flow says otherwise.
func (m *maestro) seen(v trail.Value) (map[string]any, string, error) {
	s := cmp.Or(scalarOf(v), scalarOf(v.Get("text")))
	if s == "" || strings.HasPrefix(s, ".*") && strings.HasSuffix(s, ".*") {
		return m.element(v)
	}
	return m.bySelector(v)
}

func (m *maestro) bySelector(v trail.Value) (map[string]any, string, error) {
	sel, err := m.selector(v)
	if err != nil {
		return nil, "", err
	}
	return map[string]any{"nodeSelector": sel}, m.words(v), nil
}

// words name an element for sentences: by its text or id, else by what is beside it.
func (m *maestro) words(v trail.Value) string {
	s := scalarOf(v)
	for _, key := range []string{"text", "id", "css"} {
		s = cmp.Or(s, scalarOf(v.Get(key)))
	}
	if text, ok := plainText(s); ok {
		return tool.Quote(text)
	}
	if s != "" {
		return quoted(s)
	}
	var all []string
	for _, r := range relations {
		if of := v.Get(r.key); !of.Zero() && len(of.Items()) == 0 {
			all = append(all, r.words+" "+m.words(of))
		}
	}
	return "the element " + strings.Join(all, ", ")
}

var relations = []struct{ key, words string }{{"above", "above"}, {"below", "below"}, {"leftOf", "left of"},
	{"rightOf", "right of"}, {"childOf", "in"}, {"containsChild", "with"}}

// quotedToken is a token after QuoteMeta.
var quotedToken = regex.Lazy(`\\\{\\\{(\w+)\\\}\\\}`)

// plainText is the text that an expression of Maestro stands for, where it stands for one: signs are escaped in it, and
// .* around it lets it be a part.
func plainText(s string) (string, bool) {
	text := strings.TrimSuffix(strings.TrimPrefix(s, ".*"), ".*")
	if text == "" || special().MatchString(text) {
		return "", false
	}
	return tokensOf(unescape().ReplaceAllString(text, "$1")), true
}

var unescape = regex.Lazy(`\\([^A-Za-z0-9])`)

// selector reads an element as a selector.
func (m *maestro) selector(v trail.Value) (*screen.Selector, error) {
	sel := &screen.Selector{}
	if s := scalarOf(v); s != "" {
		return sel, m.condition(sel, "text", s)
	}
	for _, e := range v.Entries() {
		if slices.Contains(about, e.Key) {
			continue
		}
		if into, ok := map[string]**screen.Selector{"below": &sel.Below, "above": &sel.Above, "leftOf": &sel.LeftOf,
			"rightOf": &sel.RightOf, "containsChild": &sel.ContainsChild, "childOf": &sel.ChildOf}[e.Key]; ok {
			inner, err := m.selector(e.Value)
			if err != nil {
				return nil, err
			}
			*into = inner
			continue
		}
		if e.Key == "containsDescendants" {
			for _, it := range e.Value.Items() {
				inner, err := m.selector(it)
				if err != nil {
					return nil, err
				}
				sel.ContainsDescendants = append(sel.ContainsDescendants, *inner)
			}
			continue
		}
		if err := m.condition(sel, e.Key, scalarOf(e.Value)); err != nil {
			return nil, err
		}
	}
	if !sel.HasBlock() && sel.Below == nil && sel.Above == nil && sel.LeftOf == nil && sel.RightOf == nil &&
		sel.ChildOf == nil && sel.ContainsChild == nil && len(sel.ContainsDescendants) == 0 {
		return nil, unequal("it names no element")
	}
	return sel, nil
}

// condition adds what a key asks for to a selector.
func (m *maestro) condition(sel *screen.Selector, key, s string) error {
	if key == "index" {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || n < 0 {
			return unequal("elements are counted from the first")
		}
		i := int(n)
		sel.Index = &i
		return nil
	}
	expression := "(?i)" + tokensOf(s)
	if text, ok := plainText(s); ok && !strings.Contains(s, ".*") {
		expression = "(?i)" + quotedToken().ReplaceAllString(regexp.QuoteMeta(text), "{{$1}}")
	}
	if m.platform == driver.WebPlatform {
		if sel.Web == nil {
			sel.Web = &screen.WebMatch{}
		}
		switch {
		case key == "text":
			sel.Web.OwnTextRegex = expression
		case key == "css":
			sel.Web.CSSSelector = s
		case key == "id" && s == regexp.QuoteMeta(s):
			sel.Web.CSSSelector = ":is([id=" + quoteCSS(s) + "], [data-testid=" + quoteCSS(s) + "])"
		default:
			return unequal("an element of a page is not named by %s: %s", key, s)
		}
		return nil
	}
	if sel.AndroidAccessibility == nil {
		sel.AndroidAccessibility = &screen.AndroidAccessibilityMatch{}
	}
	a, on := sel.AndroidAccessibility, s == "true"
	switch key {
	case "text":
		a.TextRegex = &expression
	case "id":
		id := "(?:.*:id/)?" + strings.TrimPrefix(expression, "(?i)")
		a.ResourceIDRegex = &id
	case "enabled":
		a.IsEnabled = &on
	case "checked":
		a.IsChecked = &on
	case "focused":
		a.IsFocused = &on
	case "selected":
		a.IsSelected = &on
	default:
		return unequal("an element is not named by %s", key)
	}
	return nil
}

var absolute = regex.Lazy(`^\s*(\d+)\s*,\s*(\d+)\s*$`)

// tap translates tapOn, longPressOn and doubleTapOn.
func (m *maestro) tap(name string, arg trail.Value, optional bool) ([]made, error) {
	if point := scalarOf(arg.Get("point")); point != "" {
		at := absolute().FindStringSubmatch(point)
		if at == nil || len(arg.Entries()) > 1 && (!arg.Get("text").Zero() || !arg.Get("id").Zero()) {
			return nil, unequal("a point is given in px of the screen, not in per cent: name the element")
		}
		x, _ := strconv.Atoi(at[1])
		y, _ := strconv.Atoi(at[2])
		return one(made{"tapOnPoint", map[string]any{"x": x, "y": y, "longPress": name == "longPressOn"}, ""}, nil)
	}
	args, target, err := m.element(arg)
	if err != nil {
		return nil, err
	}
	called := "tapOnElementWithText"
	if args["nodeSelector"] != nil {
		called = "tapOnElementBySelector"
	}
	switch {
	case name == "doubleTapOn":
		return nil, unequal("an element is not tapped twice at once")
	case name == "longPressOn" && args["nodeSelector"] != nil:
		args["longPress"] = true
	case name == "longPressOn":
		called = "longPressOnElementWithText"
	}
	call := made{called, args, target}
	if n, err := strconv.Atoi(scalarOf(arg.Get("repeat"))); err == nil && n > 1 {
		call = made{"repeat", map[string]any{"times": n, "tools": written([]made{call})}, ""}
	}
	if !optional {
		return one(call, nil)
	}
	there := map[string]any{"timeoutMs": 2000}
	for _, key := range []string{"text", "id", "nodeSelector"} {
		if args[key] != nil {
			there[key] = args[key]
		}
	}
	return one(made{"when", map[string]any{"visible": there, "tools": written([]made{call})}, ""}, nil)
}

// sees translates an assertion, whose time is in wait.
func (m *maestro) sees(visible bool, v, wait trail.Value) ([]made, error) {
	args, target, err := m.seen(v)
	if err != nil {
		return nil, err
	}
	if ms, err := strconv.Atoi(scalarOf(wait.Get("timeout"))); err == nil && ms > 0 {
		args["timeoutMs"] = ms
	}
	selector, id := args["nodeSelector"] != nil, args["text"] == nil
	switch {
	case selector && visible:
		return one(made{"assertVisibleBySelector", args, target}, nil)
	case selector:
		return one(made{"assertNotVisibleBySelector", args, target}, nil)
	case !visible && id: // the other tools ask for a text
		sel, err := m.selector(v)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(args, func(key string, _ any) bool { return key != "timeoutMs" })
		args["nodeSelector"] = sel
		return one(made{"assertNotVisibleBySelector", args, target}, nil)
	case !visible:
		return one(made{"assertNotVisibleWithText", args, target}, nil)
	case id:
		args["resourceId"] = args["id"]
		delete(args, "id")
		return one(made{"assertVisibleWithResourceId", args, target}, nil)
	}
	return one(made{"assertVisibleWithText", args, target}, nil)
}

// scrollTo translates scrollUntilVisible.
func (m *maestro) scrollTo(arg trail.Value) ([]made, error) {
	args, target, err := m.element(arg.Get("element"))
	if err != nil {
		return nil, err
	}
	if args["nodeSelector"] != nil || args["enabled"] != nil || args["selected"] != nil {
		return nil, unequal("it is scrolled to a text or an id")
	}
	for _, key := range []string{"direction", "timeout", "visibilityPercentage", "centerElement"} {
		s := scalarOf(arg.Get(key))
		n, err := strconv.Atoi(s)
		switch {
		case s == "":
		case key == "timeout" && err == nil:
			if n > 0 { // else Maestro takes its own
				args["timeoutMs"] = n
			}
		case err == nil:
			args[key] = n
		case s == "true" || s == "false":
			args[key] = s == "true"
		default:
			args[key] = strings.ToUpper(s)
		}
	}
	return one(made{"scrollUntilTextIsVisible", args, target}, nil)
}

// swipe translates a swipe: in a direction, or between two points.
func (m *maestro) swipe(arg trail.Value) ([]made, error) {
	args := map[string]any{}
	if n, err := strconv.Atoi(scalarOf(arg.Get("duration"))); err == nil {
		args["durationMs"] = n
	}
	start, stop := scalarOf(arg.Get("start")), scalarOf(arg.Get("end"))
	from, to := absolute().FindStringSubmatch(start), absolute().FindStringSubmatch(stop)
	switch {
	case from != nil && to != nil:
		for i, key := range []string{"startX", "startY"} {
			args[key], _ = strconv.Atoi(from[i+1])
			args[strings.Replace(key, "start", "end", 1)], _ = strconv.Atoi(to[i+1])
		}
		return one(made{"dragByPoints", args, ""}, nil)
	case start != "" && stop != "":
		args["startRelative"], args["endRelative"] = strings.ReplaceAll(start, " ", ""), strings.ReplaceAll(stop, " ", "")
		return one(made{"swipeWithRelativeCoordinates", args, ""}, nil)
	}
	direction := strings.ToUpper(cmp.Or(scalarOf(arg), scalarOf(arg.Get("direction"))))
	if !slices.Contains([]string{"UP", "DOWN", "LEFT", "RIGHT"}, direction) {
		return nil, unequal("it has no direction")
	}
	args["direction"] = direction
	if v := arg.Get("from"); !v.Zero() {
		on, _, err := m.element(v)
		if err != nil {
			return nil, err
		}
		if on["text"] == nil || len(on) > 1 {
			return nil, unequal("it is swiped on an element with a text, or on the screen")
		}
		args["swipeOnElementText"] = on["text"]
	}
	return one(made{"swipe", args, ""}, nil)
}
