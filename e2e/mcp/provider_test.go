package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// asking is whose model is asked, over which wire, and how the agent works.
type asking struct{ wire, mode string }

// waits says that a step becomes a job while it waits for the model. In the protocol without sessions the client does not
// wait then, and it becomes one with the tenth question.
func (a asking) waits() bool { return a.mode == "job" && a.wire != "sampling without" }

// jobOfRounds says that it becomes one with the tenth question.
func (a asking) jobOfRounds() bool { return a.mode == "job" && !a.waits() }

// The wires, with the type of their provider in the settings; "" is the client's own model.
var wires = map[string]string{
	"openai": "openai, base_url: %s/v1", "anthropic": "anthropic, base_url: %s", "google": "google, base_url: %s/v1beta",
	"ollama": "openai_compatible, base_url: %s/v1", "sampling with sessions": "", "sampling without": "",
}

var modes = []string{"in process", "recursive", "outer", "outer's step", "job"}

func everyAsking(f func(a asking)) {
	for wire := range wires {
		for _, mode := range modes {
			if wires[wire] != "" || !strings.HasPrefix(mode, "outer") { // a client's own model plans for itself
				f(asking{wire, mode})
			}
		}
	}
}

// modelHouse is a house whose model is a scripted one, at a provider or with the client.
type modelHouse struct {
	*house
	model *llmtest.Server
	says  atomic.Pointer[func(q llmtest.Question) llmtest.Turn]
}

func newModelHouse(t *testing.T, env ...string) *modelHouse {
	h := &modelHouse{house: newHouse(t)}
	h.model = llmtest.StartPolicy(func(q llmtest.Question) llmtest.Turn { return (*h.says.Load())(q) })
	t.Cleanup(h.model.Close)
	h.Env = append(h.Env, append(env, "LAB_KEY=lab-key", "TRAILBLAZE_TRUST=1")...)
	if err := os.MkdirAll(filepath.Join(h.Work, "trails", "config"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.navigate("/ground.html")
	return h
}

// begin has a client that works in this way ask for a step. done gets the last answer, also that of a job.
func (h *modelHouse) begin(t *testing.T, a asking, most int, limits string, says func(q llmtest.Question) llmtest.Turn) (done <-chan reply) {
	t.Helper()
	goesOn := make(chan struct{})
	policy := func(q llmtest.Question) llmtest.Turn {
		if a.waits() {
			waittest.Hold(t, goesOn)
		}
		return says(q)
	}
	h.says.Store(&policy)
	provider, own := wires[a.wire], wires[a.wire] == ""
	settings := fmt.Sprintf("defaults: { llm: lab/scripted, max-llm-calls: %d }\nllm:\n", most) + limits
	if own {
		settings = fmt.Sprintf("defaults: { llm: none, max-llm-calls: %d }\n", most)
	} else {
		settings += "  providers:\n    lab: { type: " + fmt.Sprintf(provider, h.model.URL) +
			", auth: { env_var: LAB_KEY }, models: [{ id: scripted, cost: { input_per_million: 5, output_per_million: 0 } }] }\n"
	}
	if strings.HasPrefix(a.mode, "outer") {
		settings += "  tiers: { outer: lab/scripted }\n"
	}
	h.Write("trails/config/trailblaze.yaml", settings)
	var args []string
	tool := "step"
	if a.mode == "recursive" {
		tool, args = "runPrompt", []string{"--mode", "TRAILBLAZE_AGENT_RECURSIVE_MCP"}
	}
	version := eras["with sessions"]
	if strings.HasSuffix(a.wire, "without") {
		version = eras["without"]
	}
	var o sdk.ClientOptions
	if own {
		var n atomic.Int32
		o = ownModel(func(ctx context.Context, q llmtest.Question) (sdk.Content, error) {
			q.N = int(n.Add(1))
			turn := policy(q)
			if turn.Hang {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return calling(turn.Calls[0].Name, turn.Calls[0].Args), nil
		})
	}
	c := h.connectAs(version, o, args...)
	out := make(chan reply, 1)
	go func() {
		ctx := context.WithoutCancel(t.Context())
		r := c.try(ctx, tool, map[string]any{"prompt": "Type many names"})
		if job := jobName.FindString(r.text); a.mode == "job" {
			if job == "" {
				t.Errorf("%+v became no job: %s", a, r.text)
			}
			close(goesOn)
			r = c.finish(ctx, r)
		}
		out <- r
		_ = c.s.Close()
	}()
	return out
}

// R208, R279: no question is asked beyond max-llm-calls or max_cost, by any model and in every way of working; both
// tiers and a job count as one.
func TestCapsAreExact(t *testing.T) {
	ifAsked(t)
	short, long := newModelHouse(t, "TRAILBLAZE_JOB_AFTER=1m"), newModelHouse(t, "TRAILBLAZE_JOB_AFTER=500ms")
	everyAsking(func(a asking) {
		if a.mode == "outer's step" { // the same as outer here
			return
		}
		for limits, want := range map[string]int{"": 3, "  max_cost: 0.01\n": 2} { // a question costs $0.005
			says := fmt.Sprintf("asked %d times", want)
			switch {
			case limits != "" && wires[a.wire] == "": // its price is not known
				continue
			case limits != "":
				says = "has cost $0.0100"
			case a.jobOfRounds():
				want, says = 12, "asked 12 times"
			}
			t.Run(a.wire+"/"+a.mode+"/"+says, func(t *testing.T) {
				h := short
				if a.mode == "job" {
					h = long
				}
				var asked atomic.Int32
				done := h.begin(t, a, max(want, 3), limits, func(q llmtest.Question) llmtest.Turn {
					asked.Add(1)
					if q.Has("doStep") {
						return llmtest.Call("doStep", map[string]any{"kind": "step", "prompt": "Type many names"})
					}
					return llmtest.Call(counted(q))
				})
				if r := waittest.Await(t, done, "the client is answered"); !strings.Contains(r.text, says) || int(asked.Load()) != want {
					t.Errorf("%d questions, then %s", asked.Load(), r.text)
				}
			})
		}
	})
}

// R208, R218: a cancel ends a step within a second while whoever answers hangs, in every way of working.
func TestCancelWhileAProviderHangs(t *testing.T) {
	short, long := newModelHouse(t, "TRAILBLAZE_JOB_AFTER=1m"), newModelHouse(t, "TRAILBLAZE_JOB_AFTER=500ms")
	everyAsking(func(a asking) {
		t.Run(a.wire+"/"+a.mode, func(t *testing.T) {
			h := short
			if a.mode == "job" {
				h = long
			}
			hangs := make(chan struct{}, 100)
			done := h.begin(t, a, 50, "", func(q llmtest.Question) llmtest.Turn {
				if a.jobOfRounds() && q.N < 10 {
					return llmtest.Call(counted(q))
				}
				if a.mode == "outer's step" && q.Has("doStep") {
					return llmtest.Call("doStep", map[string]any{"kind": "step", "prompt": "Type many names"})
				}
				hangs <- struct{}{}
				return llmtest.Turn{Text: "x", Hang: true}
			})
			waittest.Await(t, hangs, "the model is asked")
			began := time.Now()
			if s := h.command(t.Context(), "cancel", "--device", "web"); s.code != 0 {
				t.Errorf("cancel ended with %d: %s%s", s.code, s.out, s.err)
			}
			h.awaitStatus("the step ends", idle.MatchString)
			took := time.Since(began)
			if took > testtime.Within(time.Second) {
				t.Errorf("it took %s", took)
			}
			if a.wire == "sampling without" { // its client holds the question, and was not told
				return
			}
			if r := waittest.Await(t, done, "the client is answered"); !r.failed || !strings.Contains(r.text, "cancel") ||
				time.Since(began) > testtime.Within(time.Second) {
				t.Errorf("after %s: %+v", time.Since(began), r)
			}
		})
	})
}
