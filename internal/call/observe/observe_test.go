package observe_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var act = &tool.Spec{Name: "web_click", Kind: tool.Action}

// clicked is what a click says of itself.
func clicked() *tool.Result {
	r := tool.TextResult("Clicked button \"Buy\".")
	r.Evidence = &tool.Evidence{Effect: &driver.Effect{Settle: driver.Settle{Reason: "quiet"}}}
	return r
}

func button(id screen.NodeID, name string) *screen.Node {
	return &screen.Node{ID: id, Role: "button", Name: name, Ref: fmt.Sprintf("e%d", id)}
}

// buttons is a page of n of them, and what else is given.
func buttons(n int, more ...*screen.Node) *screen.Snapshot {
	var nodes []*screen.Node
	for i := range n {
		nodes = append(nodes, button(screen.NodeID(100+i), fmt.Sprintf("Button number %d of a page", i)))
	}
	return tooltest.Page(append(nodes, more...)...)
}

func after(t testing.TB, o *observe.Observer, dev driver.Device, client string, s observe.Settings) *observe.Observation {
	t.Helper()
	out, err := o.After(t.Context(), dev, client, act, clicked(), s)
	if err != nil {
		t.Fatal(err)
	}
	if out == nil {
		t.Fatal("an action is followed by nothing")
	}
	return out
}

// blobs keeps texts in memory.
type blobs struct {
	mu   sync.Mutex
	kept map[string][]byte
	err  error
}

func (b *blobs) PutBlob(data []byte, _ string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return "", b.err
	}
	name := fmt.Sprintf("%064x", len(b.kept)+1)
	if b.kept == nil {
		b.kept = map[string][]byte{}
	}
	b.kept[name] = data
	return name, nil
}

// R273: the first reply tells the page, those after it only what changed, and nothing when nothing did.
func TestWhatChangedAfterAnAction(t *testing.T) {
	dev := tooltest.NewDevice(buttons(40))
	o := observe.New()
	first := after(t, o, dev, "a", observe.Settings{})
	if !first.Full || !strings.Contains(first.Text, `button "Button number 3 of a page" e103`) || first.Settle != "quiet" || first.URL == "" {
		t.Errorf("a client that has seen nothing is told %+v", first)
	}
	if same := after(t, o, dev, "a", observe.Settings{}); same.Text != "" || same.Changed || same.Changes != 0 || same.String() != "" {
		t.Errorf("nothing changed, and yet: %+v", same)
	}
	dev.Show(buttons(40, button(900, "Pay")))
	diff := after(t, o, dev, "a", observe.Settings{})
	if diff.Full || !diff.Changed || diff.Changes != 1 || strings.TrimSpace(diff.Text) != `+ button "Pay" e900` {
		t.Errorf("one button is new; told is %+v", diff)
	}
	if s := diff.String(); !strings.HasPrefix(s, "What changed since you last looked (settled: quiet):\n<<page ") {
		t.Errorf("a model reads %q", s)
	}
	next := buttons(3)
	next.Root.ID, next.URL = 77, "https://shop.test/next"
	next.Index()
	dev.Show(next)
	if page := after(t, o, dev, "a", observe.Settings{}); !page.Full || !strings.Contains(page.Text, "https://shop.test/next") ||
		!strings.Contains(page.Text, "e102") {
		t.Errorf("another page is told as %+v", page)
	}
}

func TestVerbosity(t *testing.T) {
	big := buttons(400)
	for _, tt := range []struct {
		v           toolset.Verbosity
		least, most int // tokens of a page that is new
		again       bool
	}{{toolset.Minimal, 300, 1500, false}, {toolset.Standard, 3000, observe.DefaultTokens, false}, {toolset.Full, 3000, observe.DefaultTokens, true}} {
		dev, o := tooltest.NewDevice(big), observe.New()
		first := after(t, o, dev, "a", observe.Settings{Verbosity: tt.v})
		if n := observe.Tokens(first.String()); n < tt.least || n > tt.most+40 {
			t.Errorf("%s: a new page takes %d tokens, want %d to %d", tt.v, n, tt.least, tt.most)
		}
		if again := after(t, o, dev, "a", observe.Settings{Verbosity: tt.v}); again.Full != tt.again || (again.Text != "") != tt.again {
			t.Errorf("%s: the same page again: %+v", tt.v, again)
		}
	}
}

// A difference that is longer than the page is not told: a list turned upside down, most of it renamed.
func TestFallsBackToThePage(t *testing.T) {
	before, now := buttons(30), buttons(30)
	for _, n := range now.Root.Children {
		n.Name = "Renamed " + n.Name
	}
	now.Index()
	dev, o := tooltest.NewDevice(before), observe.New()
	after(t, o, dev, "a", observe.Settings{})
	dev.Show(now)
	got := after(t, o, dev, "a", observe.Settings{})
	if !got.Full || !got.Changed || strings.Contains(got.Text, "→") {
		t.Errorf("told is %+v", got)
	}
	if n, m := len(got.Text), len(text.Changes(diff.Between(before, now), 0)); n >= m {
		t.Errorf("the page has %d bytes, the difference %d", n, m)
	}
}

// What one client was shown is not what another has seen (R274).
func TestSeatsAreApart(t *testing.T) {
	dev, o := tooltest.NewDevice(buttons(20)), observe.New()
	after(t, o, dev, "a", observe.Settings{})
	dev.Show(buttons(20, button(900, "Pay")))
	if got := after(t, o, dev, "b", observe.Settings{}); !got.Full || !strings.Contains(got.Text, "Button number 3") {
		t.Errorf("b has seen nothing and is told %+v", got)
	}
	dev.Show(buttons(20, button(900, "Pay"), button(901, "Cancel")))
	if got := after(t, o, dev, "a", observe.Settings{}); got.Full || !strings.Contains(got.Text, "e900") || !strings.Contains(got.Text, "e901") {
		t.Errorf("a has not seen what b did: %q", got.Text)
	}
	if got := after(t, o, dev, "b", observe.Settings{}); strings.Contains(got.Text, "e900") || !strings.Contains(got.Text, "e901") {
		t.Errorf("b is told again what it saw: %q", got.Text)
	}
	o.Forget("a")
	if got := after(t, o, dev, "a", observe.Settings{}); !got.Full {
		t.Errorf("a came anew: %+v", got)
	}
}

// Queries and assertions look by themselves: no capture is taken for them.
func TestQueriesTakeNoCapture(t *testing.T) {
	dev, o := tooltest.NewDevice(buttons(3)), observe.New()
	looks := 0
	dev.OnCapture(func(n int) { looks = n })
	for _, kind := range []tool.Kind{tool.Query, tool.Assertion} {
		out, err := o.After(t.Context(), dev, "a", &tool.Spec{Name: "x", Kind: kind}, tool.TextResult("yes"), observe.Settings{})
		if out != nil || err != nil || looks != 0 {
			t.Errorf("%s: %v, %v, %d captures", kind, out, err, looks)
		}
	}
	after(t, o, dev, "a", observe.Settings{})
	if looks != 1 {
		t.Errorf("an action takes %d captures", looks)
	}
}

// A tool that shows the screen shows it to the client: what follows is told from there.
func TestViewer(t *testing.T) {
	page := buttons(20)
	dev, o := tooltest.NewDevice(page), observe.New()
	b := &blobs{}
	s := observe.Settings{Session: "s1", Keeper: b, MaxTokens: 500, Mask: func(t string) string { return strings.ReplaceAll(t, "secret", "***") }}
	ctx := tool.WithViewer(context.Background(), o.Viewer("a", s))
	v := tool.ViewerOf(ctx)
	if v.LastView() != nil || v.MaxTokens() <= 0 || v.MaxTokens() > 500 {
		t.Errorf("%v, %d tokens", v.LastView(), v.MaxTokens())
	}
	v.Show(page)
	if got := after(t, o, dev, "a", s); got.Text != "" {
		t.Errorf("the client has seen the page, and is told %q", got.Text)
	}
	if got := after(t, o, dev, "b", s); !got.Full {
		t.Errorf("another has not: %+v", got)
	}
	where := v.Keep("a secret text")
	if !strings.HasPrefix(where, "trailblaze://sessions/s1/blobs/") || string(b.kept[where[len(where)-64:]]) != "a *** text" {
		t.Errorf("kept at %q: %q", where, b.kept)
	}
	if tool.ViewerOf(tool.WithViewer(ctx, nil)) != nil {
		t.Error("a nested call has a viewer")
	}
}

// What does not fit is kept, all of it and without secrets, and the reply says where.
func TestSpill(t *testing.T) {
	dev, o, b := tooltest.NewDevice(buttons(900, button(5000, "secret"))), observe.New(), &blobs{}
	s := observe.Settings{Verbosity: toolset.Standard, MaxTokens: 1000, Session: "s1", Keeper: b,
		Mask: func(t string) string { return strings.ReplaceAll(t, "secret", "***") }}
	got := after(t, o, dev, "a", s)
	if !got.Truncated || got.Overflow == nil || !strings.Contains(got.String(), got.Overflow.URI()) || got.Overflow.MIME != "text/plain" {
		t.Fatalf("%+v", got)
	}
	whole := string(b.kept[got.Overflow.Blob])
	if got.Overflow.Bytes != len(whole) || !strings.Contains(whole, "Button number 899") || !strings.Contains(whole, "***") || strings.Contains(whole, "secret") {
		t.Errorf("kept are %d bytes: …%q", len(whole), whole[max(0, len(whole)-100):])
	}
	b.err = fmt.Errorf("disk full")
	o.Forget("a")
	if got, err := o.After(t.Context(), dev, "a", act, clicked(), s); err == nil || got == nil || got.Text == "" {
		t.Errorf("a full disk: %v, %+v", err, got)
	}
}

func TestPictures(t *testing.T) {
	dev, o := tooltest.NewDevice(buttons(3)), observe.New()
	if got := after(t, o, dev, "a", observe.Settings{Screenshot: true}); got.Image == nil || got.Image.Type != "image" || got.Image.MIME != "image/jpeg" {
		t.Errorf("%+v", got.Image)
	}
	if got := after(t, o, dev, "a", observe.Settings{Screenshot: true, NoPictures: true}); got.Image != nil {
		t.Errorf("a client that takes no pictures got %+v", got.Image)
	}
	res := tool.TextResult("1280 × 800 px")
	res.Content = append(res.Content, tool.Content{Type: "image", Data: []byte("picture"), MIME: "image/png"})
	got, _, err := observe.Bound(res, observe.Settings{NoPictures: true, Session: "s1", Keeper: &blobs{}})
	if err != nil || len(got.Content) != 2 || got.Content[1].Type != "text" || !strings.Contains(got.Content[1].Text, "trailblaze://sessions/s1/blobs/") {
		t.Errorf("%+v, %v", got, err)
	}
	if same, _, _ := observe.Bound(res, observe.Settings{}); same != res {
		t.Error("a result that fits was copied")
	}
}

func BenchmarkAfter(b *testing.B) {
	for _, n := range []int{50, 500, 5000} {
		pages := []*screen.Snapshot{buttons(n), buttons(n, button(90_000, "Pay"))}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dev, o := tooltest.NewDevice(pages[0]), observe.New()
			res := clicked()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				dev.Show(pages[i%2])
				if _, err := o.After(b.Context(), dev, "a", act, res, observe.Settings{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSeatsThatNeverLeave: of the many clients that look once and never leave, the longest unused are forgotten.
func TestSeatsThatNeverLeave(t *testing.T) {
	o := observe.New()
	s := &screen.Snapshot{}
	for i := range 200 {
		o.Viewer(fmt.Sprint(i), observe.Settings{}).Show(s)
		o.Viewer("kept", observe.Settings{}).Show(s)
	}
	remembered := 0
	for i := range 200 {
		if o.LastView(fmt.Sprint(i)) != nil {
			remembered++
		}
	}
	if remembered > 100 || o.LastView("kept") == nil || o.LastView("199") == nil {
		t.Errorf("%d are remembered", remembered)
	}
}
