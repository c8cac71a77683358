package record_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(webtest.Closing(m)) }

// driven is a live session on a real browser, as the hub keeps one.
type driven struct {
	t    *testing.T
	ctx  context.Context
	d    *dispatch.Dispatcher
	s    *session.Session
	step int
}

// do makes calls for one purpose; "" gives none. A call that begins with "!" has to fail.
func (d *driven) do(intent string, calls ...string) {
	d.t.Helper()
	if intent != "" {
		d.s.SetStep(d.step)
		d.step++
		defer d.s.SetStep(event.NoStep)
		if _, err := d.s.Log.Append(event.Event{Type: event.StepStarted, Step: &event.Step{Index: d.s.Step(), Kind: "step", Text: intent}}); err != nil {
			d.t.Fatal(err)
		}
	}
	for _, c := range calls {
		c, fails := strings.CutPrefix(c, "!")
		name, args, _ := strings.Cut(c, " ")
		res, err := d.d.Call(d.ctx, d.s, dispatch.MCP, tool.Call{Name: name, Args: json.RawMessage(args)})
		if failed := err != nil || res.IsError; failed != fails {
			d.t.Fatalf("%s: %v %s", c, err, res.Text())
		}
	}
}

// opened returns the built-in tools, a dispatcher of them, and what opens a session on a fresh device.
func opened(t *testing.T, ctx context.Context, title string, seed func(*memory.Store)) (
	*tool.Registry, *dispatch.Dispatcher, func() (*session.Session, func()),
) {
	t.Helper()
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	browser := webtest.Browser(t)
	return reg, dispatch.New(dispatch.Options{Registry: reg}), func() (*session.Session, func()) {
		dev, err := browser.NewDevice(ctx, web.DeviceOptions{ID: "web"})
		if err != nil {
			t.Fatal(err)
		}
		m := memory.New()
		seed(m)
		s, err := session.Open(ctx, session.Options{Root: t.TempDir(), Title: title, Device: dev, Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		return s, func() {
			_ = s.Close(event.Passed)
			_ = dev.Close()
		}
	}
}

// TestDriveSaveReplay is the way of a session: driven call by call, by intent and without, saved as a trail from its
// log alone, and played green on a fresh device, secret and all (R9, R10, R11).
func TestDriveSaveReplay(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shop, err := demo.Serve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	reg, disp, open := opened(t, ctx, "Sign in and order", func(m *memory.Store) {
		m.Set("shop", shop.URL)
		m.SetSecret("password", demo.Password)
	})
	defer func() { _ = disp.Close(context.WithoutCancel(ctx)) }()

	s, done := open()
	d := &driven{t: t, ctx: ctx, d: disp, s: s}
	d.do("Sign in", `web_navigate {"url":"{{shop}}/account"}`, `web_snapshot {}`,
		`web_type {"ref":"textbox \"Email\"","text":"robin"}`, `web_type {"ref":"textbox \"Email\"","text":"robin@example.com"}`,
		`!web_click {"ref":"button \"Log in\"","timeoutMs":1}`,
		`web_type {"ref":"textbox \"Password\"","text":"{{password}}"}`, `web_click {"ref":"button \"Sign in\""}`)
	d.do("She is welcome", `web_verifyTextVisible {"text":"Good to see you, Robin"}`, `web_verifyTextVisible {"text":"Good to see you, Robin"}`)
	d.do("", `web_navigate {"url":"{{shop}}/product/firefly-lamp"}`, `web_click {"ref":"button \"Add to cart\""}`)
	d.do("Say who you are", `web_navigate {"url":"{{shop}}/checkout"}`, `web_type {"ref":"textbox \"Full name\"","text":"Ada"}`,
		`web_selectOption {"ref":"combobox \"Country\"","values":["Norway"]}`)
	done()

	tr, err := record.Read(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	made, err := tr.Compose(record.Plan{Memory: s.Memory, Tools: reg})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 call that failed, 1 look at the screen, 2 repetitions"; made.Left.String() != want {
		t.Errorf("left out %q, want %q", made.Left, want)
	}
	ws := t.TempDir()
	saved, err := record.Save(ctx, ws, made, record.Target{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(saved.File)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	t.Logf("%s", text)
	for _, want := range []string{"step: Sign in", "verify: She is welcome", "Click the button “Add to cart”", "fingerprint:",
		`"{{password}}"`, "{{shop}}/account", "web: PLAYWRIGHT_NATIVE"} {
		if !strings.Contains(text, want) {
			t.Errorf("the trail lacks %q", want)
		}
	}
	for _, not := range []string{demo.Password, "ref:", "web_snapshot", "Log in", "robin\n"} {
		if strings.Contains(text, not) {
			t.Errorf("the trail holds %q", not)
		}
	}
	if n := strings.Count(text, "Good to see you"); n != 1 {
		t.Errorf("the same check stands there %d times", n)
	}
	if saved.Steps != 5 || saved.Actions != 10 {
		t.Errorf("saved %+v", saved)
	}

	again, problems := trail.Parse(saved.Path, data, trail.Strict)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s, done = open()
	defer done()
	player := &replay.Player{Dispatcher: disp, Registry: reg}
	if out := player.Play(ctx, s, again, replay.Attempt{}); out.Outcome != event.Passed {
		t.Errorf("the trail does not play: %+v", out.Failure)
	}
}
