package screen

import (
	"sync"
	"time"
)

// Snapshot is one capture of a screen. It is immutable once its driver hands it out and safe for concurrent reading;
// everything that asks about a screen (Find, text.Of, diff.Between, identity.SelectorFor) is a pure function of it.
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

	// Namer gives refs to elements that nothing acts on, where a view lists them as results of a search.
	Namer Namer `json:"-"`

	all         []*Node          // in reading order
	ends        []int32          // of each in all: where what is below it ends
	at          map[NodeID]int32 // where each stands in all
	byRef       map[string]*Node
	roles       *roles
	splitSecret bool // some node is, see Node.Apart
	dressed     bool // some text is printed otherwise than it is written
}

// Namer hands out refs that no node of a capture has: an element gets one when it is first asked for.
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

// Index fills Parent links and the tables by id, ref and place. Drivers call it once, before they hand the snapshot
// out.
func (s *Snapshot) Index() {
	s.roles = &roles{}
	known := max(len(s.all), 64)
	s.all, s.ends, s.at, s.byRef, s.splitSecret, s.dressed = make([]*Node, 0, known), make([]int32, 0, known),
		make(map[NodeID]int32, known), map[string]*Node{}, false, false
	var walk func(n, parent *Node)
	walk = func(n, parent *Node) {
		n.Parent = parent
		i := len(s.all)
		s.all, s.ends = append(s.all, n), append(s.ends, 0)
		s.at[n.ID] = int32(i)
		s.splitSecret = s.splitSecret || n.SplitSecret
		if w, ok := n.Native.(*Web); ok && w.Transform != "" {
			s.dressed = true
		}
		if n.Ref != "" {
			s.byRef[n.Ref] = n
		}
		for _, c := range n.Children {
			walk(c, n)
		}
		s.ends[i] = int32(len(s.all))
	}
	if s.Root != nil {
		walk(s.Root, nil)
	}
}

// Node returns the node with that id, or nil.
func (s *Snapshot) Node(id NodeID) *Node {
	if i, ok := s.at[id]; ok {
		return s.all[i]
	}
	return nil
}

// Span returns where n stands in reading order, and where the nodes below it end.
func (s *Snapshot) Span(n *Node) (from, to int) {
	i := s.at[n.ID]
	return int(i), int(s.ends[i])
}

// roles are the places in all of the nodes of each role, made when they are first asked for.
type roles struct {
	once sync.Once
	at   map[string][]int32

	phones     sync.Once // see PhoneSayings
	replyNames map[string][]int32
}

// OfRole returns the places in all of the nodes of a role, in reading order.
func (s *Snapshot) OfRole(role string) []int32 {
	if s.roles == nil {
		return nil // the snapshot was not indexed
	}
	s.roles.once.Do(func() {
		s.roles.at = map[string][]int32{}
		last, list := "", []int32(nil)
		for i, n := range s.all {
			if n.Role != last || i == 0 {
				if i > 0 {
					s.roles.at[last] = list
				}
				last, list = n.Role, s.roles.at[n.Role]
			}
			list = append(list, int32(i))
		}
		s.roles.at[last] = list
	})
	return s.roles.at[role]
}

// Below lists n and the nodes below it in reading order, without copying anything.
func (s *Snapshot) Below(n *Node) []*Node {
	if n == nil {
		return nil
	}
	if i, ok := s.at[n.ID]; ok && s.all[i] == n {
		return s.all[i:s.ends[i]]
	}
	return Preorder(n) // the snapshot was not indexed
}

// ElementCSS begins a CSS selector of an element by its number in its document, which names no other element of it.
const ElementCSS = "element="

// RefFor returns the ref of a node that was searched for: its own, or one that its driver gives it now.
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
	return s.Node(id)
}
