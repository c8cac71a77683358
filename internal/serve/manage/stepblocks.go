package manage

import (
	"bytes"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// stepBlocks is a trail file as lines, cut where its steps begin. A comment above a step belongs to that step.
type stepBlocks struct {
	path   string
	head   []string   // all before the first step
	steps  [][]string // the lines of each
	tail   []string   // all after the last
	indent int        // spaces before the dash
	crlf   bool
}

func blocksOf(data []byte, t *trail.Trail) (*stepBlocks, error) {
	b := &stepBlocks{path: t.Path, crlf: bytes.Contains(data, []byte("\r\n"))}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), "\n")
	starts, err := b.starts(lines, t)
	if err != nil {
		return nil, err
	}
	end := t.Steps[len(t.Steps)-1].Pos.Line // of the last step: the next line that is not deeper than its dash
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || leading(lines[end]) > b.indent) {
		end++
	}
	for end > starts[len(starts)-1]+1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	b.head, b.tail = lines[:starts[0]], lines[end:]
	for i, at := range starts {
		next := end
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		b.steps = append(b.steps, lines[at:next])
	}
	return b, nil
}

// starts are the first lines of the steps, with the comments above them. It notes how deep the dashes stand.
func (b *stepBlocks) starts(lines []string, t *trail.Trail) ([]int, error) {
	var out []int
	for i, s := range t.Steps {
		at := s.Pos.Line - 1
		if at < 0 || at >= len(lines) {
			return nil, byHand(t.Path)
		}
		dash := strings.Index(lines[at], "- ")
		if dash < 0 || strings.TrimSpace(lines[at][:dash]) != "" || i > 0 && (dash != b.indent || at <= out[i-1]) {
			return nil, byHand(t.Path)
		}
		b.indent = dash
		for at > 0 && strings.HasPrefix(strings.TrimSpace(lines[at-1]), "#") && (i == 0 || at-1 > out[i-1]) {
			at--
		}
		out = append(out, at)
	}
	return out, nil
}

func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// edit changes the lines of the steps; its caller checks the result.
func (b *stepBlocks) edit(in trailEditIn) ([]byte, error) {
	at, count := in.Index-1, max(in.Count, 1)
	to, err := after(in.Position, len(b.steps))
	if err != nil {
		return nil, err
	}
	switch action(in.Op) {
	case "INSERT":
		lines, err := b.written(in.Prompt, kindOr(in.StepType, trail.ActionStep))
		if err != nil {
			return nil, err
		}
		b.steps = slices.Insert(b.steps, to, lines)
	case "REPLACE":
		if err := b.reword(at, in); err != nil {
			return nil, err
		}
	case "DELETE":
		b.steps = slices.Delete(b.steps, at, min(at+count, len(b.steps)))
	case "MOVE":
		end := min(at+count, len(b.steps))
		moved := slices.Clone(b.steps[at:end])
		b.steps = slices.Delete(b.steps, at, end)
		if to > at {
			to -= len(moved)
		}
		b.steps = slices.Insert(b.steps, to, moved...)
	case "CLEAR_RECORDING":
		b.steps[at] = b.cleared(b.steps[at], in.Platform)
	}
	return b.bytes(), nil
}

// written are the lines of a new step, as our own encoder writes them.
func (b *stepBlocks) written(text string, kind trail.StepKind) ([]string, error) {
	data, err := trail.Encode(&trail.Trail{Format: trail.Unified,
		Steps: []trail.Step{{Kind: kind, Text: strings.TrimSpace(text), Recordable: true}}})
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")[1:] // without "trail:"
	shift := b.indent - leading(lines[0])
	for i, l := range lines {
		if shift >= 0 {
			lines[i] = strings.Repeat(" ", shift) + l
		} else {
			lines[i] = strings.TrimPrefix(l, strings.Repeat(" ", -shift))
		}
	}
	return lines, nil
}

var sentenceKey = regex.Lazy(`^(\s*)(- +)?(step|verify):`)

// reword replaces the text of a step and leaves its other lines.
func (b *stepBlocks) reword(at int, in trailEditIn) error {
	lines := b.steps[at]
	from := slices.IndexFunc(lines, sentenceKey().MatchString)
	if from < 0 {
		return byHand(b.path)
	}
	m := sentenceKey().FindStringSubmatch(lines[from])
	fresh, err := b.written(in.Prompt, kindOr(in.StepType, trail.StepKind(m[3])))
	if err != nil {
		return err
	}
	if m[2] == "" { // not the first key of its step
		return byHand(b.path)
	}
	to := b.keyEnd(lines, from, b.indent+len(m[2]))
	b.steps[at] = slices.Concat(lines[:from], fresh, lines[to:])
	return nil
}

// cleared are a step's lines without its recording, or without that of one platform.
func (b *stepBlocks) cleared(lines []string, platform string) []string {
	for i, l := range lines {
		if !strings.HasPrefix(strings.TrimSpace(l), "recording:") {
			continue
		}
		end := b.keyEnd(lines, i, leading(l))
		if platform == "" {
			return slices.Concat(lines[:i], lines[end:])
		}
		for j := i + 1; j < end; j++ {
			if strings.HasPrefix(strings.TrimSpace(lines[j]), platform+":") {
				from, to := j, b.keyEnd(lines, j, leading(lines[j]))
				if leading(lines[i+1]) == leading(lines[j]) && from == i+1 && to == end {
					from = i // it was the only one
				}
				return slices.Concat(lines[:from], lines[to:])
			}
		}
	}
	return lines
}

// keyEnd returns the line after the value of the key on line at, whose key is in column col.
func (b *stepBlocks) keyEnd(lines []string, at, col int) int {
	end := at + 1
	for end < len(lines) &&
		(strings.TrimSpace(lines[end]) == "" || leading(lines[end]) > col ||
			leading(lines[end]) == col && strings.HasPrefix(strings.TrimSpace(lines[end]), "- ")) {
		end++
	}
	for end > at+1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return end
}

func (b *stepBlocks) bytes() []byte {
	text := strings.Join(slices.Concat(b.head, slices.Concat(b.steps...), b.tail), "\n") + "\n"
	if b.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}
