package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// named finds the one node with that role and name.
func byName(t testing.TB, s *screen.Snapshot, role, name string) *screen.Node {
	t.Helper()
	var found []*screen.Node
	var walk func(*screen.Node)
	walk = func(n *screen.Node) {
		if n.Role == role && (n.Name == name || n.Text == name) {
			found = append(found, n)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
	if len(found) != 1 {
		t.Fatalf("%d nodes are a %s %q in %s", len(found), role, name, outline(s.Root, 0))
	}
	return found[0]
}

func outline(n *screen.Node, depth int) string {
	s := fmt.Sprintf("\n%s%s %q %q vis %d %+v", strings.Repeat("  ", depth), n.Role, n.Name, n.Text, n.Visibility, n.Bounds)
	for _, c := range n.Children {
		s += outline(c, depth+1)
	}
	return s
}

// TestCaptureFrames proves that one capture holds the page with all its frames and shadow trees, in
// reading order, in the coordinates of the viewport, and tells apart what a person sees (issue 6).
func TestCaptureFrames(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{
		"/": `<title>Top</title><body style="margin:0"><div id=h></div><div id=c></div>
<script>h.attachShadow({mode:'open'}).innerHTML='<button>Open root</button>';
c.attachShadow({mode:'closed'}).innerHTML='<div id=n></div>';</script>
<iframe src="/in?same" style="position:absolute;left:100px;top:100px;border:10px solid;padding:5px;width:200px;height:100px"></iframe>
<iframe src="OTHER/in?other" style="position:absolute;left:400px;top:100px;border:0;width:200px;height:100px;transform:scale(0.5);
transform-origin:0 0"></iframe>
<iframe src="/in?hidden" style="position:absolute;left:700px;top:100px;visibility:hidden"></iframe>
<iframe src="/in?below" style="position:absolute;left:100px;top:1500px"></iframe>
<button style="position:absolute;top:300px">Last</button>`,
		"/in": `<body style="margin:0"><button style="position:absolute;left:20px;top:10px;width:60px;height:20px"></button>
<button style="position:absolute;left:20px;top:400px">Far</button><script>document.querySelector('button').textContent=location.search.slice(1);
const r=document.body.appendChild(document.createElement('my-thing')).attachShadow({mode:'closed'});
r.innerHTML='<a href=/x>closed in '+location.search.slice(1)+'</a>';
document.querySelector('my-thing').style='position:absolute;top:50px'</script>`,
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 5)
	s := snapshot(t, d)
	if s.Quality.Verdict != screen.Complete || s.Title != "Top" || s.URL != srv.URL+"/" || s.Width != 1280 || s.Height != 800 {
		t.Errorf("%+v %s %s %d x %d", s.Quality, s.Title, s.URL, s.Width, s.Height)
	}
	tests := []struct {
		role, name string
		x, y, w    float64
		vis        screen.Visibility
	}{
		{"button", "Open root", 0, 0, 0, screen.Visible},
		{"button", "same", 135, 125, 60, screen.Visible},
		{"link", "closed in same", 0, 0, 0, screen.Visible},
		{"button", "other", 410, 105, 30, screen.Visible},
		{"link", "closed in other", 0, 0, 0, screen.Visible},
		{"button", "hidden", 0, 0, 0, screen.Hidden},
		{"button", "below", 0, 0, 0, screen.Offscreen},
		{"button", "Last", 0, 300, 0, screen.Visible},
	}
	refs := map[string]bool{}
	for _, tt := range tests {
		n := byName(t, s, tt.role, tt.name)
		if tt.w > 0 && (abs(n.Bounds.X-tt.x) > 0.6 || abs(n.Bounds.Y-tt.y) > 0.6 || abs(n.Bounds.W-tt.w) > 0.6) {
			t.Errorf("%s: %+v, want %v %v %v", tt.name, n.Bounds, tt.x, tt.y, tt.w)
		}
		if n.Visibility != tt.vis {
			t.Errorf("%s: visibility %d, want %d", tt.name, n.Visibility, tt.vis)
		}
		if n.Ref == "" || refs[n.Ref] || s.ByRef(n.Ref) != n || s.Node(n.ID) != n {
			t.Errorf("%s: ref %q", tt.name, n.Ref)
		}
		refs[n.Ref] = true
	}
	if w := byName(t, s, "button", "other").Native.(*screen.Web); w.Frame == 0 {
		t.Error("a node of a frame says that it is in the top document")
	}
}

func abs(f float64) float64 { return max(f, -f) }

// TestRefs proves that a ref names one element for good: over captures, reflow and re-ordering;
// that it is never given to another; and that a stale one says what became of it (rule 11).
func TestRefs(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{
		"/":   `<div id=l><button>A</button><button>B</button></div><iframe src="/in"></iframe>`,
		"/in": `<button>Inner</button>`, "/2": `<button>A</button>`,
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 2)
	s := snapshot(t, d)
	a, b, inner := byName(t, s, "button", "A"), byName(t, s, "button", "B"), byName(t, s, "button", "Inner")
	eval[any](t, d, `l.prepend(Object.assign(document.createElement('button'),{textContent:'New'}), l.lastChild); document.body.style.fontSize='30px'; 1`)
	s = snapshot(t, d)
	for _, old := range []*screen.Node{a, b, inner} {
		now := s.ByRef(old.Ref)
		if now == nil || now.Text != old.Text || now.ID != old.ID {
			t.Errorf("%s was %q, is %+v", old.Ref, old.Text, now)
		}
	}
	fresh := byName(t, s, "button", "New")
	if fresh.Ref == a.Ref || fresh.Ref == b.Ref {
		t.Errorf("a ref was given twice: %s", fresh.Ref)
	}
	if got := d.ExplainRef(a.Ref); got != a.Ref+` is button "A"` {
		t.Error(got)
	}
	eval[any](t, d, `l.firstChild.nextSibling.remove(); document.querySelector('iframe').remove(); 1`)
	snapshot(t, d)
	if got := d.ExplainRef(b.Ref); got != b.Ref+` was button "B"; it is no longer on the page` {
		t.Error(got)
	}
	if got := d.ExplainRef(inner.Ref); got != inner.Ref+` was button "Inner"; its frame was removed from the page` {
		t.Error(got)
	}
	open(t, d, srv.URL+"/2")
	s = snapshot(t, d)
	if n := byName(t, s, "button", "A"); n.Ref == a.Ref || n.ID == a.ID {
		t.Error("an element of another document has the same ref")
	}
	for _, ref := range []string{a.Ref, "[" + a.Ref + "]", "@" + a.Ref} {
		if got := d.ExplainRef(ref); got != ref+` was button "A"; the page navigated to `+srv.URL+"/2" {
			t.Error(got)
		}
	}
	if got := d.ExplainRef("e999"); !strings.Contains(got, "never given") {
		t.Error(got)
	}
	_, _, err := d.frames.Element(a.ID)
	wantFault(t, err, fault.NotFound, "the page navigated to")
}

// TestCaptureUnchanged proves that a capture of an unchanged page costs no new tree, and that no
// change is missed.
func TestCaptureUnchanged(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<p id=p>x</p><input id=i><iframe src="OTHER/in"></iframe>`,
		"/in": `<button onclick="this.textContent='clicked'">b</button>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 2)
	snapshot(t, d)
	one := snapshot(t, d)
	two := snapshot(t, d)
	if one.Root != two.Root || one.Seq == two.Seq || two.ByRef(byName(t, two, "button", "b").Ref) == nil {
		t.Errorf("a capture of an unchanged page was made anew: roots %p and %p, numbers %d and %d",
			one.Root, two.Root, one.Seq, two.Seq)
	}
	for _, script := range []string{`p.textContent='y'`, `i.value='typed'`, `i.focus()`, `document.title='T'`,
		`history.replaceState(0,'','/new')`, `p.style.marginTop='50px'`} {
		eval[any](t, d, script+";1")
		now := snapshot(t, d)
		if now.Root == two.Root {
			t.Errorf("%s: not noticed", script)
		}
		two = now
	}
	if two.Title != "T" || two.URL != srv.URL+"/new" || two.Focus == 0 {
		t.Errorf("%s %s %v", two.Title, two.URL, two.Focus)
	}
	s, err := d.Snapshot(deadline(t), driver.SnapshotOptions{CSS: []string{"p", "iframe, p", ".none"}})
	if err != nil {
		t.Fatal(err)
	}
	p := byName(t, s, "paragraph", "y")
	if diff := cmp.Diff(map[string]int{"p": 1, "iframe, p": 2, ".none": 0},
		map[string]int{"p": len(s.CSS["p"]), "iframe, p": len(s.CSS["iframe, p"]), ".none": len(s.CSS[".none"])}); diff != "" || s.CSS["p"][0] != p.ID {
		t.Errorf("%s %v", diff, s.CSS)
	}
	_, err = d.Snapshot(deadline(t), driver.SnapshotOptions{CSS: []string{"p["}})
	wantFault(t, err, fault.Invalid, `CSS selector "p["`)
}

// TestCaptureWhileLoading proves that a capture in the middle of a load is degraded or whole, never
// half.
func TestCaptureWhileLoading(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/slow" {
			_, _ = w.Write([]byte("<title>slow</title>" + strings.Repeat(" ", 4096)))
			w.(http.Flusher).Flush()
			waittest.Hold(t, more)
		}
		_, _ = w.Write([]byte("<button>Done</button>"))
	})
	d := newDevice(t, DeviceOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := d.Navigate(ctx, driver.Navigation{URL: srv.URL + "/slow"}); fault.KindOf(err) != fault.Timeout {
		t.Fatal(err)
	}
	if err := d.frames.Await(deadline(t), "its beginning", func() (bool, error) { return strings.HasSuffix(d.frames.Active.Main.URL, "/slow"), nil }); err != nil {
		t.Fatal(err)
	}
	if s := snapshot(t, d); s.Quality.Verdict != screen.Degraded {
		t.Errorf("%+v %s", s.Quality, outline(s.Root, 0))
	}
	close(more)
	if err := d.frames.Await(deadline(t), "load", func() (bool, error) { return d.frames.Active.Main.Loaded == d.frames.Active.Main.Loader, nil }); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, d)
	byName(t, s, "button", "Done")
	if s.Quality.Verdict != screen.Complete {
		t.Errorf("%+v", s.Quality)
	}
	for i := range 20 { // a capture that races a navigation gets one of the two pages
		eval[any](t, d, fmt.Sprintf("setTimeout(()=>location.href='/?%d'); 1", i))
		s := snapshot(t, d)
		if s.Quality.Verdict == screen.Complete {
			byName(t, s, "button", "Done")
		} else {
			t.Logf("%d: %v", i, s.Quality.Reasons)
		}
	}
}
