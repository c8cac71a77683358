package shell

import "testing"

// TestClientID proves whose client a command has: a terminal's own, or one by name.
func TestClientID(t *testing.T) {
	a := func(word string) *Shell {
		return &Shell{Streams: Streams{Env: func(k string) string { return map[string]string{clientEnv: word}[k] }}}
	}
	given := "tb_abcdefghijklmnopqrstuvwxyz"
	if got := a(given).ClientID("/w"); got != given {
		t.Errorf("an id became %q", got)
	}
	one, two := a("agent 1").ClientID("/w"), a("agent 2").ClientID("/w")
	if !isClientID(one) || one == two || one != a("agent 1").ClientID("/w") || one == a("agent 1").ClientID("/v") {
		t.Errorf("handles %q and %q, want one for each word and workspace", one, two)
	}
	for _, bad := range []string{"", "tb_", "tb_ABCDEFGHIJKLMNOPQRSTUVWXYZ", "tb_abcdefghijklmnopqrstuvwxy1", "x" + given} {
		if isClientID(bad) {
			t.Errorf("%q counts as an id", bad)
		}
	}
}
