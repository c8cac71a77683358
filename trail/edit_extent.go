package trail

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// entryEnd is the line after the last one of a block mapping's entry.
func (ed *editor) entryEnd(e *entry) int {
	dash := e.value.kind == kindSequence && !e.value.flow
	return ed.after(e.pos.Line, e.pos.Col, dash, deepest(e.value))
}

// end is the line after the last one of a block node whose lines are indented deeper than indent (0: column 1).
func (ed *editor) end(n *node, indent int) int {
	return ed.after(n.pos.Line, indent, false, deepest(n))
}

// after finds the end of a block that starts on line and includes the lines indented beyond column col: blank lines
// and comments belong to it only when something else of it follows. dash lets the items of a list start in col
// itself.
func (ed *editor) after(line, col int, dash bool, least int) int {
	last := line
	for i := line; i < len(ed.src.lines); i++ {
		text := ed.src.lines[i]
		trimmed := strings.TrimLeft(text, " ")
		indent := len(text) - len(trimmed)
		trimmed = strings.TrimSpace(trimmed)
		switch {
		case trimmed == "":
			continue
		case indent >= col || dash && indent == col-1 && (trimmed == "-" || strings.HasPrefix(trimmed, "- ")):
			if trimmed[0] != '#' || i+1 <= least {
				last = i + 1
			}
			continue
		case trimmed[0] == '#':
			continue
		}
		break
	}
	return max(last, least) + 1
}

// deepest is the last line on which a flow collection or a scalar of the subtree is known to stand. Aliased values
// stand elsewhere.
func deepest(n *node) int {
	if n.alias {
		return 0
	}
	last := max(n.pos.Line, n.end.Line, n.last)
	for _, e := range n.entries {
		if !e.merged {
			last = max(last, deepest(e.value))
		}
	}
	for _, it := range n.items {
		last = max(last, deepest(it))
	}
	return last
}

// apply makes the changes from the bottom up, in the file's own line ends.
func (ed *editor) apply(data []byte) []byte {
	// At one line the replacement goes first and then the insertions, last one first, so that all end up in order.
	slices.Reverse(ed.changes)
	slices.SortStableFunc(ed.changes, func(a, b change) int {
		return cmp.Or(b.from-a.from, b.to-a.to)
	})
	eol := "\n"
	if n := bytes.Count(data, []byte("\r\n")); n > 0 && 2*n > bytes.Count(data, []byte("\n")) {
		eol = "\r\n"
	}
	lines := splitLines(data)
	for _, c := range ed.changes {
		from, to := min(c.from-1, len(lines)), min(c.to-1, len(lines))
		fresh := make([][]byte, len(c.lines))
		for i, l := range c.lines {
			fresh[i] = []byte(l + eol)
		}
		if from == len(lines) && from > 0 && !bytes.HasSuffix(lines[from-1], []byte("\n")) && len(fresh) > 0 {
			lines[from-1] = append(slices.Clone(lines[from-1]), eol...)
		}
		lines = slices.Replace(lines, from, to, fresh...)
	}
	return bytes.Join(lines, nil)
}

// splitLines splits after each line end, a lone carriage return included, as newSource counts lines.
func splitLines(data []byte) [][]byte {
	var out [][]byte
	start := 0
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 >= len(data) || data[i+1] != '\n') {
			out = append(out, data[start:i+1])
			start = i + 1
		}
	}
	if start < len(data) {
		out = append(out, data[start:])
	}
	return out
}
