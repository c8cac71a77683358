package attend_test

import (
	"context"
	_ "embed"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
)

// wary is a page that writes down all that it could notice of a recorder, and reports it when its button is pressed.
//
//go:embed testdata/wary.html
var wary string

// site serves pages by their paths, and hands on what they report.
func site(t *testing.T, pages map[string]string) (*httptest.Server, <-chan string) {
	t.Helper()
	reports := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/report" {
			body, _ := io.ReadAll(r.Body)
			reports <- string(body)
			return
		}
		if path.Ext(r.URL.Path) == ".txt" {
			w.Header().Set("Content-Disposition", "attachment")
		} else {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		_, _ = io.WriteString(w, pages[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s, reports
}

// TestUnnoticed proves that a page that looks for a recorder finds with one exactly what it finds without.
func TestUnnoticed(t *testing.T) {
	browser(t)
	s, reports := site(t, map[string]string{"/": wary})
	act := func(p *person, recorded func()) {
		for _, ref := range []string{`button "One"`, `textbox "Word"`} {
			p.press(ref)
			recorded()
		}
		p.write("abc")
		p.key("Tab")
		p.write("hidden")
		p.press(`checkbox "Box"`)
		p.press(`button "Report"`)
		p.shows("Reported")
	}
	report := func() string {
		select {
		case r := <-reports:
			return r
		case <-time.After(20 * time.Second):
			t.Fatal("the page reported nothing")
			return ""
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	alone := newPerson(ctx, t, false)
	if _, err := alone.dev.Navigate(ctx, driver.Navigation{URL: s.URL}); err != nil {
		t.Fatal(err)
	}
	act(alone, func() {})
	want := report()
	newWorkshop(t).record(t, s.URL, func(p *person) { act(p, func() {}) })
	got := report()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("what the page noticed (-alone +recorded):\n%s", diff)
	}
	for _, seen := range []string{"click button One trusted", "input input Word trusted", "active input Word", "globals "} {
		if !strings.Contains(got, seen) {
			t.Errorf("the page did not look: %q is not in\n%s", seen, got)
		}
	}
}

// TestPasswordIsNowhere proves that a password that a person types is in no file of the session and not in the trail,
// though the page shows it.
func TestPasswordIsNowhere(t *testing.T) {
	browser(t)
	const password = "Grey-Heron&42"
	s, _ := site(t, map[string]string{"/": `<title>Sign in</title><label>Password <input type=password id=p></label>
		<button onclick="p.type='text';out.textContent='You typed '+p.value">Show</button><p id=out></p>
		<button onclick="out.textContent='Done'">Next</button>`})
	w := newWorkshop(t)
	r := w.record(t, s.URL, func(p *person) {
		p.press(`textbox "Password"`)
		p.write(password)
		p.click(`button "Show"`)
		p.click(`button "Next"`)
		p.shows("Done")
		if _, err := p.dev.Screenshot(p.ctx, driver.ScreenshotOptions{}); fault.KindOf(err) != fault.Unsupported {
			t.Errorf("a picture was taken: %v", err)
		}
	})
	want := []string{"Type {{memory.password}} into “Password”", "Click the button “Show”", "Click the button “Next”"}
	if diff := cmp.Diff(want, r.steps()); diff != "" {
		t.Errorf("steps (-want +got):\n%s\n%s", diff, r.text)
	}
	if v, _ := r.memory.Get("password"); v != password {
		t.Errorf("memory holds %q", v)
	}
	forms := []string{password, strings.ReplaceAll(password, "&", `\u0026`), strings.ReplaceAll(password, "&", "&amp;"),
		url.QueryEscape(password), base64.StdEncoding.EncodeToString([]byte(password)), "Grey-Heron"}
	texts := map[string]string{"the trail": r.text, "the replies": strings.Join(r.said, "\n")}
	err := filepath.WalkDir(r.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		texts[file] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 3 {
		t.Errorf("the session has no files: %s", r.dir)
	}
	for where, text := range texts {
		for _, f := range forms {
			if strings.Contains(text, f) {
				t.Errorf("%s holds the password as %q", where, f)
			}
		}
		if strings.HasSuffix(where, ".png") || strings.HasSuffix(where, ".webp") || strings.HasSuffix(where, ".jpg") {
			t.Errorf("there is a picture: %s", where)
		}
	}
	if out := w.play(t, r, web.DeviceOptions{}); out.Outcome != event.Passed {
		t.Errorf("replay: %s %v\n%s", out.Outcome, out.Failure, r.text)
	}
}
