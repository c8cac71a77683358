package heal_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

const truth = "[data-truth]"

// stage is a browser on a page of the shop that is made clean before each change.
type stage struct {
	t    *testing.T
	dev  *web.Device
	shop *demo.Shop
	page string
}

func (s *stage) eval(script string) {
	s.t.Helper()
	if _, err := s.dev.Evaluate(s.t.Context(), script, 0); err != nil {
		s.t.Fatalf("%v\n%s", err, script)
	}
}

// load opens a page, once for all its cases, and keeps its clean state in the page.
func (s *stage) load(page string) {
	s.t.Helper()
	if s.page == page {
		return
	}
	p := pages[page]
	if p.before != "" {
		s.open("/sizes")
		s.eval(p.before)
	}
	s.open(p.path)
	s.eval(`new Promise(done => {
		const look = () => document.querySelector(` + quote(p.ready) + `) && (watch.disconnect(), done());
		const watch = new MutationObserver(look);
		watch.observe(document, {subtree: true, childList: true, attributes: true});
		look();
	})`)
	s.eval(`document.querySelectorAll('iframe, script').forEach(e => e.remove());
		window.clean = document.body.cloneNode(true); 0`)
	s.page = page
}

func (s *stage) open(path string) {
	s.t.Helper()
	if _, err := s.dev.Navigate(s.t.Context(), driver.Navigation{URL: s.shop.URL + path}); err != nil {
		s.t.Fatal(err)
	}
}

// capture makes the page clean, marks the target, changes the page, and looks.
func (s *stage) capture(target, script string) (*screen.Snapshot, *screen.Node) {
	s.t.Helper()
	s.eval(`(() => { document.body.replaceWith(window.clean.cloneNode(true));
		const t = document.querySelector(` + quote(target) + `); t.setAttribute('data-truth', '');` + prelude + `{` + script + `} return 0; })()`)
	return s.look()
}

// look captures the page, and what is marked on it.
func (s *stage) look() (*screen.Snapshot, *screen.Node) {
	s.t.Helper()
	snap, err := s.dev.Snapshot(s.t.Context(), driver.SnapshotOptions{CSS: []string{truth}})
	if err != nil {
		s.t.Fatal(err)
	}
	if ids := snap.CSS[truth]; len(ids) > 0 {
		return snap, snap.Node(ids[0])
	}
	return snap, nil
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// recorded is what a trail keeps of an element.
type recorded struct {
	screen *screen.Snapshot
	target identity.Target
}

func record(t *testing.T, snap *screen.Snapshot, n *screen.Node) recorded {
	t.Helper()
	sel, err := identity.SelectorFor(snap, n.ID)
	if err != nil {
		t.Fatal(err)
	}
	return recorded{snap, identity.Target{Selector: sel, Print: identity.Of(snap, n)}}
}

// strict is what a replay without healing acts on.
func (r recorded) strict(now *screen.Snapshot) *screen.Node {
	found, err := now.Find(r.target.Selector)
	if err != nil {
		return nil
	}
	for _, n := range found {
		if r.target.Print.Compare(identity.Of(now, n)).Same {
			if identity.Verified(now, r.target.Selector, len(found), r.target.Print, n) {
				return n
			}
			return nil
		}
	}
	return nil
}

// figures count what relocation did.
type figures struct{ right, missed, declined, wrong int }

// TestDriftCorpus measures relocation on changes of the demo shop, each with the truth that a person would say: which
// element is the recorded one now, or that it is gone. Never may it take another.
func TestDriftCorpus(t *testing.T) {
	if len(corpus) < 60 {
		t.Fatalf("%d changes", len(corpus))
	}
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	s := &stage{t: t, dev: webtest.Device(t, web.DeviceOptions{ID: "web"}), shop: shop}
	cases := slices.Clone(corpus)
	slices.SortStableFunc(cases, func(a, b drift) int { return strings.Compare(a.page, b.page) })
	made := map[string]recorded{}
	with, without, confirmed := map[string]*figures{}, map[string]*figures{}, map[string]*figures{}
	for _, c := range cases {
		s.load(c.page)
		key := c.page + " " + c.target
		if _, ok := made[key]; !ok {
			snap, n := s.capture(c.target, "")
			made[key] = record(t, snap, n)
		}
		r := made[key]
		now, want := s.capture(c.target, c.script)
		name := fmt.Sprintf("%s: %s (%s)", c.kind, c.name, c.page)
		if n := r.strict(now); n != nil && n != want {
			t.Errorf("%s: a replay without healing takes %s", name, n.Descriptor())
		}
		plain := r.target.Relocate(now)
		count(t, without, c.kind, name+", without history", plain, want)
		r.target.Past = []*screen.Snapshot{r.screen}
		v := r.target.Relocate(now)
		count(t, with, c.kind, name, v, want)
		if v.Node == nil { // whatever a model names, nothing but the right element may be confirmed
			v = confirmedOf(r.target, now, want)
		}
		count(t, confirmed, c.kind, name+", with a model", v, want)
	}
	judge(t, "with a model that names any element", confirmed, 90)
	judge(t, "with a green run", with, 90)
	judge(t, "with the fingerprint alone", without, 80)
}

// confirmedOf is what is confirmed of all that a model could name, a wrong element first.
func confirmedOf(target identity.Target, now *screen.Snapshot, want *screen.Node) (v identity.Verdict) {
	var walk func(n *screen.Node)
	walk = func(n *screen.Node) {
		if c := target.Confirm(now, n); c.Node != nil && (v.Node == nil || v.Node == want) || v.Declined == "" && v.Node == nil {
			v = c
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(now.Root)
	return v
}

func count(t *testing.T, all map[string]*figures, kind, name string, v identity.Verdict, want *screen.Node) {
	t.Helper()
	f := all[kind]
	if f == nil {
		f = &figures{}
		all[kind] = f
	}
	switch {
	case v.Node == nil && want == nil:
		f.declined++
	case v.Node == nil:
		f.missed++
		t.Logf("missed %s: %s (%d)", name, v.Declined, v.Score)
	case v.Node == want:
		f.right++
	default:
		f.wrong++
		t.Errorf("wrong, %s: it takes %s for %s (%d: %s)", name, v.Node.Descriptor(), described(want), v.Score,
			strings.Join(v.Why, "; "))
	}
}

func described(n *screen.Node) string {
	if n == nil {
		return "what is gone"
	}
	return n.Descriptor()
}

// judge holds the figures against what is promised.
func judge(t *testing.T, what string, all map[string]*figures, percent int) {
	t.Helper()
	var sum figures
	for kind, f := range all {
		t.Logf("%s, %-12s %2d right, %2d missed, %2d declined, %d wrong", what, kind, f.right, f.missed, f.declined,
			f.wrong)
		sum.right, sum.missed = sum.right+f.right, sum.missed+f.missed
		sum.declined, sum.wrong = sum.declined+f.declined, sum.wrong+f.wrong
	}
	t.Logf("%s: %d of %d found again, %d of %d gone ones declined, %d wrong", what, sum.right, sum.right+sum.missed,
		sum.declined, sum.declined+sum.wrong, sum.wrong)
	if sum.wrong > 0 || sum.right*100 < (sum.right+sum.missed)*percent {
		t.Errorf("%s: %+v", what, sum)
	}
}
