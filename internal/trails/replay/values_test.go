package replay_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestValuesSeed proves the order of precedence: the trail, the base URL, the caller, secrets.
func TestValuesSeed(t *testing.T) {
	tr := &trail.Trail{Config: trail.Config{Memory: map[string]string{
		"baseUrl": "http://trail.test", "color": "red", "size": "S", "pin": "of the trail", "token": "of the trail",
	}}}
	m := memory.New()
	m.SetSecret("token", "of the session")
	replay.Values{
		BaseURL: "http://setting.test", Memory: map[string]string{"size": "L", "token": "of the caller"},
		Secrets: map[string]string{"pin": "1234"}, Origins: map[string]string{"pin": "https://shop.test"},
		Args: map[string]any{"count": 2},
	}.Seed(m, tr)
	got := map[string]any{}
	for _, name := range []string{"baseUrl", "color", "size", "pin", "token"} {
		got[name], _ = m.Get(name)
	}
	want := map[string]any{
		"baseUrl": "http://setting.test", "color": "red", "size": "L", "pin": "1234", "token": "of the session",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("memory (-want +got):\n%s", d)
	}
	if !m.IsSecret("pin") || m.SecretOrigin("pin") != "https://shop.test" {
		t.Errorf("pin is a secret: %v, bound to %q", m.IsSecret("pin"), m.SecretOrigin("pin"))
	}
	if text, _, err := m.ExpandString("{{args.count}}"); err != nil || text != "2" {
		t.Errorf("the argument is %q, %v", text, err)
	}
}
