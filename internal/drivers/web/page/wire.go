package page

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// apply reads the lines that src/wire.ts describes. It works on slices of the one result string:
// nothing is copied, and nothing goes through reflection.
func (d *Document) apply(result string) error {
	line, rest, _ := strings.Cut(result, "\n")
	r := reader{doc: d}
	base, err := r.header(line)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "read capture")
	}
	if base != 0 && base != d.version {
		return ErrStale
	}
	if base == 0 {
		r.nodes = make(map[int64]*entry, strings.Count(rest, "\n"))
	} else {
		r.nodes = d.nodes
	}
	// A delta changes entries in place; no other code holds them. If it is broken, the
	// mirror is beyond repair and forgets its version, so that the next request asks for
	// everything.
	for line := range strings.SplitSeq(rest, "\n") {
		if line == "" {
			continue
		}
		if err := r.line(line); err != nil {
			d.version = 0
			return fault.Wrap(fmt.Errorf("line %.60q: %w", line, err), fault.Internal, "read capture")
		}
	}
	if err := r.close(base); err != nil {
		d.version = 0
		return fault.Wrap(err, fault.Internal, "read capture")
	}
	return nil
}

// reader holds what one Apply has read so far.
type reader struct {
	doc     *Document
	version int
	info    Info
	nodes   map[int64]*entry
	root    *entry
	open    []pending // whole tree: nodes whose kids are still to come
	kids    []kidList // delta: new kid lists, resolved when all nodes are known
	answers []answer
}

type pending struct {
	e    *entry
	left int
}

type kidList struct {
	of  int64
	ids []int64
}

type answer struct {
	index   int
	ids     []int64
	invalid string
}

func (r *reader) header(line string) (base int, err error) {
	f := fields{rest: line}
	if kind := f.next(); kind != "H" {
		return 0, fmt.Errorf("no header in %.40q", line)
	}
	r.version, base = int(f.int()), int(f.int())
	i := &r.info
	i.Width, i.Height, i.ScrollX, i.ScrollY = f.px(), f.px(), f.px(), f.px()
	i.Focus, i.Ready, i.URL, i.Title = f.int(), f.next(), unescape(f.next()), unescape(f.next())
	if r.version <= 0 && f.err == nil {
		f.err = fmt.Errorf("version %d", r.version)
	}
	return base, f.err
}

func (r *reader) line(line string) error {
	f := fields{rest: line}
	switch kind := f.next(); kind {
	case "N":
		return r.readNode(&f)
	case "U":
		e, err := r.known(f.int())
		if err != nil {
			return err
		}
		e.place(&f)
		return e.facts(&f)
	case "M":
		id := f.int()
		e := r.nodes[id]
		if e == nil {
			return fmt.Errorf("node %d moved but was never sent", id)
		}
		e.place(&f)
	case "K":
		k := kidList{of: f.int()}
		k.ids = f.ints()
		r.kids = append(r.kids, k)
	case "F":
		r.info.Frames = append(r.info.Frames, Frame{Element: f.int(), Content: f.rect()})
	case "C":
		r.info.Suspects = append(r.info.Suspects, f.int())
	case "Q":
		r.answers = append(r.answers, answer{index: int(f.int()), ids: f.ints()})
	case "E":
		r.answers = append(r.answers, answer{index: int(f.int()), invalid: unescape(f.next())})
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	return f.err
}

// readNode reads one node of a preorder walk and hangs it under the node that still waits for kids.
func (r *reader) readNode(f *fields) error {
	id, kids := f.int(), int(f.int())
	if kids < 0 || r.root != nil && len(r.open) == 0 {
		return fmt.Errorf("node %d does not fit the tree", id)
	}
	if r.nodes[id] != nil {
		return fmt.Errorf("node %d twice", id)
	}
	e := &entry{}
	e.node.ID = screen.NodeID(id)
	r.nodes[id] = e
	e.place(f)
	if err := e.facts(f); err != nil {
		return err
	}
	if r.root == nil {
		r.root = e
	} else {
		top := &r.open[len(r.open)-1]
		top.e.kids = append(top.e.kids, e)
		top.left--
	}
	if kids > 0 {
		r.open = append(r.open, pending{e, kids})
	}
	for len(r.open) > 0 && r.open[len(r.open)-1].left == 0 {
		r.open = r.open[:len(r.open)-1]
	}
	return f.err
}

func (r *reader) known(id int64) (*entry, error) {
	if id <= 0 {
		return nil, fmt.Errorf("node number %d", id)
	}
	e := r.nodes[id]
	if e == nil {
		e = &entry{}
		e.node.ID = screen.NodeID(id)
		r.nodes[id] = e
	}
	return e, nil
}

// close resolves kid lists and makes the new entries the mirror's state.
func (r *reader) close(base int) error {
	if len(r.open) > 0 {
		return fmt.Errorf("the tree ends early")
	}
	for _, k := range r.kids {
		e := r.nodes[k.of]
		if e == nil {
			return fmt.Errorf("kids of unknown node %d", k.of)
		}
		e.kids = make([]*entry, len(k.ids))
		for i, id := range k.ids {
			if e.kids[i] = r.nodes[id]; e.kids[i] == nil {
				return fmt.Errorf("node %d has unknown kid %d", k.of, id)
			}
		}
	}
	d := r.doc
	if base == 0 {
		d.root = r.root
	} else if len(r.kids) > 0 {
		live, ok := reachable(d.root, len(r.nodes))
		if !ok {
			return fmt.Errorf("the tree has a cycle")
		}
		r.nodes = live
	}
	d.version, d.Info, d.nodes = r.version, r.info, r.nodes
	d.answers = r.answers
	return nil
}

// reachable collects the entries that are still in the tree; the others are forgotten.
func reachable(root *entry, size int) (map[int64]*entry, bool) {
	live := make(map[int64]*entry, size)
	ok := true
	var walk func(e *entry)
	walk = func(e *entry) {
		if live[int64(e.node.ID)] != nil {
			ok = false
			return
		}
		live[int64(e.node.ID)] = e
		for _, k := range e.kids {
			if ok {
				walk(k)
			}
		}
	}
	if root != nil {
		walk(root)
	}
	return live, ok
}
