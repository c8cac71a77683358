package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// view is a viewer and a program that drives the same daemon.
type view struct {
	*door
	trailblazev1connect.ViewServiceClient
	tools trailblazev1connect.ToolServiceClient
}

func openView(t *testing.T) *view {
	t.Helper()
	d := open(t, hub.Options{})
	return &view{d, trailblazev1connect.NewViewServiceClient(d.client, d.url), trailblazev1connect.NewToolServiceClient(d.client, d.url)}
}

// call makes a call and returns its session.
func (v *view) call(name, intent string) string {
	v.Helper()
	r, err := v.tools.CallTool(v.Context(), &pb.CallToolRequest{Name: name,
		Options: &pb.CallOptions{Client: "go", Workspace: v.rig.Workspace, Intent: intent}})
	if err != nil {
		v.Fatal(err)
	}
	return r.GetCall().GetSessionId()
}

// TestViewStatus: who looks on sees devices and their sessions come.
func TestViewStatus(t *testing.T) {
	v := openView(t)
	s, err := v.WatchStatus(t.Context(), &pb.WatchStatusRequest{})
	if err != nil || !s.Receive() {
		t.Fatal(err, s.Err())
	}
	id := v.call("demo_echo", "Look around")
	for s.Receive() {
		for _, d := range s.Msg().GetDevices() {
			if d.GetSessionId() != id || d.GetRunning() != "" {
				continue
			}
			if d.GetState() != "open" || d.GetActions() != 1 || len(s.Msg().GetSessions()) != 1 {
				t.Errorf("%v", s.Msg())
			}
			return
		}
	}
	t.Fatal(s.Err())
}

// TestViewReport: a viewer of a session that runs gets the report as it is, then only steps that have changed, and is
// told of the end. Put together they are the report of the log.
func TestViewReport(t *testing.T) {
	v := openView(t)
	id := v.call("demo_echo", "Look around")
	s, err := v.WatchReport(t.Context(), &pb.WatchReportRequest{SessionId: id})
	if err != nil || !s.Receive() {
		t.Fatal(err, s.Err())
	}
	var whole report.Report
	if err := json.Unmarshal(s.Msg().GetReport(), &whole); err != nil || !s.Msg().GetRunning() {
		t.Fatal(err, s.Msg())
	}
	attempt := &whole.Trails[0].Attempts[0]
	if n := len(attempt.Steps); n != 1 || attempt.Steps[0].Outcome != "running" {
		t.Fatalf("%d steps: %+v", n, attempt.Steps)
	}
	v.call("demo_echo", "Look again")
	for len(attempt.Steps) < 2 && s.Receive() {
		var part report.Attempt
		if m := s.Msg(); len(m.GetReport()) > 0 || json.Unmarshal(m.GetAttempt(), &part) != nil || len(part.Steps) > 2 {
			t.Fatalf("more than a part: %v", m)
		}
		attempt.Steps = append(attempt.Steps[:s.Msg().GetFirstStep()], part.Steps...)
	}
	running, _ := v.rig.SessionByID(id)
	if err := running.Close(event.Passed); err != nil {
		t.Fatal(err)
	}
	var last *pb.WatchReportResponse
	for s.Receive() {
		last = s.Msg()
	}
	if s.Err() != nil || last.GetRunning() {
		t.Fatal(s.Err(), last)
	}
	built, err := report.Build(report.Input{ID: id, Title: running.Info().Title, Sessions: []string{running.Dir}})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(built)
	if !bytes.Equal(last.GetReport(), want) {
		t.Errorf("the last report is\n%s, want\n%s", last.GetReport(), want)
	}
	kept, err := v.ListKeptSessions(t.Context(), &pb.ListKeptSessionsRequest{Search: "look around"})
	if err != nil || len(kept.GetSessions()) != 1 || kept.GetSessions()[0].GetOutcome() != "passed" {
		t.Errorf("%v %v", kept, err)
	}
	if s, err := v.WatchReport(t.Context(), &pb.WatchReportRequest{SessionId: "none"}); err == nil && (s.Receive() || s.Err() == nil) {
		t.Error("a session that there is not is shown")
	}
}

// TestViewOfAnotherProcess: a session that another process writes is followed, too.
func TestViewOfAnotherProcess(t *testing.T) {
	v := openView(t)
	log, err := event.Create(v.sessions + "/2026_11_26_10_00_00_web_1")
	if err != nil {
		t.Fatal(err)
	}
	put := func(e event.Event) {
		e.Time = time.Now()
		if _, err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "2026_11_26_10_00_00_web_1"}})
	put(event.Event{Type: event.TrailStarted, Trail: &event.Trail{Title: "Buy"}})
	s, err := v.WatchReport(t.Context(), &pb.WatchReportRequest{SessionId: "2026_11_26_10_00_00_web_1"})
	if err != nil || !s.Receive() {
		t.Fatal(err, s.Err())
	}
	put(event.Event{Type: event.StepStarted, Step: &event.Step{Text: "Press it"}})
	if !s.Receive() || !strings.Contains(string(s.Msg().GetAttempt()), "Press it") {
		t.Errorf("%v %v", s.Msg(), s.Err())
	}
	put(event.Event{Type: event.SessionEnded, Session: &event.Session{Outcome: event.Failed}})
	if !s.Receive() || s.Msg().GetRunning() || s.Receive() || s.Err() != nil {
		t.Errorf("the end: %v %v", s.Msg(), s.Err())
	}
}

// TestViewScreen: who looks on reads the elements of a device and their selectors while a call has the device, and sees
// pictures of it. A device that is not open is said to be so, and none is opened.
func TestViewScreen(t *testing.T) {
	v := openView(t)
	if _, err := v.ReadScreen(t.Context(), &pb.ReadScreenRequest{DeviceId: "web"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("a device that is not open: %v", err)
	}
	v.call("demo_echo", "Look around")
	release := v.rig.Provider.Device("web").Hold()
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	held := make(chan struct{})
	go func() {
		defer close(held)
		_, _ = v.tools.CallTool(ctx, &pb.CallToolRequest{Name: "web_click", DeviceId: "web", ArgsJson: `{"ref":"e2"}`,
			Options: &pb.CallOptions{Client: "go", Workspace: v.rig.Workspace}})
	}()
	defer func() { cancel(); <-held }()
	<-v.rig.Provider.Device("web").Entered()
	r, err := v.ReadScreen(t.Context(), &pb.ReadScreenRequest{DeviceId: "web"})
	if err != nil || len(r.GetElements()) < 4 {
		t.Fatal(r, err)
	}
	buy := r.GetElements()[slices.IndexFunc(r.GetElements(), func(e *pb.ScreenElement) bool { return e.GetRef() == "e2" })]
	if buy.GetRole() != "button" || buy.GetName() != "Buy" || buy.GetY() != 90 || buy.GetWidth() != 200 {
		t.Errorf("%v", buy)
	}
	s, err := v.ListSelectors(t.Context(), &pb.ListSelectorsRequest{DeviceId: "web", Ref: "e2"})
	if err != nil || len(s.GetSelectors()) < 2 || s.GetSelectors()[0].GetMatches() != 1 ||
		!strings.Contains(s.GetSelectors()[0].GetSelector(), `"ariaNameRegex":"Buy"`) {
		t.Errorf("%v %v", s, err)
	}
	if _, err := v.ListSelectors(t.Context(), &pb.ListSelectorsRequest{DeviceId: "web", Ref: "e99"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("an element that is gone: %v", err)
	}
	pictures, err := v.WatchScreen(t.Context(), &pb.WatchScreenRequest{DeviceId: "web"})
	if err != nil || !pictures.Receive() || !pictures.Msg().GetSlow() || len(pictures.Msg().GetData()) == 0 {
		t.Errorf("%v %v", pictures.Msg(), pictures.Err())
	}
}

// TestAppPage: the viewer's page loads nothing from elsewhere and runs no script but its own.
func TestAppPage(t *testing.T) {
	page := api.Page()
	for path, want := range map[string]string{
		"/app/": "text/html", "/app/app.js": "text/javascript", "/app/app.css": "text/css", "/docs": "text/html", "/docs/docs.js": "text/javascript",
		"/app": "", "/app/docs.js": "none", "/docs/app.js": "none", "/app/app.html/../../x": "none",
	} {
		rec := httptest.NewRecorder()
		page.ServeHTTP(rec, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
		w := rec.Result()
		body, _ := io.ReadAll(w.Body)
		switch kind := w.Header.Get("Content-Type"); {
		case want == "":
			if w.StatusCode != http.StatusPermanentRedirect {
				t.Errorf("%s: %d", path, w.StatusCode)
			}
		case want == "none":
			if w.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", path, w.StatusCode)
			}
		case w.StatusCode != http.StatusOK || !strings.HasPrefix(kind, want) || len(body) == 0:
			t.Errorf("%s: %d %s", path, w.StatusCode, kind)
		case !strings.Contains(w.Header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'"):
			t.Errorf("%s: %s", path, w.Header.Get("Content-Security-Policy"))
		}
	}
}
