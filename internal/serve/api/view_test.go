package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
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

// TestViewTrails: trails are listed with what is wrong with them and their runs, newest first; one is read with its steps
// and its mistakes at their lines; nothing outside of the workspace is.
func TestViewTrails(t *testing.T) {
	v := openView(t)
	write := func(path, text string) string {
		t.Helper()
		path = filepath.Join(v.rig.Workspace, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("trails/buy.trail.yaml", "config:\n  id: buy\n  title: Buy a mug\ntrail:\n  - step: Open the shop\n  - verify: It is there\n")
	write("trails/broken.trail.yaml", "config:\n  id: broken\ntrail:\n  - stepp: Open\n")
	for i, outcome := range []event.Outcome{event.Failed, event.Passed} {
		log, err := event.Create(filepath.Join(v.sessions, fmt.Sprintf("2026_11_26_10_00_0%d_web_1", i)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []event.Event{
			{Type: event.SessionStarted, Session: &event.Session{Device: fmt.Sprint("android/p", i)}},
			{Type: event.TrailStarted, Trail: &event.Trail{File: good, Attempt: 1}},
			{Type: event.TrailEnded, Trail: &event.Trail{File: good, Outcome: outcome, Duration: time.Second}},
			{Type: event.SessionEnded, Session: &event.Session{Outcome: outcome}},
		} {
			e.Time = time.Date(2026, 11, 26, 10, i, 0, 0, time.UTC)
			if _, err := log.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	options := &pb.CallOptions{Client: "app", Workspace: v.rig.Workspace}
	r, err := v.ListTrails(t.Context(), &pb.ListTrailsRequest{Options: options})
	if err != nil || len(r.GetTrails()) != 2 {
		t.Fatal(r, err)
	}
	broken, buy := r.GetTrails()[0], r.GetTrails()[1]
	for _, of := range []*pb.ReadActivityRequest{{}, {DeviceId: "web", SessionId: "2026_11_26_10_00_00_web_1"}} {
		if _, err := v.ReadActivity(t.Context(), of); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("activity of %v: %v", of, err)
		}
	}
	if buy.GetTitle() != "Buy a mug" || buy.GetSteps() != 2 || len(buy.GetRuns()) != 2 || buy.GetRuns()[0].GetOutcome() != "passed" ||
		buy.GetRuns()[1].GetOutcome() != "failed" || buy.GetRuns()[0].GetDurationMs() != 1000 || buy.GetRuns()[0].GetDeviceId() != "android/p1" {
		t.Errorf("%v", buy)
	}
	if broken.GetProblem() == "" || len(broken.GetRuns()) != 0 {
		t.Errorf("%v", broken)
	}
	one, err := v.GetTrail(t.Context(), &pb.GetTrailRequest{Options: options, Path: "trails/buy.trail.yaml"})
	if err != nil || len(one.GetSteps()) != 2 || one.GetSteps()[1].GetKind() != "verify" || one.GetSteps()[0].GetLine() != 5 {
		t.Errorf("%v %v", one, err)
	}
	one, err = v.GetTrail(t.Context(), &pb.GetTrailRequest{Options: options, Path: "trails/broken.trail.yaml"})
	if err != nil || len(one.GetProblems()) == 0 || one.GetProblems()[0].GetLine() != 4 || one.GetProblems()[0].GetSeverity() != "error" {
		t.Errorf("%v %v", one, err)
	}
	for _, path := range []string{"../x.trail.yaml", "/etc/passwd", "trails/none.trail.yaml"} {
		if _, err := v.GetTrail(t.Context(), &pb.GetTrailRequest{Options: options, Path: path}); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}

// TestViewWritesTrails: a new text is checked, and written when it has no errors and the file is still what was changed;
// comments of it stay. Nothing but a trail of the workspace is written.
func TestViewWritesTrails(t *testing.T) {
	v := openView(t)
	const was = "# ours\nconfig:\n  id: buy\ntrail:\n  # first\n  - step: Open the shop\n"
	file := filepath.Join(v.rig.Workspace, "trails", "buy.trail.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(was), 0o600),
		os.WriteFile(filepath.Join(v.rig.Workspace, "notes.yaml"), []byte(was), 0o600)); err != nil {
		t.Fatal(err)
	}
	write := func(path, was, text string, check bool) (*pb.WriteTrailResponse, error) {
		return v.WriteTrail(t.Context(), &pb.WriteTrailRequest{Path: path, Was: was, Text: text, Check: check,
			Options: &pb.CallOptions{Client: "app", Workspace: v.rig.Workspace}})
	}
	good := strings.Replace(was, "Open the shop", "Open the shop anew", 1)
	bad := strings.Replace(was, "step:", "stepp:", 1)
	for _, c := range []struct {
		name, path, was, text string
		check, written        bool
		line                  int32 // of the mistake
		code                  connect.Code
	}{
		{name: "checked", path: "trails/buy.trail.yaml", was: was, text: good, check: true},
		{name: "mistake", path: "trails/buy.trail.yaml", was: was, text: bad, line: 6},
		{name: "changed since", path: "trails/buy.trail.yaml", was: good, text: good, code: connect.CodeFailedPrecondition},
		{name: "no trail", path: "notes.yaml", was: was, text: good, code: connect.CodeNotFound},
		{name: "outside", path: "../buy.trail.yaml", was: was, text: good, code: connect.CodeNotFound},
		{name: "written", path: "trails/buy.trail.yaml", was: was, text: good, written: true},
	} {
		r, err := write(c.path, c.was, c.text, c.check)
		if connect.CodeOf(err) != c.code && (err != nil || c.code != 0) || r.GetWritten() != c.written {
			t.Errorf("%s: %v %v", c.name, r, err)
		}
		if p := r.GetProblems(); c.line > 0 && (len(p) == 0 || p[0].GetLine() != c.line) {
			t.Errorf("%s: %v", c.name, p)
		}
		want := was
		if c.written {
			want = good
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s: the file is %q %v", c.name, got, err)
		}
	}
}

// TestViewSettings: each setting comes with its place and its owner. One that a project may set is written into the file
// that is meant, and taken out again; no other is.
func TestViewSettings(t *testing.T) {
	v := openView(t)
	if err := os.MkdirAll(filepath.Join(v.rig.Workspace, "trails", "config"), 0o755); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(v.rig.Workspace, "trails", "config", "trailblaze.yaml")
	if err := os.WriteFile(project, []byte("# ours\ndefaults:\n  retries: 2 # flaky\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	options := &pb.CallOptions{Client: "app", Workspace: v.rig.Workspace}
	setting := func(key string) *pb.SettingInfo {
		t.Helper()
		r, err := v.ListSettings(t.Context(), &pb.ListSettingsRequest{Options: options})
		if err != nil || r.GetProjectFile() != project || !strings.HasPrefix(r.GetUserFile(), v.reports) {
			t.Fatal(r, err)
		}
		for _, s := range r.GetSettings() {
			if s.GetKey() == key {
				return s
			}
		}
		t.Fatalf("no %s", key)
		return nil
	}
	if s := setting("retries"); s.GetValue() != "2" || s.GetSource() != project || s.GetOwner() != "project may set" || s.GetKind() != "int" {
		t.Errorf("%v", s)
	}
	if s := setting("browser"); s.GetSource() != "default" || s.GetOwner() != "user only" || s.GetHelp() == "" {
		t.Errorf("%v", s)
	}
	change := func(r *pb.ChangeSettingRequest) error {
		r.Options = options
		_, err := v.ChangeSetting(t.Context(), r)
		return err
	}
	if err := change(&pb.ChangeSettingRequest{Key: "retries", Value: "3", Project: true}); err != nil || setting("retries").GetValue() != "3" {
		t.Error(err, setting("retries"))
	}
	if data, err := os.ReadFile(project); err != nil || string(data) != "# ours\ndefaults:\n  retries: 3 # flaky\n" {
		t.Errorf("%q %v", data, err)
	}
	if err := change(&pb.ChangeSettingRequest{Key: "retries", Project: true, Unset: true}); err != nil || setting("retries").GetSource() != "default" {
		t.Error(err, setting("retries"))
	}
	if err := change(&pb.ChangeSettingRequest{Key: "jobs", Value: "4"}); err != nil || !strings.HasPrefix(setting("jobs").GetSource(), v.reports) {
		t.Error(err, setting("jobs"))
	}
	for _, r := range []*pb.ChangeSettingRequest{
		{Key: "browser", Value: "/bin/sh"}, {Key: "policy", Value: "", Unset: true}, {Key: "retries", Value: "many"}, {Key: "nothing", Value: "1"},
	} {
		if err := change(r); err == nil {
			t.Errorf("%v was taken", r)
		}
	}
}

// TestViewRepairs: a repair that is accepted stands in its trail, one that is refused does not; neither is proposed again.
// One whose file has changed since is not written.
func TestViewRepairs(t *testing.T) {
	v := openView(t)
	var trails []repair.Repair
	for _, name := range []string{"a", "b", "c"} {
		file := filepath.Join(v.rig.Workspace, name)
		if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte("old"))
		trails = append(trails, repair.Repair{Path: name, File: file, Hash: hex.EncodeToString(sum[:]), Diff: "-old\n+new", Text: "new"})
	}
	run := filepath.Join(v.reports, "2026_run")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := (repair.Proposal{Schema: "trailblaze.heals/1", Trails: trails}).Write(run, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trails[2].File, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	settle := func(file string, accept bool) error {
		_, err := v.SettleRepair(t.Context(), &pb.SettleRepairRequest{RunId: "2026_run", File: file, Accept: accept})
		return err
	}
	if err := errors.Join(settle(trails[0].File, true), settle(trails[1].File, false)); err != nil {
		t.Fatal(err)
	}
	if err := settle(trails[2].File, true); connect.CodeOf(err) != connect.CodeFailedPrecondition {
		t.Errorf("a file that has changed: %v", err)
	}
	for i, want := range []string{"new", "old", "changed"} {
		if data, _ := os.ReadFile(trails[i].File); string(data) != want {
			t.Errorf("%s is %q, want %q", trails[i].Path, data, want)
		}
	}
	left, err := v.ListRepairs(t.Context(), &pb.ListRepairsRequest{})
	if err != nil || len(left.GetRepairs()) != 1 || !left.GetRepairs()[0].GetOutdated() || left.GetRepairs()[0].GetRunId() != "2026_run" {
		t.Errorf("%v %v", left, err)
	}
	if _, err := v.SettleRepair(t.Context(), &pb.SettleRepairRequest{RunId: "../reports", File: "x"}); connect.CodeOf(err) != connect.CodeNotFound {
		t.Errorf("a run outside: %v", err)
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
