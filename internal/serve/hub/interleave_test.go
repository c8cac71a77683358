package hub_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Two MCP clients and a shell at once, on devices of their own and contending for one: 200 calls each, every reply
// names the device that really ran it, nothing is lost, nothing crosses over.
func TestInterleavedCalls(t *testing.T) {
	r := rig(t, hub.Options{LeaseWait: 20 * time.Millisecond})
	all := []*clients.Client{r.Client("mcp", "one"), r.Client("mcp", "two"), r.Client("cli", "")}
	own := []string{"web/one", "web/two", "web/shell"}
	const rounds = 200
	var done, refused sync.Map
	var wg sync.WaitGroup
	for i, s := range all {
		if _, err := r.Connect(t.Context(), s, devices.Spec{ID: own[i]}); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range all {
		wg.Go(func() {
			for n := range rounds {
				device, want := "", own[i]
				if n%3 == 0 {
					device, want = "web", "web"
				}
				text := fmt.Sprintf("%s-%d", s.ID(), n)
				rep, err := r.Hub.Do(t.Context(), s, calls.Request{
					Call: tool.Call{Name: "demo_echo", Args: fmt.Appendf(nil, `{"text":%q}`, text)}, Device: device, From: dispatch.MCP, Intent: text,
				})
				switch {
				case err == nil && rep.Device == want && strings.Contains(rep.Result.Text(), text+" on "+want):
					done.Store(text, want)
				case fault.KindOf(err) == fault.Busy && want == "web" && strings.Contains(err.Error(), "Device web is busy"):
					refused.Store(text, true)
				default:
					t.Errorf("%s wanted %s: %+v, %v", text, want, rep, err)
				}
			}
		})
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
	ran := map[string]string{} // as the devices tell it
	for _, id := range append(own, "web") {
		for _, what := range r.Provider.Device(id).Done() {
			text := strings.TrimPrefix(what, "echo ")
			if ran[text] != "" {
				t.Errorf("%s ran twice", text)
			}
			ran[text] = id
		}
	}
	done.Range(func(text, want any) bool {
		if ran[text.(string)] != want {
			t.Errorf("%s was answered by %s and ran on %q", text, want, ran[text.(string)])
		}
		delete(ran, text.(string))
		return true
	})
	if len(ran) != 0 {
		t.Errorf("%d calls ran that nobody was told of: %v", len(ran), ran)
	}
	n := 0
	refused.Range(func(any, any) bool { n++; return true })
	t.Logf("%d of %d calls were refused because web was busy", n, len(all)*rounds)
	if got := len(r.Sessions()); got != 4 {
		t.Errorf("%d live sessions, want 4", got)
	}
	for _, st := range r.Sessions() {
		for e, err := range event.Read(st.Dir) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Call != nil && e.Call.Device != st.Device {
				t.Errorf("call on %s in the log of %s", e.Call.Device, st.Device)
			}
		}
	}
}
