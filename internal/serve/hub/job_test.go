package hub_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func detached(name string) calls.Request {
	r := req(name)
	r.Detach = true
	return r
}

// A call that lasts becomes a job before its client gives up: the answer holds its id, it goes on, and its result is
// kept.
func TestJobHandOver(t *testing.T) {
	now := time.Now()
	r := rig(t, hub.Options{JobAfter: 30 * time.Millisecond, LeaseWait: time.Millisecond, Now: func() time.Time { return now }})
	s, other := r.Client("mcp", "a"), r.Client("mcp", "b")
	ctx, hangUp := context.WithCancel(t.Context())
	rep, err := r.Hub.Do(ctx, s, detached("demo_stuck"))
	if err != nil || rep.Job == "" || rep.Device != "web" || !strings.Contains(rep.Result.Text(), rep.Job) {
		t.Fatalf("hand-over: %+v, %v", rep, err)
	}
	hangUp() // the client's request is over; the job is not
	if jobs := r.Jobs(s); len(jobs) != 1 || jobs[0].Done || jobs[0].Tool != "demo_stuck" {
		t.Errorf("jobs %+v", jobs)
	}
	if jobs := r.Jobs(other); len(jobs) != 0 {
		t.Errorf("another client's jobs: %+v", jobs)
	}
	if got, st, err := r.Job(t.Context(), rep.Job, false, nil); got != nil || st.Done || err != nil {
		t.Errorf("not done yet: %+v %+v %v", got, st, err)
	}
	if _, err := r.Call(t.Context(), other, "web", "demo_look", `{}`); fault.KindOf(err) != fault.Busy {
		t.Errorf("the device of a running job: %v", err)
	}
	if d := r.Status().Devices[0]; d.Running.Job != rep.Job {
		t.Errorf("status does not name the job: %+v", d.Running)
	}
	waited := make(chan error, 1)
	go func() {
		got, st, err := r.Job(t.Context(), rep.Job, true, nil)
		if err == nil && (got == nil || got.Result.Text() != `"done"` && got.Result.Text() != "done" || !st.Done || st.Failed) {
			t.Errorf("the job gave %+v %+v", got, st)
		}
		waited <- err
	}()
	r.Free()
	if err := waittest.Await(t, waited, "the job ends"); err != nil {
		t.Error(err)
	}
	if rep := r.Must(other, "web", "demo_look", `{}`); rep.Device != "web" {
		t.Error("the device was not given back")
	}
	now = now.Add(9 * time.Minute)
	if got, _, err := r.Job(t.Context(), rep.Job, true, nil); got == nil || err != nil {
		t.Errorf("after nine minutes: %v", err)
	}
	now = now.Add(2 * time.Minute)
	if _, _, err := r.Job(t.Context(), rep.Job, true, nil); fault.KindOf(err) != fault.NotFound {
		t.Errorf("after eleven minutes: %v", err)
	}
}

// A call becomes no job while its caller was asked something and does not wait; the time begins anew with the answer.
// It becomes one at once when that is asked for.
func TestTimeUntilAJob(t *testing.T) {
	by := rig(t, hub.Options{}).Client("mcp", "a")
	for name, c := range map[string]struct {
		work func(*calls.Call)
		want time.Duration // after which the caller has its answer
		job  bool
	}{
		"asked": {func(c *calls.Call) {
			resume := c.Hold()
			<-time.After(time.Hour)
			resume()
			<-time.After(44 * time.Second)
		}, time.Hour + 44*time.Second, false},
		"asked, and long": {func(c *calls.Call) { resume := c.Hold(); <-time.After(time.Hour); resume(); <-time.After(time.Minute) },
			time.Hour + 45*time.Second, true},
		"at once":   {func(c *calls.Call) { c.HandOver(); <-time.After(time.Minute) }, 0, true},
		"not asked": {func(*calls.Call) { <-time.After(time.Minute) }, 45 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := calls.NewRegistry(calls.Options{JobAfter: 45 * time.Second, Now: time.Now})
				began := time.Now()
				rep, err := r.Do(t.Context(), by, detached("demo"), func(outer *calls.Call) (*calls.Reply, error) {
					inner, err := r.Begin(outer.Context(), by, detached("inner")) // it is the caller of the outer one who waits
					if err != nil {
						return nil, err
					}
					defer inner.End()
					c.work(inner)
					return &calls.Reply{Result: tool.TextResult("done")}, nil
				})
				if took := time.Since(began); err != nil || took != c.want || (rep.Job != "") != c.job {
					t.Errorf("after %s: %+v, %v", took, rep, err)
				}
				if err := r.Wait(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A job is cancelled by its id; it ends as cancelled and its device is free.
func TestJobCancel(t *testing.T) {
	r := rig(t, hub.Options{JobAfter: 10 * time.Millisecond})
	s := r.Client("mcp", "a")
	rep, err := r.Hub.Do(t.Context(), s, detached("demo_wait"))
	if err != nil || rep.Job == "" {
		t.Fatalf("%+v, %v", rep, err)
	}
	s.Leave() // a shell's command ends when it has its answer; its job goes on
	if n := r.Cancel(calls.CancelRequest{Job: rep.Job}); n != 1 {
		t.Errorf("cancelled %d", n)
	}
	got, st, err := r.Job(soon(t), rep.Job, true, nil)
	if fault.KindOf(err) != fault.Canceled || !st.Failed || !st.Done || got == nil {
		t.Errorf("cancelled job: %+v %+v %v", got, st, err)
	}
	r.Must(s, "", "demo_look", `{}`)
}

// Closing an MCP session ends its automation, jobs too (R210, R218).
func TestJobEndsWithItsMCPSession(t *testing.T) {
	r := rig(t, hub.Options{JobAfter: 10 * time.Millisecond})
	s := r.Client("mcp", "a")
	leave := s.Enter()
	q := detached("demo_wait")
	q.From = dispatch.MCP
	rep, err := r.Hub.Do(t.Context(), s, q)
	if err != nil || rep.Job == "" {
		t.Fatalf("%+v, %v", rep, err)
	}
	leave()
	if _, st, err := r.Job(soon(t), rep.Job, true, nil); fault.KindOf(err) != fault.Canceled || !st.Done {
		t.Errorf("job of a client that has gone: %+v, %v", st, err)
	}
}

// Until it is handed over a call ends with its client.
func TestDetachedCallEndsWithItsClientAtFirst(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	r.Must(s, "web", "demo_look", `{}`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-r.Provider.Device("web").Entered()
		cancel()
	}()
	if _, err := r.Hub.Do(ctx, s, detached("demo_wait")); fault.KindOf(err) != fault.Canceled {
		t.Errorf("a client that hung up: %v", err)
	}
	if rep, err := r.Hub.Do(t.Context(), s, detached("demo_look")); err != nil || rep.Job != "" {
		t.Errorf("a short call: %+v, %v", rep, err)
	}
}

// A call that lasts gives signs of life: what its tool does, and a heartbeat. None comes after the answer.
func TestProgress(t *testing.T) {
	r := rig(t, hub.Options{Heartbeat: 5 * time.Millisecond})
	s := r.Client("mcp", "a")
	over, beats := false, make(chan calls.Progress, 999)
	seen := map[string]bool{}
	ask := req("demo_nest")
	ask.Intent, ask.Device = "Look into the nest", "web"
	ask.Progress = func(p calls.Progress) { seen[p.Event+" "+p.Message] = true }
	if _, err := r.Hub.Do(t.Context(), s, ask); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"device opening web", "step Look into the nest", "tool demo_echo"} {
		if !seen[want] {
			t.Errorf("not reported: %s; %v", want, seen)
		}
	}
	ask = onWeb("demo_wait")
	ask.Progress = func(p calls.Progress) {
		if over {
			t.Error("a sign of life after the answer")
		}
		beats <- p
	}
	running := background(t, r.Hub, s, ask)
	for n := 0; n < 3; {
		if p := waittest.Await(t, beats, "a sign of life"); p.Event == "heartbeat" {
			if !strings.HasPrefix(p.Message, "demo_wait has been running for") || p.Elapsed <= 0 {
				t.Errorf("heartbeat %+v", p)
			}
			n++
		}
	}
	r.Cancel(calls.CancelRequest{All: true})
	get(t, running)
	over = true
}

// A secret that a client holds is known where it acts, and told nowhere, by management tools before any session neither.
func TestClientsSecrets(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("cli", "")
	for _, name := range []string{"demo_say", "demo_echo"} {
		q := calls.Request{Call: tool.Call{Name: name, Args: []byte(`{"text":"it is {{pin}} and tr0ub4dor"}`)}, Secrets: map[string]string{"pin": "tr0ub4dor"}}
		rep, err := r.Hub.Do(t.Context(), s, q)
		if err != nil {
			t.Fatal(err)
		}
		text := rep.Result.Text()
		if strings.Contains(text+string(rep.Result.Value), "tr0ub4dor") || strings.Contains(text, "{{pin}}") != (name == "demo_say") {
			t.Errorf("%s said %s", name, text)
		}
	}
	lease, err := r.Acquire(t.Context(), s, "", "look")
	if err != nil || !lease.Session.Memory.IsSecret("pin") {
		t.Errorf("the session does not know: %v", err)
	}
	lease.Release()
}

// A secret that was typed earlier is in no reply, of device tools and management tools alike.
func TestRepliesAreMasked(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_secret", `{"text":"yranac-2retnuh"}`)
	for _, name := range []string{"demo_echo", "demo_say"} {
		rep := r.Must(s, "", name, `{"text":"it is hunter2-canary."}`)
		if text := rep.Result.Text(); strings.Contains(text, "canary") || !strings.Contains(text, mask.Masked) {
			t.Errorf("%s said %s", name, text)
		}
		if strings.Contains(string(rep.Result.Value), "canary") {
			t.Errorf("%s gave %s", name, rep.Result.Value)
		}
		if o := rep.Observation; name == "demo_echo" && (o == nil || !strings.Contains(o.Text, mask.Masked) || strings.Contains(o.Text, "canary")) {
			t.Errorf("observed %+v", o)
		}
	}
	visit(t, r.Provider.Device("web"), "https://shop.test/?key=hunter2-canary")
	q := req("demo_look")
	q.Intent = "use hunter2-canary"
	if _, err := r.Hub.Do(t.Context(), s, q); err != nil {
		t.Fatal(err)
	}
	if _, err := r.StartSession(t.Context(), s, "with hunter2-canary"); err != nil { // a new session forgets the value, not that it is secret
		t.Fatal(err)
	}
	if rep := r.Must(s, "", "demo_echo", `{"text":"hunter2-canary"}`); strings.Contains(rep.Result.Text()+rep.Observation.Text+rep.Observation.URL, "canary") {
		t.Errorf("the next session told: %s %s", rep.Result.Text(), rep.Observation.Text)
	}
	status, err := json.Marshal(r.Status())
	if err != nil || strings.Contains(string(status), "canary") {
		t.Errorf("status tells: %s, %v", status, err)
	}
	if _, err := r.StopSession(t.Context(), s, ""); err != nil {
		t.Fatal(err)
	}
	everything(t, r.Home, func(path string, data []byte) {
		if strings.Contains(string(data), "canary") || strings.Contains(path, "canary") {
			t.Errorf("%s holds the secret: %s", path, data)
		}
	})
}
