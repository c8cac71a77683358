package shell

import "testing"

// TestSeat proves whose seat a command has: a terminal's own, or one by name.
func TestSeat(t *testing.T) {
	a := func(word string) *Shell {
		return &Shell{Streams: Streams{Env: func(k string) string { return map[string]string{seatEnv: word}[k] }}}
	}
	given := "tb_abcdefghijklmnopqrstuvwxyz"
	if got := a(given).Seat("/w"); got != given {
		t.Errorf("a handle became %q", got)
	}
	one, two := a("agent 1").Seat("/w"), a("agent 2").Seat("/w")
	if !isHandle(one) || one == two || one != a("agent 1").Seat("/w") || one == a("agent 1").Seat("/v") {
		t.Errorf("handles %q and %q, want one for each word and workspace", one, two)
	}
	for _, bad := range []string{"", "tb_", "tb_ABCDEFGHIJKLMNOPQRSTUVWXYZ", "tb_abcdefghijklmnopqrstuvwxy1", "x" + given} {
		if isHandle(bad) {
			t.Errorf("%q counts as a handle", bad)
		}
	}
}
