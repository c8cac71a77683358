package capture

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// stitch joins the captures of the frames into one tree in the coordinates of the tab's viewport.
func (c *Camera) stitch(t *frames.Tab, root *part, o driver.SnapshotOptions, generation uint64) *screen.Snapshot {
	c.frames.Lock()
	defer c.frames.Unlock()
	c.seq++
	secrets := hidden(c)
	if s := c.unchanged(root, o, generation); s != nil && secrets == c.lastSecrets {
		c.remember(s, root, o, generation)
		return s
	}
	s := (&stitching{c: c}).join(t, root, o, secrets)
	c.remember(s, root, o, generation)
	c.lastSecrets = secrets
	return s
}

// hidden are the secrets that no snapshot may show; nil when there are none. The lock is held.
func hidden(c *Camera) driver.Secrets {
	if c.conceal == nil {
		return nil
	}
	secrets := c.conceal()
	if secrets != nil {
		c.RecordCanvasText()
	}
	return secrets
}

// join makes a snapshot of the captures of the frames. The lock is held.
func (st *stitching) join(t *frames.Tab, root *part, o driver.SnapshotOptions, secrets driver.Secrets,
) *screen.Snapshot {
	c := st.c
	root.copyTrees()
	page := root.seen.Info
	s := &screen.Snapshot{
		Seq: c.seq, Taken: time.Now(), Platform: "web",
		URL: page.URL, Title: page.Title, Width: int(page.Width), Height: int(page.Height),
		Quality: screen.Quality{Verdict: screen.Complete}, Namer: c,
	}
	if s.Width == 0 {
		v := c.viewport()
		s.Width, s.Height = v.Width, v.Height
	}
	if s.URL == "" && t.Main != nil {
		s.URL = t.Main.URL
	}
	if t.Dialog != nil {
		s.Dialog = &t.Dialog.Dialog
	}
	if len(o.CSS) > 0 {
		s.CSS = map[string][]screen.NodeID{}
		for _, css := range o.CSS {
			s.CSS[css] = []screen.NodeID{}
		}
	}
	st.s = s
	s.Root = st.part(root, placement{clip: screen.Rect{W: float64(s.Width), H: float64(s.Height)}, scale: 1})
	if s.Root == nil {
		s.Root = &screen.Node{Role: "document", Bounds: screen.Rect{W: float64(s.Width), H: float64(s.Height)}}
	}
	if len(s.Quality.Reasons) > 0 {
		s.Quality.Verdict = screen.Degraded
	}
	if secrets != nil {
		markSplitSecrets(s.Root, secrets)
	}
	s.Index()
	return s
}

// unchanged is the last capture under a new number, when nothing at all has changed since.
// The lock is held.
func (c *Camera) unchanged(root *part, o driver.SnapshotOptions, generation uint64) *screen.Snapshot {
	if c.last == nil || c.last.Quality.Verdict != screen.Complete || o.Full {
		return nil
	}
	if generation != c.lastGeneration || !slices.Equal(o.CSS, c.lastCSS) {
		return nil
	}
	same := true
	root.each(func(p *part) { same = same && p.seen.Same && p.problem == "" })
	if !same {
		return nil
	}
	s := *c.last
	s.Seq, s.Taken = c.seq, time.Now()
	return &s
}

// remember keeps what the next capture is compared with. The lock is held.
func (c *Camera) remember(s *screen.Snapshot, root *part, o driver.SnapshotOptions, generation uint64) {
	c.last, c.lastGeneration, c.lastCSS = s, generation, slices.Clone(o.CSS)
	m := mark{seq: s.Seq, generation: generation, documents: map[*frames.Document]json.RawMessage{}}
	root.each(func(p *part) {
		if p.doc != nil {
			m.documents[p.doc] = p.seen.Counters
			p.doc.Sight.NoteShown(p.seen.Turn)
		}
	})
	c.addMark(m)
}

// copyTrees takes the trees out of the documents' mirrors.
func (p *part) copyTrees() {
	p.each(func(p *part) {
		if p.problem == "" && p.root == nil {
			p.root, p.cut = p.doc.Sight.Tree()
		}
	})
}

// stitching is one stitch under way.
type stitching struct {
	c *Camera
	s *screen.Snapshot
}

// placement is the position of a frame's viewport in the tab's, and its visible part.
type placement struct {
	x, y  float64
	scale float64
	clip  screen.Rect
	vis   screen.Visibility // of the frame element itself
}

func (st *stitching) degrade(p *part, why string) {
	where := "the page"
	if p.parent != nil {
		where = "frame " + p.frame.URL
	}
	st.s.Quality.Reasons = append(st.s.Quality.Reasons, where+": "+why)
}

// part turns one frame's capture into nodes and splices those of its frames in. The lock is held.
func (st *stitching) part(p *part, at placement) *screen.Node {
	if p.problem != "" {
		st.degrade(p, p.problem)
	} else if reason := p.doubtful(); reason != "" {
		st.degrade(p, reason)
	}
	if p.root == nil {
		return nil
	}
	frames := map[int64]*part{}
	for _, c := range p.children {
		if c.owner != 0 {
			frames[c.owner] = c
		}
	}
	places := map[int64]screen.Rect{}
	for _, f := range p.seen.Info.Frames {
		places[f.Element] = f.Content
	}
	st.node(p, p.root, at, frames, places)
	if p.seen.Info.Focus != 0 {
		// A focused frame element means that the focus is inside; the inner document says where.
		if _, inner := frames[p.seen.Info.Focus]; !inner && (p.parent == nil || p.parent.seen.Info.Focus == p.owner) {
			st.s.Focus = p.doc.NodeID(p.seen.Info.Focus)
		}
	}
	for css, ids := range p.seen.Matches {
		for _, id := range ids {
			st.s.CSS[css] = append(st.s.CSS[css], p.doc.NodeID(id))
		}
	}
	return p.root
}

func (st *stitching) node(p *part, n *screen.Node, at placement, frames map[int64]*part, places map[int64]screen.Rect) {
	element := int64(n.ID)
	n.ID = p.doc.NodeID(element)
	n.Bounds = at.move(n.Bounds)
	if p.parent != nil {
		n.Visibility = at.see(n)
		if w, ok := n.Native.(*screen.Web); ok {
			own := *w // the mirror's copy stays untouched
			own.Frame = p.frame.Number
			n.Native = &own
		}
	}
	if st.c.secrets[n.ID] {
		conceal(n)
	}
	if wantsRef(n) {
		n.Ref = st.c.refs.Of(n)
	}
	for _, c := range n.Children {
		st.node(p, c, at, frames, places)
	}
	if inner := frames[element]; inner != nil {
		if root := st.part(inner, at.inside(places[element], n)); root != nil {
			n.Children = append(n.Children, root)
		}
	}
}

// conceal takes what an element shows out of it and everything below.
func conceal(n *screen.Node) {
	n.State |= screen.Masked
	n.Value, n.Text = "", ""
	for _, c := range n.Children {
		c.Name = ""
		conceal(c)
	}
}

func (at placement) move(r screen.Rect) screen.Rect {
	return screen.Rect{X: at.x + r.X*at.scale, Y: at.y + r.Y*at.scale, W: r.W * at.scale, H: r.H * at.scale}
}

// inside is the placement of the frame that element n shows in content.
func (at placement) inside(content screen.Rect, n *screen.Node) placement {
	box, scale := at.move(content), at.scale
	// The content box is in the frame's own pixels; a transform shows in how large the frame is painted.
	if own := content.W + 2*(content.X-(n.Bounds.X-at.x)/at.scale); own > 0 {
		if f := n.Bounds.W / at.scale / own; f < 0.98 || f > 1.02 {
			box.X, box.Y = n.Bounds.X+(box.X-n.Bounds.X)*f, n.Bounds.Y+(box.Y-n.Bounds.Y)*f
			box.W, box.H, scale = box.W*f, box.H*f, scale*f
		}
	}
	return placement{x: box.X, y: box.Y, scale: scale, clip: intersect(at.clip, box), vis: n.Visibility}
}

// see is whether a person sees a node of an inner frame: no better than they see the frame, and not
// what lies outside the part of the frame that is in view.
func (at placement) see(n *screen.Node) screen.Visibility {
	switch {
	case n.Visibility == screen.Hidden || n.Visibility == screen.Transparent:
		return n.Visibility
	case at.vis != screen.Visible:
		return at.vis
	case n.Visibility == screen.Visible && !n.Bounds.Empty() && intersect(at.clip, n.Bounds).Empty():
		return screen.Offscreen
	}
	return n.Visibility
}

func intersect(a, b screen.Rect) screen.Rect {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return screen.Rect{X: x, Y: y, W: min(a.X+a.W, b.X+b.W) - x, H: min(a.Y+a.H, b.Y+b.H) - y}
}

// doubtful returns the reason why a capture may not show the page as it will be.
func (p *part) doubtful() string {
	if p.cut {
		return "a text is longer than a million characters; only its beginning was read"
	}
	if p.parent != nil {
		return ""
	}
	if p.seen.Info.Ready == "loading" && (p.root == nil || len(p.root.Children) == 0) {
		return "still loading, and empty so far"
	}
	return ""
}

// wantsRef reports whether a person could act on the node, so that it needs a name to act by.
func wantsRef(n *screen.Node) bool {
	const acts = screen.Clickable | screen.Focusable | screen.Editable | screen.Draggable | screen.Checkable |
		screen.Expandable
	return n.State&acts != 0 || n.Scroll != nil || n.Role == "option" || n.Role == "iframe"
}

// lastHad reports whether the last capture had the node. The lock is held.
func (c *Camera) lastHad(id screen.NodeID) bool { return c.last != nil && c.last.Node(id) != nil }
