package replay

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// bed is the whole product on a real browser: dispatcher, tools, player.
type bed struct {
	player *Player
	base   string // of the test pages
	trails string // the folder that the trails are said to lie in
	device web.DeviceOptions
}

func newBed(t *testing.T, pages map[string]string) *bed {
	t.Helper()
	odd := &oddServer{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/odd/") {
			odd.ServeHTTP(w, r)
			return
		}
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			page = "<h1>Nothing here</h1>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		page = strings.ReplaceAll(page, "{{other}}", otherName("http://"+r.Host))
		if _, err := w.Write([]byte(page)); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(srv.Close)
	var reg *tool.Registry
	reg, err := tool.NewRegistry(append(tools.Builtin(), callers(func() *tool.Registry { return reg })...)...)
	if err != nil {
		t.Fatal(err)
	}
	trails, files := writeSite(t)
	return &bed{player: newPlayer(t, reg), base: srv.URL, trails: trails,
		device: web.DeviceOptions{ID: "web", Files: files, Permissions: []string{"clipboard-write"}}}
}

// otherName is the server as another origin.
func otherName(base string) string { return strings.Replace(base, "127.0.0.1", "localhost", 1) }

// play plays a trail text, in which {{base}} is the test server, on a fresh device.
func (b *bed) play(t *testing.T, text string) (*Outcome, *trail.Trail) {
	t.Helper()
	return b.playOn(t, webtest.Device(t, b.device), text)
}

// sitting is a session with what the pages need in its memory.
func (b *bed) sitting(t *testing.T, dev driver.Device) *session.Session {
	t.Helper()
	s, err := session.Open(t.Context(), session.Options{Root: t.TempDir(), Device: dev})
	if err != nil {
		t.Fatal(err)
	}
	s.Memory.Set("base", b.base)
	s.Memory.Set("baseUrl", b.base)
	s.Memory.Set("other", otherName(b.base))
	return s
}

func (b *bed) playOn(t *testing.T, dev driver.Device, text string) (*Outcome, *trail.Trail) {
	t.Helper()
	s := b.sitting(t, dev)
	defer s.Close(event.Passed)
	return b.playIn(t, s, text)
}

func (b *bed) playIn(t *testing.T, s *session.Session, text string) (*Outcome, *trail.Trail) {
	t.Helper()
	tr, problems := trail.Parse("test.trail.yaml", []byte(text), trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	tr.Dir = b.trails
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	return b.player.Play(ctx, s, tr, Attempt{Number: 1}), tr
}

const formPage = `<!doctype html><title>Sign up</title><h1>Sign up</h1>
<form onsubmit="event.preventDefault(); document.getElementById('out').textContent = 'Welcome ' + document.getElementById('n').value">
<label>Name <input id="n"></label><label><input type="checkbox" id="c"> Newsletter</label>
<label>Country <select id="s"><option>Norway<option>Peru</select></label><button>Join</button></form><p id="out"></p><a href="/gone">Terms</a>`

const formTrail = `config: {title: Sign up}
trail:
  - step: Open the form
    recording: {web: [{web_navigate: {url: "{{base}}/"}}]}
  - step: Fill it in
    recording:
      web:
        - web_type: {text: Ada, nodeSelector: {web: {ariaRole: textbox, ariaNameRegex: Name}}}
        - web_click: {nodeSelector: {web: {ariaRole: checkbox, ariaNameRegex: Newsletter}}}
        - web_selectOption: {values: [Peru], nodeSelector: {web: {ariaRole: combobox, ariaNameRegex: Country}}}
        - web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Join}}}
  - verify: She is welcome
    recording: {web: [{web_verifyTextVisible: {text: Welcome Ada}}]}
`

// TestReplayOnBrowser is the main job end to end: a trail plays, what ran is recorded with durable selectors and
// fingerprints, and the recording plays again (R9, R110, R111).
func TestReplayOnBrowser(t *testing.T) {
	b := newBed(t, map[string]string{"/": formPage})
	s := b.sitting(t, webtest.Device(t, b.device))
	defer s.Close(event.Passed)
	out, source := b.playIn(t, s, formTrail)
	if out.Outcome != event.Passed {
		t.Fatalf("%s: %+v", out.Outcome, out.Failure)
	}
	done, err := record.OfLog(s.Log)
	if err != nil {
		t.Fatal(err)
	}
	recorded, _ := done.Rerecord(source, record.Plan{Classifier: "web", Tools: b.player.Registry})
	data, err := trail.Encode(recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fingerprint:", "{{base}}/", "ariaNameRegex: Join"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the recording lacks %q:\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "ref:") {
		t.Errorf("the recording holds an ephemeral ref:\n%s", data)
	}
	if out, _ := b.play(t, string(data)); out.Outcome != event.Passed {
		t.Errorf("the recording does not play: %+v\n%s", out.Failure, data)
	}
}
