package memory

import (
	"strings"
	"testing"
)

// TestOwners proves that an owner reads its own values by their names alone, before those of all, and those of others
// behind their names, secrets and their origins included.
func TestOwners(t *testing.T) {
	all := New()
	all.Set("shop", "everyone's")
	all.SetSecret("alice.password", "hunter22")
	all.BindOrigin("alice.password", "https://shop.example")
	alice, bob := all.Of("alice"), all.Of("bob")
	alice.Set("code", "A-1")
	alice.Set("user", map[string]any{"name": "Alice"})
	bob.Set("code", "B-2")
	bob.Set("shop", "bob's")
	for _, test := range []struct {
		by         *Store
		text, want string
	}{
		{alice, "{{code}} {{alice.code}} {{bob.code}}", "A-1 A-1 B-2"},
		{bob, "{{code}} {{alice.code}} {{memory.alice.code}}", "B-2 A-1 A-1"},
		{alice, "{{shop}} {{bob.shop}}", "everyone's bob's"},
		{bob, "{{shop}} {{alice.user.name}}", "bob's Alice"},
		{alice, "{{user.name}} {{password}}", "Alice hunter22"},
		{bob, "{{password}} {{user.name}}", "{{password}} {{user.name}}"},
		{all, "{{alice.code}} {{bob.code}} {{shop}} {{code}}", "A-1 B-2 everyone's {{code}}"},
	} {
		if got, _, err := test.by.ExpandString(test.text); err != nil || got != test.want {
			t.Errorf("%s: %q is %q (%v), want %q", test.by.owner, test.text, got, err, test.want)
		}
	}
	if !alice.IsSecret("password") || bob.IsSecret("password") || alice.SecretOrigin("password") != "https://shop.example" {
		t.Error("the password is not alice's secret alone")
	}
	if got := alice.SecretsIn([]byte(`{"text":"{{password}}"}`)); len(got) != 1 || got[0] != "alice.password" {
		t.Errorf("secrets in her call: %v", got)
	}
	if bob.Mask("hunter22") == "hunter22" {
		t.Error("bob's store does not mask alice's secret")
	}
	if got := alice.Public(); got["code"] != "A-1" || got["bob.code"] != "B-2" || got["alice.code"] != nil {
		t.Errorf("what may be shown to alice: %v", got)
	}
	if got, want := strings.Join(bob.Names(), " "), "alice.code alice.password alice.user code shop"; got != want {
		t.Errorf("names for bob: %s, want %s", got, want)
	}
	alice.Delete("code")
	if _, ok := alice.Get("code"); ok {
		t.Error("the deleted code is still there")
	}
	if v, _ := bob.Get("code"); v != "B-2" {
		t.Errorf("bob's code is %v", v)
	}
}
