package screen

import "time"

// Snapshot is one capture of a screen. It is immutable once its driver hands it out and safe for concurrent reading;
// everything that asks about a screen (Find, Text, Diff, SelectorFor) is a pure function of it.
type Snapshot struct {
	Seq      uint64    `json:"seq"` // grows with every capture of a device session
	Taken    time.Time `json:"taken"`
	Platform string    `json:"platform"` // "web", "android", "ios"
	URL      string    `json:"url,omitempty"`
	Title    string    `json:"title,omitempty"`
	Width    int       `json:"width"`
	Height   int       `json:"height"`
	Quality  Quality   `json:"quality"`
	Dialog   *Dialog   `json:"dialog,omitempty"` // the open alert, confirm, prompt or beforeunload
	Focus    NodeID    `json:"focus,omitempty"`
	Root     *Node     `json:"root"`

	// CSS holds, for every CSS selector the capture was asked about, the matching nodes in document order. A stored
	// snapshot can so be queried again without its page.
	CSS map[string][]NodeID `json:"css,omitempty"`

	// Namer gives refs to elements that nothing acts on, where a view shows them because somebody looked for them.
	Namer Namer `json:"-"`

	byID  map[NodeID]*Node
	byRef map[string]*Node
	apart bool // some node is, see Node.Apart
}

// Namer hands out refs that no node of a capture carries: an element has one as soon as somebody asks.
type Namer interface {
	NameFor(n *Node) string                  // its ref, for as long as the element lives
	NamedBy(ref string) (id NodeID, ok bool) // the element that was given the ref
}

// Dialog is an open JavaScript dialog.
type Dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
}

// Quality is the verdict on the capture itself. An assertion on anything but a Complete capture is inconclusive.
type Quality struct {
	Verdict string   `json:"verdict"` // Complete or Degraded
	Reasons []string `json:"reasons,omitempty"`
}

// The verdicts.
const (
	Complete = "complete"
	Degraded = "degraded"
)

// Index fills Parent links and the id and ref tables. Drivers call it once, before they hand the snapshot out.
func (s *Snapshot) Index() {
	s.byID, s.byRef, s.apart = map[NodeID]*Node{}, map[string]*Node{}, false
	var walk func(n, parent *Node)
	walk = func(n, parent *Node) {
		n.Parent = parent
		s.byID[n.ID] = n
		s.apart = s.apart || n.Apart
		if n.Ref != "" {
			s.byRef[n.Ref] = n
		}
		for _, c := range n.Children {
			walk(c, n)
		}
	}
	if s.Root != nil {
		walk(s.Root, nil)
	}
}

// Node returns the node with that id, or nil.
func (s *Snapshot) Node(id NodeID) *Node { return s.byID[id] }

// RefFor returns the ref of a node that somebody looked for: its own, or one that its driver gives it now.
func (s *Snapshot) RefFor(n *Node) string {
	if n.Ref == "" && s.Namer != nil {
		return s.Namer.NameFor(n)
	}
	return n.Ref
}

// ByRef returns the node with that ref, or nil.
func (s *Snapshot) ByRef(ref string) *Node {
	if n := s.byRef[ref]; n != nil || s.Namer == nil {
		return n
	}
	id, ok := s.Namer.NamedBy(ref)
	if !ok {
		return nil
	}
	return s.byID[id]
}
