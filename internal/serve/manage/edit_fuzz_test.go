package manage

import (
	"bytes"
	"testing"

	"github.com/trailblaze-dev/trailblaze/trail"
)

// FuzzTrailEdit proves that an edit of any file whatsoever is refused or leaves what was meant, and loses no comment
// that stood outside of what it took away.
func FuzzTrailEdit(f *testing.F) {
	f.Add([]byte("# a\nconfig: {id: x}\ntrail:\n  # b\n  - step: A\n    # c\n    recording:\n      web: [{a: {}}]\n\n  - verify: |\n "+
		"     B\n      # no comment\n"), 1, 0, 2, 1)
	f.Add([]byte("trail:\r\n- step: A\r\n- step: B\r\n  recordable: false\r\n"), 2, 1, 0, 1)
	f.Add([]byte("trail:\n  - recording: {web: []}\n    step: 'A # b'\n# end"), 5, 1, -1, 9)
	ops := []string{"GET", "INSERT", "REPLACE", "DELETE", "MOVE", "CLEAR_RECORDING"}
	f.Fuzz(func(t *testing.T, data []byte, op, index, position, count int) {
		in := trailEditIn{Op: ops[abs(op)%len(ops)], Name: "x", Index: abs(index)%8 + 1, Count: abs(count)%4 + 1, Prompt: "New: one # here"}
		if position != 0 {
			p := abs(position)%8 - 1
			in.Position = &p
		}
		if in.Op == "GET" {
			return
		}
		out, err := edited("x.trail.yaml", data, in)
		if err != nil {
			return
		}
		back, problems := trail.Parse("x.trail.yaml", out, trail.Lenient)
		if problems.Err() != nil || back == nil {
			t.Fatalf("%+v left a file that cannot be read: %v\n%s", in, problems, out)
		}
		if in.Op == "INSERT" || in.Op == "MOVE" {
			if a, b := bytes.Count(data, []byte("#")), bytes.Count(out, []byte("#")); b < a {
				t.Fatalf("%+v lost comments\n%s\n--- became\n%s", in, data, out)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
