package script

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// place is a position in a file of the author's.
type place struct {
	file      string
	line, col int // from 1
}

// String is "login.ts:12:5".
func (p place) String() string { return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.col) }

// mapping maps the code from here on to its source. Lines and columns count from 0.
type mapping struct{ line, col, source, toLine, toCol int }

// sourceMap finds where generated code comes from.
type sourceMap struct {
	sources  []string
	mappings []mapping
}

// readSourceMap reads version 3 of the format.
func readSourceMap(raw []byte) (*sourceMap, error) {
	var in struct {
		Sources  []string `json:"sources"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	m := &sourceMap{sources: in.Sources}
	at := mapping{}
	for line := range strings.SplitSeq(in.Mappings, ";") {
		at.col = 0
		for seg := range strings.SplitSeq(line, ",") {
			fields := vlq(seg)
			if len(fields) > 0 {
				at.col += fields[0]
			}
			if len(fields) < 4 {
				continue
			}
			at.source, at.toLine, at.toCol = at.source+fields[1], at.toLine+fields[2], at.toCol+fields[3]
			if at.source >= 0 && at.source < len(m.sources) {
				m.mappings = append(m.mappings, at)
			}
		}
		at.line++
	}
	return m, nil
}

const vlqDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// vlq reads the numbers of a segment: five bits a digit, the lowest bit of a number is its sign.
func vlq(seg string) (out []int) {
	n, shift := 0, 0
	for i := range len(seg) {
		d := strings.IndexByte(vlqDigits, seg[i])
		if d < 0 || shift > 30 {
			return nil
		}
		n |= (d & 31) << shift
		if shift += 5; d&32 != 0 {
			continue
		}
		if v := n >> 1; n&1 != 0 {
			out = append(out, -v)
		} else {
			out = append(out, v)
		}
		n, shift = 0, 0
	}
	return out
}

// find returns the source of a position of the generated code (from 1); ok is false for code of ours.
func (m *sourceMap) find(line, col int) (place, bool) {
	if m == nil {
		return place{}, false
	}
	line, col = line-1, col-1
	i := sort.Search(len(m.mappings), func(i int) bool {
		a := m.mappings[i]
		return a.line > line || a.line == line && a.col > col
	}) - 1
	if i < 0 || m.mappings[i].line != line {
		return place{}, false
	}
	a := m.mappings[i]
	name, isFile := strings.CutPrefix(m.sources[a.source], filesNS+":")
	return place{name, a.toLine + 1, a.toCol + 1}, isFile
}

var frame = regex.Lazy(`^\s*at (\S+)? ?\(?<[a-z]+>:(\d+):(\d+)\)?$`)

// trace is the part of a stack that is in the author's files, innermost first.
func (m *sourceMap) trace(stack string) (places []place, lines []string) {
	for l := range strings.SplitSeq(stack, "\n") {
		f := frame().FindStringSubmatch(l)
		if f == nil {
			continue
		}
		line, _ := strconv.Atoi(f[2])
		col, _ := strconv.Atoi(f[3])
		if p, ok := m.find(line, col); ok {
			places = append(places, p)
			lines = append(lines, strings.TrimSpace("at "+f[1])+" "+p.String())
		}
	}
	return places, lines
}
