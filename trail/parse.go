package trail

import (
	"fmt"
	"slices"
	"strings"
)

// maxProblems bounds a report; after so many a reader starts over anyway.
const maxProblems = 100

// Parse reads a trail file of either format, recognised by its root: a list is v1, a mapping is unified. It reports
// all mistakes at once; the Trail is nil only when nothing can be made of the file.
func Parse(path string, data []byte, mode Mode) (*Trail, Problems) {
	d, root := open(path, data, mode)
	if root == nil {
		return nil, d.sorted()
	}
	t := &Trail{Path: path, Source: data}
	d.trail = t
	usable := true
	switch {
	case root.kind == kindSequence:
		t.Format = V1
		usable = d.v1(root)
	case root.kind == kindMapping && isDraft(root):
		t.Format = Draft
		d.draft(root)
	case root.kind == kindMapping:
		t.Format = Unified
		d.unified(root)
	default:
		d.errorf(root.pos, "", `A trail is a mapping with "trail:" in it.`, "a trail file is a mapping or a list, not %s",
			root.describe())
		usable = false
	}
	d.tokens()
	if !usable {
		return nil, d.sorted()
	}
	return t, d.sorted()
}

// ParseCalls reads a tool envelope: a list of single-key maps from tool name to arguments, as sent over RPC and given
// to --yaml.
func ParseCalls(path string, data []byte) ([]Recorded, Problems) {
	d, root := open(path, data, Strict)
	if root == nil {
		return nil, d.sorted()
	}
	calls := d.calls(root, "")
	return calls, d.sorted()
}

// open reads the YAML of a file and reports an empty one.
func open(path string, data []byte, mode Mode) (*decoder, *node) {
	d := &decoder{valueReader: valueReader{path: path}, mode: mode}
	src, bad := newSource(path, data)
	d.src = src
	if bad != nil {
		d.add(*bad)
		return d, nil
	}
	root := readYAML(src, d.add)
	if root == nil && len(d.problems.Errors()) == 0 ||
		root != nil && root.kind == kindNull && len(d.problems.Errors()) == 0 {
		d.errorf(Pos{Line: 1, Col: 1}, "", `Write "trail:" with a list of steps below it.`, "the file is empty")
		return d, nil
	}
	return d, root
}

// decoder turns nodes into a Trail.
type decoder struct {
	valueReader
	mode  Mode
	trail *Trail
}

// valueReader reads values and calls of a file and collects the mistakes.
type valueReader struct {
	path     string
	src      *source
	problems Problems
	dropped  int
	errors   int // how many of problems are errors
}

func (d *valueReader) add(p Problem) {
	if len(d.problems) >= maxProblems && (p.Severity != SeverityError || d.errors >= maxProblems) {
		d.dropped++
		return
	}
	if p.Severity == SeverityError {
		d.errors++
	}
	p.Path = d.path
	if d.src != nil && p.Excerpt == "" {
		p.Pos = d.src.clamp(p.Pos)
		p.Excerpt = d.src.excerpt(p.Pos)
	}
	d.problems = append(d.problems, p)
}

func (d *valueReader) errorf(at Pos, key, hint, format string, args ...any) {
	d.add(Problem{Pos: at, Severity: SeverityError, Key: key, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (d *valueReader) warnf(at Pos, key, hint, format string, args ...any) {
	d.add(Problem{Pos: at, Severity: SeverityWarning, Key: key, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (d *valueReader) notef(at Pos, hint, format string, args ...any) {
	d.add(Problem{Pos: at, Severity: SeverityNote, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// sorted returns the problems in file order.
func (d *valueReader) sorted() Problems {
	if d.dropped > 0 {
		last := d.problems[len(d.problems)-1]
		d.problems = append(d.problems, Problem{Path: d.path, Pos: last.Pos, Severity: last.Severity,
			Message: fmt.Sprintf("and %d more problems", d.dropped)})
		d.dropped = 0
	}
	slices.SortStableFunc(d.problems, func(a, b Problem) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Col - b.Pos.Col
	})
	d.problems = slices.Compact(d.problems) // a call that another one holds is looked at with it, and alone
	return d.problems
}

// unknown reports a key that means nothing here: an error when checking, a warning when running. instead may say more
// than the nearest known key.
func (d *decoder) unknown(e entry, where, instead string, known []string) {
	hint := instead
	if hint == "" {
		hint = didYouMean(e.key, known)
	}
	if hint == "" {
		hint = "Known here: " + oneOf(known) + "."
	}
	report := d.errorf
	if d.mode == Lenient || slices.Contains(d.otherFormat(where), e.key) {
		report = d.warnf
	}
	report(e.pos, where, hint, "unknown key %q", e.key)
}

// otherFormat are the keys that the format which this file is not in has at a place: a file that was moved from one
// to the other keeps them without harm.
func (d *decoder) otherFormat(where string) []string {
	switch {
	case d.trail == nil || !strings.HasSuffix(where, "config."+where[strings.LastIndexByte(where, '.')+1:]):
		return nil
	case d.trail.Format == V1:
		return unifiedConfigKeys
	}
	return v1ConfigKeys
}

// at joins a path inside the document: config + title gives config.title.
func at(where, key string) string {
	if where == "" {
		return key
	}
	return where + "." + key
}

func item(where string, i int) string { return fmt.Sprintf("%s[%d]", where, i) }
