package hub_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/internal/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// R273, R274: "what changed" means since this seat looked, in a reply to an action and in a snapshot alike.
func TestWhatChangedIsForWhoAsks(t *testing.T) {
	r := hubtest.New(t, hubtest.Options{})
	a, b := r.Seat("mcp", "a"), r.Seat("mcp", "b")
	r.Must(a, "", "web_snapshot", `{}`)
	if got := r.Must(a, "", "web_snapshot", `{"changes":true}`).Result.Text(); !strings.Contains(got, "nothing changed") {
		t.Errorf("a looked just now and is told %q", got)
	}
	if got := r.Must(b, "web", "web_snapshot", `{"changes":true}`).Result.Text(); strings.Contains(got, "nothing changed") || !strings.Contains(got, "e2") {
		t.Errorf("b has seen nothing and is told %q", got)
	}
	if rep := r.Must(a, "web", "web_click", `{"ref":"e2"}`); rep.Observation.Full {
		t.Errorf("a has seen the page, and is told it again: %s", rep.Observation)
	}
	if got := r.Must(a, "", "web_snapshot", `{"changes":true}`).Result.Text(); !strings.Contains(got, "nothing changed") {
		t.Errorf("the reply to the click told a already; now it is told %q", got)
	}
	if got := r.Must(b, "web", "web_snapshot", `{"changes":true}`).Result.Text(); strings.Contains(got, "nothing changed") {
		t.Errorf("b has not seen what a did, and is told %q", got)
	}
}

// D4: a reply keeps to the budget of its call, and what does not fit is kept in the session.
func TestReplyKeepsToItsBudget(t *testing.T) {
	r := hubtest.New(t, hubtest.Options{})
	s := r.Seat("mcp", "a")
	rep := r.Must(s, "", "web_snapshot", `{}`)
	var nodes []*screen.Node
	for i := range 3000 {
		nodes = append(nodes, &screen.Node{ID: screen.NodeID(1000 + i), Role: "button", Name: fmt.Sprintf("Button number %d", i), Ref: fmt.Sprintf("e%d", 1000+i)})
	}
	r.Device("web").Show(tooltest.Page(nodes...))
	for _, name := range []string{"web_snapshot", "demo_echo"} {
		for _, most := range []int{200, 1000, 0} {
			err := s.Update(func(st *hub.SeatState) error { st.Verbosity = toolset.Full; return nil })
			if err != nil {
				t.Fatal(err)
			}
			args := `{}`
			if name == "demo_echo" {
				args = `{"text":"` + strings.Repeat("word ", 400) + `"}`
			}
			rep, err = r.Hub.Do(t.Context(), s, hub.Request{Call: hubtest.Call(name, args), MaxTokens: most})
			if err != nil {
				t.Fatal(err)
			}
			limit := most
			if limit == 0 {
				limit = observe.DefaultTokens
			}
			text := rep.Result.Text()
			if name == "web_snapshot" {
				text = observe.Fence(text)
			}
			if n := observe.Tokens(text) + observe.Tokens(rep.Observation.String()); n > limit {
				t.Errorf("%s: %d tokens, at most %d are allowed", name, n, limit)
			}
		}
	}
	if !strings.Contains(rep.Observation.String(), "trailblaze://sessions/"+rep.Session+"/blobs/") {
		t.Errorf("the reply does not say where the rest is: %+v", rep.Observation.Spill)
	}
	l, ok := r.Hub.LiveSession(s)
	if !ok {
		t.Fatal("no session")
	}
	if whole, err := l.Log.Blob(rep.Observation.Spill.Blob); err != nil || !strings.Contains(string(whole), "Button number 2999") {
		t.Errorf("kept are %d bytes, %v", len(whole), err)
	}
}
