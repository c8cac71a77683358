package trail

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// rewriteFile makes the file that says old say want, by replacing only the lines that must change. The result is read
// back; should it not say what it must, as with anchors or YAML laid out in ways we do not edit, the file is written
// anew with its comments carried over.
func rewriteFile(data []byte, old, want *Trail, classifier string) ([]byte, []string, error) {
	if sameMeaning(old, want) {
		return data, nil, nil
	}
	if out, ok := editFile(data, old, want, classifier); ok {
		if got, problems := Parse(old.Path, out, Lenient); problems.Err() == nil && sameMeaning(got, want) {
			return out, nil, nil
		}
	}
	out, err := encode(want, carriedComments(want, data))
	if err != nil {
		return nil, nil, err
	}
	got, problems := Parse(old.Path, out, Lenient)
	if err := problems.Err(); err != nil {
		return nil, nil, fault.Wrap(err, fault.Internal, "read the merged file back")
	}
	if !sameMeaning(got, want) {
		return nil, nil, fault.New(fault.Internal, "", "the merged file does not read back as what was merged")
	}
	return out, []string{"the file's layout cannot be edited in place; it was written anew, its comments kept"}, nil
}

// change replaces the lines from (1-based) up to and without to by lines.
type change struct {
	from, to int
	lines    []string
}

// editor collects line changes to a unified file.
type editor struct {
	src        *source
	changes    []change
	comments   []comment
	classifier string
	failed     bool
}

// editFile applies the difference between old and want to the bytes of the file.
func editFile(data []byte, old, want *Trail, classifier string) ([]byte, bool) {
	src, bad := newSource(old.Path, data)
	if bad != nil {
		return nil, false
	}
	quiet := func(Problem) {}
	root := readYAML(src, quiet)
	if root == nil || root.kind != kindMapping || root.flow {
		return nil, false
	}
	ed := &editor{src: src, classifier: classifier, comments: src.comments()}
	ed.config(root, old, want)
	ed.head(root, old, want)
	ed.steps(root, old, want)
	if ed.failed {
		return nil, false
	}
	return ed.apply(data), true
}

func (ed *editor) fail() { ed.failed = true }

// replace changes lines. Comments of those that go stay, above what comes, or where the first of them began: as deep
// as they stood they could become part of a text above.
func (ed *editor) replace(from, to int, lines []string) {
	var kept []string
	for _, c := range ed.comments {
		if c.line < from || c.line >= to {
			continue
		}
		like := ed.src.lines[from-1]
		if len(lines) > 0 {
			like = lines[0]
		}
		kept = append(kept, like[:len(like)-len(strings.TrimLeft(like, " "))]+c.text)
	}
	ed.swap(from, to, append(kept, lines...))
}

// swap changes lines that carry their comments over themselves.
func (ed *editor) swap(from, to int, lines []string) {
	ed.changes = append(ed.changes, change{from, to, lines})
}

func (ed *editor) steps(root *node, old, want *Trail) {
	list := root.get("trail")
	if list == nil {
		if len(want.Steps) > 0 {
			ed.append(root, want.Steps)
		}
		return
	}
	if list.kind != kindSequence || list.alias || list.flow && len(want.Steps) > 0 || len(list.items) != len(old.Steps) {
		ed.fail()
		return
	}
	for i, it := range list.items {
		if !sameStep(&old.Steps[i], &want.Steps[i]) {
			ed.step(it, &old.Steps[i], &want.Steps[i], list.pos.Col)
		}
	}
	if len(want.Steps) > len(old.Steps) {
		ed.appendSteps(list, want.Steps[len(old.Steps):])
	}
}

// append writes "trail:" and its steps at the end of a file that had none.
func (ed *editor) append(root *node, steps []Step) {
	e := &emitter{}
	e.gap()
	e.lines = append(e.lines, "")
	e.line(0, "trail:")
	for i := range steps {
		if e.step(2, &steps[i]) != nil {
			ed.fail()
			return
		}
	}
	end := ed.end(root, 0)
	ed.replace(end, end, e.lines)
}

func (ed *editor) appendSteps(list *node, steps []Step) {
	last := list.items[len(list.items)-1]
	e := &emitter{}
	for i := range steps {
		s := steps[i]
		s.Pos = Pos{}
		if e.step(list.pos.Col-1, &s) != nil {
			ed.fail()
			return
		}
	}
	end := ed.end(last, list.pos.Col)
	ed.replace(end, end, e.lines)
}

// step edits the recording of one step.
func (ed *editor) step(n *node, old, want *Step, dash int) {
	if n.flow || n.alias || n.kind != kindMapping {
		ed.replaceStep(n, want, dash)
		return
	}
	rec := find(n, "recording")
	calls, keep := want.Recordings[ed.classifier]
	col := n.entries[0].pos.Col
	if rec == nil {
		end := ed.end(n, col-1)
		e := &emitter{}
		e.line(col-1, "recording:")
		ed.check(e.class(col+1, col+3, ed.classifier, calls))
		ed.replace(end, end, e.lines)
		return
	}
	ed.recording(rec, old, keep, func(e *emitter, key, dash int) error { return e.class(key, dash, ed.classifier, calls) })
}

// replaceStep replaces a step that is written in one line, or by an alias.
func (ed *editor) replaceStep(n *node, want *Step, dash int) {
	s := *want
	s.Pos = Pos{}
	e := &emitter{}
	ed.check(e.step(dash-1, &s))
	line := n.pos.Line
	if n.alias || !strings.HasPrefix(strings.TrimSpace(ed.src.lines[line-1]), "-") {
		ed.fail()
		return
	}
	ed.replace(line, ed.end(n, dash), e.lines)
}

// recording replaces, adds or removes one slot below a "recording:" key.
func (ed *editor) recording(rec *entry, old *Step, keep bool, slot func(e *emitter, key, dash int) error) {
	v := rec.value
	if v.kind != kindMapping || v.alias || rec.merged {
		ed.fail()
		return
	}
	if v.flow {
		ed.flowRecording(rec, keep, slot)
		return
	}
	col := v.entries[0].pos.Col
	e := &emitter{}
	was := find(v, ed.classifier)
	switch {
	case was == nil:
		ed.check(slot(e, col-1, col+1))
		end := ed.end(v, col-1)
		ed.replace(end, end, e.lines)
	case was.merged:
		ed.fail()
	case !keep:
		gone := was
		if len(v.entries) == 1 {
			gone = rec
		}
		ed.replace(gone.pos.Line, ed.entryEnd(gone), nil)
	default:
		dash := col + 1
		if b := was.value; b.kind == kindSequence && !b.flow && !b.alias {
			dash = b.pos.Col - 1
		}
		ed.check(slot(e, col-1, dash))
		ed.classLines(was, old, e.lines, dash)
	}
}

// classLines replaces the lines of one device class, but keeps those of the calls at its start and end that stay the
// same, and the comments between.
func (ed *editor) classLines(was *entry, old *Step, lines []string, dash int) {
	from, to := was.pos.Line, ed.entryEnd(was)
	if b := was.value; b.kind != kindSequence || b.flow || b.alias || len(b.items) == 0 ||
		len(b.items) != len(old.Recordings[ed.classifier]) {
		ed.replace(from, to, lines)
		return
	}
	ed.calls(was.value, lines[1:], dash)
}

// calls replaces only the calls that changed: each new call is a block of lines that starts with a dash.
func (ed *editor) calls(list *node, lines []string, dash int) {
	var blocks [][]string
	prefix := strings.Repeat(" ", dash) + "- "
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			blocks = append(blocks, nil)
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], l)
	}
	head := 0
	for head < len(blocks) && head < len(list.items) && saysCall(list.items[head], blocks[head]) {
		head++
	}
	tail := 0
	for tail < len(blocks)-head && tail < len(list.items)-head &&
		saysCall(list.items[len(list.items)-1-tail], blocks[len(blocks)-1-tail]) {
		tail++
	}
	gone, come := list.items[head:len(list.items)-tail], blocks[head:len(blocks)-tail]
	for i, it := range gone {
		if i < len(come) {
			ed.replace(ed.dashLine(it), ed.end(it, list.pos.Col), come[i])
		} else {
			ed.replace(ed.dashLine(it), ed.end(it, list.pos.Col), nil)
		}
	}
	if len(come) <= len(gone) {
		return
	}
	at := ed.dashLine(list.items[0])
	if n := head + len(gone); n > 0 {
		at = ed.end(list.items[n-1], list.pos.Col)
	}
	ed.replace(at, at, slices.Concat(come[len(gone):]...))
}

// saysCall reports whether an item is the call that these lines write.
func saysCall(it *node, block []string) bool {
	d := &decoder{}
	c, ok := d.call(it, "")
	now, problems := ParseCalls("", []byte(strings.Join(block, "\n")))
	return ok && len(problems) == 0 && len(now) == 1 && sameCall(c, now[0])
}

// dashLine returns the line of an item's dash, which may be above the item.
func (ed *editor) dashLine(it *node) int {
	for line := it.pos.Line; line > 0; line-- {
		if strings.HasPrefix(strings.TrimLeft(ed.src.lines[line-1], " "), "-") {
			return line
		}
	}
	ed.fail()
	return it.pos.Line
}

// flowRecording rewrites "recording: { … }" in block form; the other classes' values keep their spelling.
func (ed *editor) flowRecording(rec *entry, keep bool, slot func(e *emitter, key, dash int) error) {
	col := rec.pos.Col
	e := &emitter{}
	e.line(col-1, "recording:")
	for _, o := range rec.value.entries {
		if o.key == ed.classifier {
			continue
		}
		text, ok := ed.text(o.value)
		if !ok || o.merged {
			ed.fail()
			return
		}
		e.line(col+1, scalarText(o.key)+": "+text)
	}
	if keep {
		ed.check(slot(e, col+1, col+3))
	}
	if len(e.lines) == 1 {
		e.lines = nil
	}
	prefix := strings.TrimSpace(string([]rune(ed.src.lines[rec.pos.Line-1])[:col-1]))
	if prefix != "" {
		ed.fail() // it is the first key of a step and shares its line with the dash
		return
	}
	ed.replace(rec.pos.Line, ed.entryEnd(rec), e.lines)
}

// text is the source text of a flow value that stands on one line.
func (ed *editor) text(n *node) (string, bool) {
	if !n.flow || n.alias || n.end.Line != n.pos.Line {
		return "", false
	}
	line := []rune(ed.src.lines[n.pos.Line-1])
	if n.pos.Col < 1 || n.end.Col > len(line) {
		return "", false
	}
	return string(line[n.pos.Col-1 : n.end.Col]), true
}

func (ed *editor) check(err error) {
	if err != nil {
		ed.fail()
	}
}

func find(n *node, key string) *entry {
	for i := range n.entries {
		if n.entries[i].key == key {
			return &n.entries[i]
		}
	}
	return nil
}
