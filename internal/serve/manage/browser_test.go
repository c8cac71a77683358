package manage_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
)

// browsers opens isolated contexts of one real browser.
type browsers struct{ *web.Browser }

func (b *browsers) Open(ctx context.Context, s devices.Spec) (driver.Device, error) {
	return b.NewDevice(ctx, web.DeviceOptions{ID: s.ID})
}

func (b *browsers) Available(context.Context) ([]driver.Info, error) { return nil, nil }

func (b *browsers) Facts(context.Context, string) trail.Facts { return trail.Facts{} }

// TestDriveSaveRunOnBrowser is the whole way of a client on a real browser: it acts with intents, saves what it did,
// and plays that on a browser of its own; the page then changes, and the failure says so (R9, R10, R11, R15, R272).
func TestDriveSaveRunOnBrowser(t *testing.T) {
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	b := &browsers{webtest.Browser(t)}
	home := t.TempDir()
	h := &house{t: t, Rig: hubtest.New(t, hubtest.Options{Hub: hub.Options{
		Home: home, Sessions: filepath.Join(home, "sessions"), Provider: b,
		Management: func(hb *hub.Hub) []tool.Tool {
			return manage.Tools(hb, manage.Options{Sessions: filepath.Join(home, "sessions")})
		},
		Workspace: func(root string) (*hub.Workspace, error) {
			return &hub.Workspace{Root: root, Tools: tools.BuiltinIn(root, nil), Memory: func() *memory.Store {
				m := memory.New()
				m.Set("shop", shop.URL)
				m.SetSecret("password", demo.Password)
				return m
			}}, nil
		},
	}})}
	h.client = h.Client("mcp", "claude-code")

	h.act("Sign in", "web_navigate", `{"url":"{{shop}}/account"}`)
	h.act("Sign in", "web_type", `{"ref":"textbox \"Email\"","text":"robin@example.com"}`)
	h.act("Sign in", "web_type", `{"ref":"textbox \"Password\"","text":"`+demo.Password+`"}`) // spelled out, as models do
	h.act("Sign in", "web_click", `{"ref":"button \"Sign in\""}`)
	h.act("She is welcome", "web_verifyTextVisible", `{"text":"Good to see you, Robin"}`)
	h.act("", "web_click", `{"ref":"tab \"Letters\""}`)
	text, _ := h.do("session", `{"action":"SAVE","title":"Sign in"}`)
	has(t, text, "Saved trails/sign-in.trail.yaml: 3 steps, 6 actions", "secret {{password}}")
	saved := h.file("trails/sign-in.trail.yaml")
	has(t, saved, "verify: She is welcome", "Click the tab “Letters”", `"{{password}}"`, "shop: "+shop.URL)
	if strings.Contains(saved, demo.Password) {
		t.Errorf("the password stands in the trail:\n%s", saved)
	}

	h.do("device", `{"action":"CREATE_WEB"}`)
	text, _ = h.do("trail", `{"action":"RUN","name":"sign-in"}`)
	has(t, text, "passed: 3 steps, 6 calls")

	changed := strings.ReplaceAll(saved, "Letters", "Postcards")
	changed = strings.Replace(changed, "fingerprint:\n              role: tab", "timeoutMs: 300\n            fingerprint:\n              role: tab", 1)
	h.write("trails/changed.trail.yaml", "# kept\n"+changed)
	h.do("device", `{"action":"CREATE_WEB"}`)
	h.act("Before", "web_navigate", `{"url":"{{shop}}/"}`)
	rep, err := h.Call(t.Context(), h.client, "", "trail", `{"action":"RUN","file":"trails/changed.trail.yaml"}`)
	if err != nil {
		t.Fatal(err)
	}
	text, v := result(t, rep)
	has(t, text, "failed at step 3 of 3", "Looked for", "Postcards", "Nearest", "Letters", "What to do")
	if !rep.Result.IsError || rep.Device != "web/3" {
		t.Errorf("a run on %s that failed is an error: %t", rep.Device, rep.Result.IsError)
	}

	// The client does as it is told: the step by hand, under its own words, and the save that was named.
	step := v["run"].(map[string]any)["failure"].(map[string]any)["text"].(string)
	h.act(step, "web_click", `{"ref":"tab \"Letters\""}`)
	text, _ = h.do("session", `{"action":"SAVE","path":"trails/changed.trail.yaml","overwrite":true}`)
	has(t, text, "Replaced the recording in trails/changed.trail.yaml: 3 steps, 6 actions")
	has(t, h.file("trails/changed.trail.yaml"), "# kept", "ariaNameRegex: Letters")
	h.do("device", `{"action":"CREATE_WEB"}`)
	text, _ = h.do("trail", `{"action":"RUN","file":"trails/changed.trail.yaml"}`)
	has(t, text, "passed: 3 steps, 6 calls")
}
