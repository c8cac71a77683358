package page_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// axRoles maps Chromium's names for things that have no ARIA role, or another spelling, to what we
// call them.
var axRoles = map[string]string{
	"image": "img", "RootWebArea": "document", "LabelText": "generic", "Legend": "generic", "Figcaption": "generic", "Abbr": "generic", "Pre": "generic",
	"DescriptionList": "generic", "Ruby": "generic", "RubyAnnotation": "generic", "Section": "generic", "GenericContainer": "generic", "Details": "group",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "Iframe": "iframe", "IframePresentational": "iframe",
	"Date": "textbox", "DateTime": "textbox", "InputTime": "textbox",
	"ColorWell": "textbox", "SvgRoot": "img", "presentation": "none", "none": "none", "MathMLMath": "math", "Canvas": "generic",
	"Video": "generic", "Audio": "generic", "PluginObject": "generic",
	"time": "time", "Time": "time", "HeaderAsNonLandmark": "generic", "FooterAsNonLandmark": "generic", "LineBreak": "generic", "MathMLIdentifier": "generic",
	"LayoutTable": "table", "LayoutTableRow": "row", "LayoutTableCell": "cell", // its guess that a table is for layout
}

// deviations are differences on purpose, by rule and element; each has its reason.
var deviations = []struct{ rule, element, why string }{
	{"2C embedded controls", "input type=checkbox id=e8", "not even the length of a password is told"},
	{"2E native: labels", "input id=n4", "HTML-AAM: a label without text does not hide the title"},
	{"2E native: labels", "input id=n5", "ACCNAME 2A: a native label counts though it is hidden"},
	{"2F content", "button class=tip", "ACCNAME 2I: the tooltip of an empty child counts"},
	{"2F content", "button class=up", "names do not follow text-transform: recorded trails must survive a restyling"},
	{"2F content", "input ", "names do not follow text-transform: recorded trails must survive a restyling"},
	{"nested interactive", "div role=option", "a widget outside its container is still what its author says"},
	{"nested interactive", "div role=treeitem", "a widget outside its container is still what its author says"},
	{"summary", "summary ", "only the first summary opens its details"},
	{"cards", "", "a card that holds an article is still called by what it says"},
}

// axNode is what we compare of one node of Accessibility.getFullAXTree.
type axNode struct {
	Ignored bool `json:"ignored"`
	Role    struct {
		Value string `json:"value"`
	} `json:"role"`
	Name struct {
		Value string `json:"value"`
	} `json:"name"`
	Description struct {
		Value string `json:"value"`
	} `json:"description"`
	Backend int64 `json:"backendDOMNodeId"`
}

type domNode struct {
	Backend  int64      `json:"backendNodeId"`
	Type     int        `json:"nodeType"`
	Name     string     `json:"localName"`
	Attrs    []string   `json:"attributes"`
	Children []*domNode `json:"children"`
	Shadow   []*domNode `json:"shadowRoots"`
	Kind     string     `json:"shadowRootType"`
}

func (d *domNode) attr(name string) string {
	for i := 0; i+1 < len(d.Attrs); i += 2 {
		if d.Attrs[i] == name {
			return d.Attrs[i+1]
		}
	}
	return ""
}

// number gives every element of the page a data-n, in shadow trees too, and lists the page's
// numbers for them.
const number = `(() => { let n = 0; const ids = {}; const api = globalThis.__trailblaze; const w = (r) => { for (const e of r.querySelectorAll('*')) {
 if (!e.hasAttribute('data-n')) e.setAttribute('data-n', ++n); ids[e.getAttribute('data-n')] = api.id(e);
if (e.shadowRoot) w(e.shadowRoot); } }; w(document.body); return ids; })()`

// TestAXAgreement compares role and name of every element of the corpus with Chromium's own
// accessibility tree.
func TestAXAgreement(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	l := newLab(t)
	a := agreement{lab: l}
	for _, f := range files {
		html, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l.load("<!doctype html><html lang=en><title>Corpus</title><body>" + string(html))
		a.page(filepath.Base(f), false)
	}
	a.verdict(300, 0.98)
	if len(a.diffs) > 0 {
		t.Errorf("%d differences without a reason", len(a.diffs))
	}
}

// agreement counts how far role and name of elements agree with Chromium's own tree.
type agreement struct {
	*lab
	total, agreed, excused int
	diffs                  []string
}

// page compares every element of the page that the lab shows: those under a data-rule, or all of
// its body.
func (a *agreement) page(file string, all bool) {
	a.Helper()
	var ids map[string]int64
	if err := json.Unmarshal(a.isolated(number), &ids); err != nil {
		a.Fatal(err)
	}
	ours := map[int64]*screen.Node{}
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		ours[int64(n.ID)] = n
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(a.capture())
	var dom struct {
		Root *domNode `json:"root"`
	}
	if err := a.sess.Call(a.ctx(), "DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &dom); err != nil {
		a.Fatal(err)
	}
	if err := a.sess.Call(a.ctx(), "Accessibility.enable", nil, nil); err != nil {
		a.Fatal(err)
	}
	var ax struct {
		Nodes []axNode `json:"nodes"`
	}
	if err := a.sess.Call(a.ctx(), "Accessibility.getFullAXTree", nil, &ax); err != nil {
		a.Fatal(err)
	}
	theirs := map[int64]axNode{}
	for _, n := range ax.Nodes {
		if n.Backend != 0 {
			theirs[n.Backend] = n
		}
	}
	eachElement(dom.Root, "", func(d *domNode, rule string) {
		x, ok := theirs[d.Backend]
		if id := ids[d.attr("data-n")]; ok && id != 0 && (all || rule != "") {
			a.element(file, rule, d, ours[id], x)
		}
	})
}

func (a *agreement) element(file, rule string, d *domNode, n *screen.Node, x axNode) {
	a.Helper()
	role, name := "generic", ""
	if n != nil {
		role, name = n.Role, n.Name
	}
	if x.Ignored && hiddenFromAX(n) {
		return
	}
	a.total++
	wantRole, wantName := axRole(x), strings.Trim(x.Name.Value, " \n\t")
	if desc := strings.Trim(x.Description.Value, " \n\t"); !x.Ignored && n != nil && n.Description != desc {
		a.Logf("description: %s: <%s %s> ours %q, Chromium %q", rule, d.Name, attrs(d), n.Description, desc)
	}
	if same(role, name, wantRole, wantName) {
		a.agreed++
		return
	}
	diff := fmt.Sprintf("%s: %s: <%s %s> ours %s %q, Chromium %s %q", file, rule, d.Name, attrs(d), role, name, wantRole, wantName)
	if why := deviation(rule, d.Name, attrs(d)); why != "" {
		a.excused++
		a.Logf("on purpose (%s): %s", why, diff)
		return
	}
	a.diffs = append(a.diffs, diff)
}

// verdict prints the agreement and fails below the bar.
func (a *agreement) verdict(least int, bar float64) {
	a.Helper()
	for _, d := range a.diffs {
		a.Log(d)
	}
	rate := float64(a.agreed) / float64(a.total)
	a.Logf("%d elements, %d agree, %d differ on purpose: %.2f %%", a.total, a.agreed, a.excused, rate*100)
	if a.total < least {
		a.Errorf("only %d elements, want at least %d", a.total, least)
	}
	if rate < bar {
		a.Errorf("agreement %.2f %%, want at least %.0f %%", rate*100, bar*100)
	}
}

func axRole(a axNode) string {
	if a.Ignored {
		return "none"
	}
	if r, ok := axRoles[a.Role.Value]; ok {
		return r
	}
	return a.Role.Value
}

// same treats "generic" and "none" alike: Chromium drops from its tree what means nothing.
func same(role, name, wantRole, wantName string) bool {
	void := func(r string) bool { return r == "generic" || r == "none" }
	return (role == wantRole || void(role) && void(wantRole)) && (name == wantName || void(wantRole) && wantName == "" && void(role))
}

// hiddenFromAX: what Chromium leaves out since nobody can perceive it; we keep it, marked.
func hiddenFromAX(n *screen.Node) bool { return n != nil && n.Visibility == screen.Hidden }

func eachElement(d *domNode, rule string, f func(*domNode, string)) {
	if r := d.attr("data-rule"); r != "" {
		rule = r
	} else if d.Type == 1 {
		f(d, rule)
	}
	for _, c := range d.Children {
		eachElement(c, rule, f)
	}
	for _, s := range d.Shadow {
		if s.Kind != "user-agent" {
			eachElement(s, rule, f)
		}
	}
}

func attrs(d *domNode) string {
	var out []string
	for i := 0; i+1 < len(d.Attrs); i += 2 {
		if d.Attrs[i] != "data-n" {
			out = append(out, d.Attrs[i]+"="+d.Attrs[i+1])
		}
	}
	return strings.Join(out, " ")
}

func deviation(rule, element, attrs string) string {
	for _, d := range deviations {
		if d.rule == rule && strings.HasPrefix(element+" "+attrs, d.element) {
			return d.why
		}
	}
	return ""
}
