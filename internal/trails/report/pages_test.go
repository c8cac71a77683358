package report_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// did is what pages did, as a session keeps it: some of each, and requests of that number.
func did(t *testing.T, requests int) string {
	t.Helper()
	var all struct {
		Requests []driver.Request        `json:"requests"`
		Console  []driver.ConsoleMessage `json:"console"`
		Files    []driver.Download       `json:"files"`
	}
	now := time.Now()
	for range requests {
		all.Requests = append(all.Requests, driver.Request{Method: "POST", URL: "https://shop.test/" + evil, Type: "fetch", Status: 500,
			Headers: map[string]string{"Cookie": "hidden-header"}, PostData: "hidden-body", Started: now, Duration: 1500 * time.Microsecond})
	}
	all.Console = []driver.ConsoleMessage{{Level: "error", Text: "it broke: " + evil + strings.Repeat("x", 9000), Source: evil, Time: now}}
	all.Files = []driver.Download{{Name: "bill " + evil, URL: evil, Path: "/hidden-path", Bytes: 2048, State: "completed"}}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPageShowsWhatPagesDid: each list opens from the head, and what a page named stays text.
func TestPageShowsWhatPagesDid(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"Network": "POST https://shop.test/&lt;/script", "Console": "it broke: &lt;/script", "Files": "bill &lt;/script"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 2, failAt: -1, outcome: event.Passed, did: did(t, 40)})
			file := page(t, s, report.HTMLOptions{Plain: true})
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if hidden := regexp.MustCompile("hidden-[a-z]+").Find(data); hidden != nil {
				t.Errorf("the report holds %s", hidden)
			}
			got := acted(t, file, clickSide(kind))
			if strings.Contains(got, "<title>owned") || strings.Contains(shown(got), "<img src=\"x\"") {
				t.Error("what a page named was taken as markup")
			}
			if got = shown(got); !strings.Contains(got, want) || !strings.Contains(got, `aria-label="`+kind+`"`) {
				t.Errorf("the page does not list %q", want)
			}
		})
	}
}

// TestStepInPlaceOfPages: the list goes when another step is chosen.
func TestStepInPlaceOfPages(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 2, failAt: -1, outcome: event.Passed, did: did(t, 3)})
	file := page(t, s, report.HTMLOptions{Plain: true})
	const another = `document.querySelector('[role=listbox][aria-label=Steps] [aria-selected=false]').click()`
	if got := shown(acted(t, file, clickSide("Network")+`; setTimeout(() => `+another+`, 500)`)); strings.Contains(got, `<main class="pane detail log"`) ||
		!strings.Contains(got, `class="toggle side"`) {
		t.Error("the list stays")
	}
}

func clickSide(kind string) string {
	return `[...document.querySelectorAll("button.side")].find((b) => b.textContent === "` + kind + `").click()`
}

// acted is the page after a script.
func acted(t *testing.T, file, script string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	html := regexp.MustCompile(`<meta http-equiv=[^>]*>`).ReplaceAllString(string(data), "") // which forbids the next line
	html += `<script>setTimeout(() => { ` + script + ` }, 500)</script>`
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	return dom(t, file)
}

// TestPagesAreBounded: texts are clipped, and where all of it is too much, attempts that passed lose theirs and a note says so.
func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "A", attempt: 1, steps: 1, failAt: -1, outcome: event.Passed, did: did(t, 12_000)})
	s.add(playing{path: "b.trail.yaml", title: "B", attempt: 1, steps: 1, failAt: 0, outcome: event.Failed, failure: notThere(), did: did(t, 12_000)})
	r, err := report.Build(report.Input{Sessions: s.dirs})
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Trails[0].Attempts[0]; a.Pages != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "in 1 of the attempts") {
		t.Errorf("the attempt that passed keeps %v, notes %q", a.Pages != nil, r.Notes)
	}
	b := r.Trails[1].Attempts[0].Pages
	if b == nil || len(b.Requests) != 12_000 || b.Requests[0].DurationMS != 1.5 || len(b.Console[0].Text) > 1<<10 {
		t.Fatal("the attempt that failed does not have what its pages did, clipped")
	}
}
