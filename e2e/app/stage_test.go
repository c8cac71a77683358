package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// stage is a home whose daemon is looked at, and another whose browser looks.
type stage struct {
	*testing.T
	seen, eye *housetest.Home
	session   string // of the device that is looked at
}

func newStage(t *testing.T, page string, settings ...string) *stage {
	t.Helper()
	if *axe == "" {
		t.Skip("make app runs this")
	}
	s := &stage{T: t, seen: housetest.NewHome(t, binary, settings...), eye: housetest.NewHome(t, binary)}
	s.seen.Write("trails/buy.trail.yaml", "config:\n  id: buy\n  title: Buy a mug\ntrail:\n  - step: Open the shop\n")
	s.seen.Write("trails/broken.trail.yaml", "config:\n  id: broken\ntrail:\n  - stepp: Open\n")
	s.seen.Start()
	s.eye.Start()
	s.session = s.call(s.seen, "web_navigate", `{"url":"`+page+`"}`, "Open the shop").Session
	return s
}

// call calls a tool of a home, which must not fail, and returns the reply.
func (s *stage) call(h *housetest.Home, name, args, intent string) *api.Reply {
	s.Helper()
	data, err := housetest.CallTool(s.Context(), h.Boot, io.Discard, &pb.CallToolRequest{Name: name, ArgsJson: args, DeviceId: "web",
		Options: &pb.CallOptions{Client: "test", Workspace: h.Work, Intent: intent}})
	var reply api.Reply
	if err != nil || json.Unmarshal(data, &reply) != nil || reply.Result == nil || reply.Result.IsError {
		s.Fatalf("%s %.200s: %v %.2000s", name, args, err, data)
	}
	return &reply
}

// viewer is an address that signs a page in.
func (s *stage) viewer() string {
	s.Helper()
	out := s.seen.Run("app", "--no-open")
	if out.Code != 0 {
		s.Fatal(out.Out, out.Err)
	}
	return strings.TrimSpace(out.Out)
}

// js runs a script in the viewer. It may be a promise.
func (s *stage) js(script string) string {
	s.Helper()
	args, _ := json.Marshal(map[string]string{"script": script})
	var value struct{ Result json.RawMessage }
	if err := json.Unmarshal(s.call(s.eye, "web_evaluate", string(args), "").Result.Value, &value); err != nil {
		s.Fatal(err)
	}
	return string(value.Result)
}

// until waits until a script in the viewer gives true.
func (s *stage) until(script string) {
	s.Helper()
	waittest.Until(s, func() bool { return s.js(script) == "true" }, script)
}

// show opens a place of the viewer.
func (s *stage) show(place, until string) {
	s.Helper()
	s.js(fmt.Sprintf("location.hash = %q", place))
	s.until(until)
}

func (s *stage) open() {
	s.Helper()
	s.call(s.eye, "web_navigate", `{"url":"`+s.viewer()+`"}`, "")
	s.until(`document.querySelector("#sessions [role=option]") !== null`)
}

// places are those of the viewer, each with what shows that it is there.
func (s *stage) places() map[string]string {
	return map[string]string{
		"#/sessions":                         `document.querySelector("#sessions [role=option]") !== null`,
		"#/session/" + s.session:             `document.querySelector("#steps [role=option]") !== null`,
		"#/devices":                          `document.querySelector(".card") !== null`,
		"#/device/web":                       `document.querySelector("#elements [role=option]") !== null`,
		"#/trails":                           `document.querySelector("#trail-files [role=option]") !== null`,
		"#/trail/trails%2Fbroken.trail.yaml": `document.querySelector(".line.error") !== null`,
		"#/tools":                            `document.querySelector("#tools [role=option]") !== null`,
		"#/settings":                         `document.querySelector("#settings [role=option]") !== null`,
	}
}

// accessible calls check in both themes, wide and at 320 px.
func (s *stage) accessible(check func(where string)) {
	s.Helper()
	script, err := os.ReadFile(*axe)
	if err != nil {
		s.Fatal(err)
	}
	s.js(string(script) + "; true")
	for _, width := range []int{1280, 320} {
		s.call(s.eye, "web_resize", fmt.Sprintf(`{"width":%d,"height":800}`, width), "")
		for _, theme := range []string{"light", "dark"} {
			s.js(fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme))
			check(fmt.Sprintf("%s-%d", theme, width))
		}
	}
}

// axe holds what is shown to axe's rules and to the width of the screen.
func (s *stage) axe(where string) {
	s.Helper()
	found := s.js(`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " +
		v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).join(" | ")))`)
	if found != "[]" {
		s.Errorf("%s: %.1500s", where, found)
	}
	if wide := s.js(`document.documentElement.scrollWidth > innerWidth`); wide != "false" {
		s.Errorf("%s is wider than the screen", where)
	}
	if dir := os.Getenv("APP_PICTURES"); dir != "" { // for looking at it by eye
		s.picture(filepath.Join(dir, strings.NewReplacer("/", "_", "#", "", "%", "", " ", "").Replace(where)+".png"))
	}
}

func (s *stage) picture(file string) {
	s.Helper()
	for _, p := range s.call(s.eye, "getScreenshot", `{"format":"png"}`, "").Result.Content {
		if len(p.Data) > 0 {
			if err := os.WriteFile(file, p.Data, 0o600); err != nil {
				s.Error(err)
			}
		}
	}
}
