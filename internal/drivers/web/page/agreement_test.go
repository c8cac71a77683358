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

// axRoles maps Chromium's names for things that have no ARIA role, or another spelling, to what we call them.
var axRoles = map[string]string{
	"image": "img", "RootWebArea": "document", "LabelText": "generic", "Legend": "generic", "Figcaption": "generic", "Abbr": "generic", "Pre": "generic",
	"DescriptionList": "generic", "Ruby": "generic", "RubyAnnotation": "generic", "Section": "generic", "GenericContainer": "generic", "Details": "group",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "Iframe": "iframe", "IframePresentational": "iframe", "Date": "textbox", "DateTime": "textbox", "InputTime": "textbox",
	"ColorWell": "textbox", "SvgRoot": "img", "sectionheader": "generic", "sectionfooter": "generic", "presentation": "none", "none": "none", "MathMLMath": "math",
	"time": "time", "Time": "time", "HeaderAsNonLandmark": "generic", "FooterAsNonLandmark": "generic", "LineBreak": "generic", "MathMLIdentifier": "generic",
	"LayoutTable": "table", "LayoutTableRow": "row", "LayoutTableCell": "cell", // its guess that a table is for layout
}

// deviations are differences on purpose, by rule and element; each has its reason.
var deviations = []struct{ rule, element, why string }{
	{"2C embedded controls", "input type=checkbox id=e8", "not even the length of a password is told"},
	{"2E native: labels", "input id=n4", "HTML-AAM: a label without text does not hide the title"},
	{"2E native: labels", "input id=n5", "ACCNAME 2A: a native label counts though it is hidden"},
	{"2E native: structure", "figure ", "HTML-AAM: a figure is named by its caption"},
	{"grouping and sections", "figure ", "HTML-AAM: a figure is named by its caption"},
	{"2F content", "button class=tip", "ACCNAME 2I: the tooltip of an empty child counts"},
	{"2F content", "button class=up", "names do not follow text-transform: recorded trails must survive a restyling"},
	{"2F content", "input ", "names do not follow text-transform: recorded trails must survive a restyling"},
	{"nested interactive", "div role=option", "a widget outside its container is still what its author says"},
	{"nested interactive", "div role=treeitem", "a widget outside its container is still what its author says"},
	{"header and footer", "footer ", "HTML-AAM: a footer in a region is not the page's"},
	{"summary", "summary ", "only the first summary opens its details"},
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

// number gives every element of the page a data-n, in shadow trees too, and lists the page's numbers for them.
const number = `(() => { let n = 0; const ids = {}; const api = globalThis.__trailblaze; const w = (r) => { for (const e of r.querySelectorAll('*')) {
 if (!e.hasAttribute('data-n')) e.setAttribute('data-n', ++n); ids[e.getAttribute('data-n')] = api.id(e); if (e.shadowRoot) w(e.shadowRoot); } }; w(document.body); return ids; })()`

// TestAXAgreement compares role and name of every element of the corpus with Chromium's own accessibility tree.
func TestAXAgreement(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	l := newLab(t)
	if err := l.sess.Call(l.ctx(), "Accessibility.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	total, agreed, excused := 0, 0, 0
	var diffs []string
	for _, f := range files {
		html, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l.load("<!doctype html><html lang=en><title>Corpus</title><body>" + string(html))
		var ids map[string]int64
		if err := json.Unmarshal(l.isolated(number), &ids); err != nil {
			t.Fatal(err)
		}
		ours := map[int64]*screen.Node{}
		var walk func(n *screen.Node)
		walk = func(n *screen.Node) {
			ours[int64(n.ID)] = n
			for _, c := range n.Children {
				walk(c)
			}
		}
		walk(l.capture())
		var dom struct {
			Root *domNode `json:"root"`
		}
		if err := l.sess.Call(l.ctx(), "DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &dom); err != nil {
			t.Fatal(err)
		}
		var ax struct {
			Nodes []axNode `json:"nodes"`
		}
		if err := l.sess.Call(l.ctx(), "Accessibility.getFullAXTree", nil, &ax); err != nil {
			t.Fatal(err)
		}
		theirs := map[int64]axNode{}
		for _, n := range ax.Nodes {
			if n.Backend != 0 {
				theirs[n.Backend] = n
			}
		}
		eachElement(dom.Root, "", func(d *domNode, rule string) {
			a, ok := theirs[d.Backend]
			if !ok || rule == "" || strings.HasPrefix(d.attr("data-rule"), rule) {
				return
			}
			n := ours[ids[d.attr("data-n")]]
			role, name := "generic", ""
			if n != nil {
				role, name = n.Role, n.Name
			}
			if a.Ignored && hiddenFromAX(n) {
				return
			}
			total++
			wantRole, wantName := axRole(a), strings.Trim(a.Name.Value, " \n\t")
			if desc := strings.Trim(a.Description.Value, " \n\t"); !a.Ignored && n != nil && n.Description != desc {
				t.Logf("description: %s: <%s %s> ours %q, Chromium %q", rule, d.Name, attrs(d), n.Description, desc)
			}
			if same(role, name, wantRole, wantName) {
				agreed++
				return
			}
			diff := fmt.Sprintf("%s: %s: <%s %s> ours %s %q, Chromium %s %q", filepath.Base(f), rule, d.Name, attrs(d), role, name, wantRole, wantName)
			if why := deviation(rule, d.Name, attrs(d)); why != "" {
				excused++
				t.Logf("on purpose (%s): %s", why, diff)
				return
			}
			diffs = append(diffs, diff)
		})
	}
	for _, d := range diffs {
		t.Log(d)
	}
	rate := float64(agreed) / float64(total)
	t.Logf("%d elements, %d agree, %d differ on purpose: %.2f %%", total, agreed, excused, rate*100)
	if total < 300 {
		t.Errorf("corpus has only %d elements", total)
	}
	if rate < 0.98 {
		t.Errorf("agreement %.2f %%, want at least 98 %%", rate*100)
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
