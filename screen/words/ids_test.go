package words

import "testing"

func TestGeneratedIDs(t *testing.T) {
	for id, want := range map[string]bool{
		":r1:": true, "ember123": true, "radix-:r0:": true, "mat-input-3": true, "react-select-2-input": true, "a8f3c2e1": true, "input-20391": true,
		"7d9f1c2e-0a4b-4c1d-9e8f-001122334455": true, "«r3»": true, "css-1q2w3e": true,
		"save": false, "user-name": false, "f1n": false, "step2": false, "checkout_v2": false, "h1-title": false, "material": false,
	} {
		if got := Generated(id); got != want {
			t.Errorf("generated(%q) = %v, want %v", id, got, want)
		}
	}
}
