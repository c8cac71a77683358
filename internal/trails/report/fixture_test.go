package report_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// scene writes session logs for tests.
type scene struct {
	t    testing.TB
	root string
	dirs []string
}

// playing is one attempt to write down.
type playing struct {
	path, title, reason string
	device              string // "": web
	platform            string // "": web
	note                string // a warning of the run
	attempt, repeat     int
	steps               int
	failAt              int // -1: passes
	outcome             event.Outcome
	failure             *fault.Failure
	pictures, torn      bool
	pictureSize         int      // in bytes; 0: as it comes
	did                 string   // what its pages did, as a session keeps it
	actors              []string // whose turn it is, one after the other
}

var evil = `</script><img src=x onerror="document.title='owned'"><!-- "quoted" & ]]> ` + "\x00\x1b[31m"

func newScene(t testing.TB) *scene { return &scene{t: t, root: t.TempDir()} }

func (s *scene) add(p playing) {
	s.t.Helper()
	dir := filepath.Join(s.root, fmt.Sprintf("s%03d", len(s.dirs)))
	s.dirs = append(s.dirs, dir)
	log, err := event.Create(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	put := func(e event.Event) {
		if _, err := log.Append(e); err != nil {
			s.t.Fatal(err)
		}
	}
	put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: filepath.Base(dir), Device: cmp.Or(p.device, "web"),
		Platform: cmp.Or(p.platform, "web"), Browser: "Chromium 142", Width: 1280, Height: 800, Version: "1.0.0"}})
	head := event.Trail{Path: p.path, Title: p.title, Hash: p.path, Attempt: p.attempt, Repeat: p.repeat, Steps: p.steps, Tags: []string{"smoke", "shop"}}
	for _, name := range p.actors {
		head.Actors = append(head.Actors, event.Actor{Name: name})
	}
	put(event.Event{Type: event.TrailStarted, Trail: &head})
	for i := range p.steps {
		s.step(log, put, p, i)
		if i == p.failAt {
			break
		}
	}
	if p.torn {
		return
	}
	if p.note != "" {
		put(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: p.note}})
	}
	head.Outcome, head.Reason, head.Error, head.Duration = p.outcome, p.reason, p.failure, time.Duration(p.steps)*83*time.Millisecond
	put(event.Event{Type: event.TrailEnded, Trail: &head})
	if p.did != "" {
		name, err := log.PutBlob([]byte(p.did), "application/json")
		if err != nil {
			s.t.Fatal(err)
		}
		put(event.Event{Type: event.PageActivity, Activity: &event.Activity{Blob: name}})
	}
	put(event.Event{Type: event.SessionEnded, Session: &event.Session{ID: filepath.Base(dir), Outcome: p.outcome}})
}

func (s *scene) step(log *event.Log, put func(event.Event), p playing, i int) {
	st := event.Step{Index: i, Kind: "step", Text: fmt.Sprintf("Put the Cedar Mug in the cart, time %d", i+1), Line: 10 + 4*i, Mode: "recorded"}
	if i%4 == 3 {
		st.Kind, st.Text = "verify", "The cart holds two items"
	}
	if len(p.actors) > 0 {
		st.Actor = p.actors[i%len(p.actors)]
	}
	put(event.Event{Type: event.StepStarted, Step: &st})
	if i == p.failAt {
		put(event.Event{Type: event.McpSampling, Sampling: &event.Sampling{Model: "lab/actor", InputTokens: 2000, CachedInputTokens: 1500,
			OutputTokens: 40, CostUSD: 0.002}})
		put(event.Event{Type: event.McpSampling, Sampling: &event.Sampling{Model: "lab/judge", Judge: true, InputTokens: 400, OutputTokens: 10, CostUSD: 0.001}})
	}
	box := screen.Rect{X: 930, Y: 865, W: 115, H: 37}
	call := event.Call{ID: fmt.Sprintf("c%d", i), Caller: "replay", Role: "top", Name: "web_click", Kind: tool.Action, Step: i,
		Args: json.RawMessage(`{"nodeSelector":{"web":{"ariaRole":"button","ariaNameRegex":"Add to cart"}` +
			`,"childOf":{"web":{"ariaRole":"article","ariaNameRegex":"Cedar Mug"}}}}`),
		Text:     `clicked button "Add to cart"`,
		Duration: time.Duration(20+i%90) * time.Millisecond,
		Evidence: &tool.Evidence{Target: &identity.Fingerprint{Role: "button", Name: "Add to cart", Within: []string{`article "Cedar Mug"`}}, Bounds: &box,
			Effect: &driver.Effect{Changes: driver.Changes{Tree: 3, Focus: true}, Settle: driver.Settle{Reason: "quiet", Waited: 11 * time.Millisecond}}}}
	if i == p.failAt && !p.torn {
		st.Error, call.Error, call.IsError = p.failure, p.failure, true
		call.Text, call.Evidence = p.failure.Message, nil
		s.capture(log, put, i)
	}
	if p.torn && i == p.failAt {
		return
	}
	put(event.Event{Type: event.ToolCall, Call: &call})
	st.Calls, st.Duration, st.Outcome = 1, call.Duration+3*time.Millisecond, event.Passed
	if i == p.failAt {
		st.Outcome = p.outcome
		if p.outcome == event.Flaky {
			st.Outcome = event.Failed
		}
	}
	if p.pictures {
		s.picture(log, put, i, box, p.pictureSize)
	}
	put(event.Event{Type: event.StepEnded, Step: &st})
}

func (s *scene) capture(log *event.Log, put func(event.Event), step int) {
	snap := &screen.Snapshot{Seq: 7, Platform: "web", Width: 1280, Height: 800, Quality: screen.Quality{Verdict: screen.Complete},
		Root: &screen.Node{ID: 1, Role: "document", Name: "Fernway", Children: []*screen.Node{
			{ID: 2, Ref: "e2", Role: "button", Name: "Sold out", State: screen.Disabled, Bounds: screen.Rect{X: 10, Y: 10, W: 90, H: 30}},
			{ID: 3, Ref: "e3", Role: "link", Name: evil, Bounds: screen.Rect{X: 10, Y: 50, W: 90, H: 30}},
		}}}
	data, err := json.Marshal(snap)
	if err != nil {
		s.t.Fatal(err)
	}
	name, err := log.PutBlob(data, "application/json")
	if err != nil {
		s.t.Fatal(err)
	}
	put(event.Event{Type: event.Snapshot, Screen: &event.Screen{Blob: name, MIME: "application/json", Why: "failure", Step: step}})
}

// picture stores a drawing, or the file that REPORT_PICTURE names, for looking at the page by eye.
func (s *scene) picture(log *event.Log, put func(event.Event), step int, box screen.Rect, size int) {
	img := image.NewRGBA(image.Rect(0, 0, 640, 400))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{250, 246, 238, 255}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(465, 432/2, 522, 450/2), image.NewUniform(color.RGBA{44, 95, byte(74 + step%50), 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		s.t.Fatal(err)
	}
	data := b.Bytes()
	if file := os.Getenv("REPORT_PICTURE"); file != "" {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			s.t.Fatal(err)
		}
	}
	if size > 0 { // what is behind the end of a picture is not drawn
		data = append(binary.BigEndian.AppendUint32(data, uint32(step)), make([]byte, size-len(data)-4)...)
	}
	name, err := log.PutBlob(data, "image/png")
	if err != nil {
		s.t.Fatal(err)
	}
	marks, err := json.Marshal([]screen.Rect{box})
	if err != nil {
		s.t.Fatal(err)
	}
	put(event.Event{Type: event.Screenshot, Screen: &event.Screen{Blob: name, MIME: "image/png", Why: "step", Step: step, Width: 1280,
		Height: 1500, Marks: marks}})
}

func notThere() *fault.Failure {
	return &fault.Failure{
		Kind: "not_found", Message: `click: no element matches button "Add to cart" in article "Cedar Mug"`,
		Hint:   "The nearest candidate says \"Sold out\": is the stock empty?",
		Looked: `button "Add to cart" in article "Cedar Mug"`,
		Candidates: []string{`e41 button "Sold out" in article "Cedar Mug" — name differs, disabled`,
			`e38 button "Add to cart" in article "Enamel Mug" — stands in another article`},
		SinceGreen: []string{`- button "Add to cart" [in article "Cedar Mug"]`, `+ button "Sold out" [disabled] [in article "Cedar Mug"]`,
			`~ text "40 left" → "0 left"`},
		Log: []string{"0 ms  look: 34 buttons, none matches", "212 ms  the page changed, look again", "9988 ms  deadline"},
	}
}

// run is a run with one of everything.
func (s *scene) run() {
	s.add(playing{path: "trails/01-shop.trail.yaml", title: "Find things and put them in the cart", attempt: 1, steps: 7, failAt: -1,
		outcome: event.Passed, pictures: true})
	s.add(playing{path: "trails/02-cart.trail.yaml", title: "Change your mind in the cart", attempt: 1, steps: 9, failAt: 4,
		outcome: event.Failed, failure: notThere(), pictures: true})
	s.add(playing{path: "trails/02-cart.trail.yaml", title: "Change your mind in the cart", attempt: 2, steps: 9, failAt: 4,
		outcome: event.Failed, failure: notThere(), pictures: true})
	s.add(playing{path: "trails/03-flaky.trail.yaml", title: "Choose a pack " + evil, attempt: 1, steps: 5, failAt: 2, outcome: event.Failed, failure: notThere()})
	s.add(playing{path: "trails/03-flaky.trail.yaml", title: "Choose a pack " + evil, attempt: 2, steps: 5, failAt: -1, outcome: event.Passed})
	s.add(playing{path: "trails/04-skip.trail.yaml", title: "Only on a phone", attempt: 1, steps: 0, failAt: -1, outcome: event.Skipped,
		reason: "blocked on APP-77"})
	s.add(playing{path: "trails/05-killed.trail.yaml", title: "The run was killed here", attempt: 1, steps: 6, failAt: 3, torn: true})
	s.add(playing{path: "trails/06-broken.trail.yaml", title: "No browser", attempt: 1, steps: 3, failAt: 0, outcome: event.Broken,
		failure: &fault.Failure{Kind: "unavailable", Message: "launch browser: it ended with status 1"}})
}
