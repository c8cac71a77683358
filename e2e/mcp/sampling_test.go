package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// eras are the protocol with sessions and the one without.
var eras = map[string]string{"with sessions": "2025-11-25", "without": ""}

// ownModel makes a client's model of a function that gets the question in words.
func ownModel(says func(ctx context.Context, q llmtest.Question) (sdk.Content, error)) sdk.ClientOptions {
	return sdk.ClientOptions{CreateMessageHandler: func(ctx context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
		text := ""
		for _, m := range r.Params.Messages {
			if c, ok := m.Content.(*sdk.TextContent); ok {
				text += c.Text
			}
		}
		c, err := says(ctx, llmtest.Question{Body: text})
		if err != nil {
			return nil, err
		}
		return &sdk.CreateMessageResult{Role: "assistant", Model: "own", Content: c}, nil
	}}
}

func calling(name string, args any) *sdk.TextContent {
	raw, err := json.Marshal(map[string]any{"calls": []map[string]any{{"name": name, "args": args}}})
	if err != nil {
		panic(err)
	}
	return &sdk.TextContent{Text: string(raw)}
}

const manyNames = 21 // questions but one: more than two calls of a client carry

var deed = regexp.MustCompile(`(?m)^(\d+)\. web_type`)

// counted is the next call of a model that types many names into the field Name, one with each answer.
func counted(q llmtest.Question) (tool string, args any) {
	done := 0
	for _, m := range deed.FindAllStringSubmatch(q.Text(), -1) {
		done, _ = strconv.Atoi(m[1])
	}
	if done == manyNames {
		return "objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "All names were typed."}
	}
	return "web_type", map[string]any{"ref": q.Ref("textbox", "Name"), "text": fmt.Sprintf("Name %d", done+1)}
}

var jobName = regexp.MustCompile(`job_\w+`)

// R207, R208, R210: a step, and a task of runPrompt, that asks the client's own model goes on as a job that goes on asking
// it, in both eras of the protocol, and ends as if it had not become one.
func TestJobAsksTheClientsModel(t *testing.T) {
	for _, c := range []struct{ door, era, mode, tool string }{
		{"stdio", "with sessions", "MCP_CLIENT_AS_AGENT", "step"}, {"stdio", "without", "MCP_CLIENT_AS_AGENT", "step"},
		{"http", "with sessions", "MCP_CLIENT_AS_AGENT", "step"}, {"http", "without", "MCP_CLIENT_AS_AGENT", "step"},
		{"stdio", "with sessions", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "runPrompt"},
		{"stdio", "without", "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "runPrompt"},
	} {
		t.Run(c.door+"/"+c.tool+"/"+c.era, func(t *testing.T) {
			h := newHouse(t)
			h.Env = append(h.Env, "TRAILBLAZE_LLM=none")
			version := eras[c.era]
			if version != "" {
				h.Env = append(h.Env, "TRAILBLAZE_JOB_AFTER=1s")
			}
			h.navigate("/ground.html")
			var asked atomic.Int32
			goesOn := make(chan struct{})
			model := ownModel(func(_ context.Context, q llmtest.Question) (sdk.Content, error) {
				if asked.Add(1) == 2 && version != "" {
					waittest.Hold(t, goesOn) // the call ends first, while its question is under way
				}
				return calling(counted(q)), nil
			})
			var agent *client
			if c.door == "http" {
				agent = h.overHTTP(version, model)
			} else {
				agent = h.connectAs(version, model, "--mode", c.mode)
			}
			first := agent.call(c.tool, map[string]any{"prompt": "Type many names"})
			close(goesOn)
			job := jobName.FindString(first.text)
			if job == "" || asked.Load() > 9 {
				t.Fatalf("after %d questions: %s", asked.Load(), first.text)
			}
			got := agent.finish(t.Context(), first)
			if !strings.Contains(got.text, "done") || !strings.Contains(got.text, "All names were typed.") || asked.Load() != manyNames+1 {
				t.Errorf("after %d questions: %s", asked.Load(), got.text)
			}
			looks := h.connect()
			if s := looks.finish(t.Context(), looks.call("web_snapshot", nil)); !strings.Contains(s.text, fmt.Sprintf("Name %d", manyNames)) {
				t.Errorf("the page shows %s", s.text)
			}
		})
	}
}

// R210: a job that asks the client's model ends when its connection is cut, and its device is free.
func TestJobEndsWhileItAsks(t *testing.T) {
	h := newHouse(t)
	h.Env = append(h.Env, "TRAILBLAZE_LLM=none", "TRAILBLAZE_JOB_AFTER=300ms")
	h.navigate("/ground.html")
	goesOn, asked, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var n atomic.Int32
	agent := h.connectAs(eras["with sessions"], ownModel(func(_ context.Context, q llmtest.Question) (sdk.Content, error) {
		if n.Add(1) == 1 {
			waittest.Hold(t, goesOn)
			return calling(counted(q)), nil
		}
		close(asked)
		waittest.Hold(t, over)
		return nil, errors.New("too late")
	}))
	first := agent.call("step", map[string]any{"prompt": "Type many names"})
	if jobName.FindString(first.text) == "" {
		t.Errorf("no job: %s", first.text)
	}
	close(goesOn)
	waittest.Await(t, asked, "the job asks again")
	if err := agent.front.Process.Kill(); err != nil {
		t.Error(err)
	}
	h.awaitStatus("the job ends", idle.MatchString)
	close(over)
	if r := h.shell(t.Context(), "web", "web_currentUrl"); r.failed {
		t.Errorf("the device is not free: %s", r.text)
	}
	if ends := h.sampled(); len(ends) != 1 || !regexp.MustCompile("gone").MatchString(ends[0]) {
		t.Errorf("the log says %q", ends)
	}
}

// R207: a failure of the client's model ends the step with its reason, in both eras of the protocol, and
// nothing else: the device is free, and the log of its session is whole.
func TestSamplingGoesWrong(t *testing.T) {
	ifAsked(t)
	h := newHouse(t)
	// an answer that comes at once must not count as late
	h.Env = append(h.Env, "TRAILBLAZE_LLM=none", "TRAILBLAZE_ANSWER_TIMEOUT="+testtime.Within(time.Second).String())
	h.navigate("/ground.html")
	words := func(text string) func() (sdk.Content, error) {
		return func() (sdk.Content, error) { return &sdk.TextContent{Text: text}, nil }
	}
	for _, c := range []struct {
		name    string
		says    func() (sdk.Content, error) // nil: nothing
		cut     bool                        // the front is killed while the client is asked
		with    string                      // what the client reads, in the protocol with sessions
		without string
		logged  string // in the session
	}{
		{name: "refused", says: func() (sdk.Content, error) { return nil, errors.New("the user said no") },
			with: "the user said no", without: "the user said no", logged: "said no|canceled"},
		{name: "no JSON", says: words("I would rather {not}."), with: "in vain", without: "in vain", logged: "in vain"},
		{name: "another JSON", says: words(`{"calls":[{"name":7}]}`), with: "in vain", without: "in vain", logged: "in vain"},
		{name: "an unknown tool", says: words(`{"calls":[{"name":"rm_rf","args":[]}]}`), with: "no tool rm_rf", without: "no tool rm_rf", logged: "no tool rm_rf"},
		{name: "a picture", says: func() (sdk.Content, error) { return &sdk.ImageContent{MIMEType: "image/png", Data: []byte("x")}, nil },
			with: "neither text nor calls", without: "neither text nor calls", logged: "neither text nor calls"},
		{name: "nothing", with: "did not answer within", without: "not waiting for an answer", logged: "did not answer|canceled"},
		{name: "cut", cut: true, with: "", without: "", logged: "canceled|gone"},
	} {
		for era, version := range eras {
			t.Run(c.name+"/"+era, func(t *testing.T) {
				before := h.sampled()
				asked, over := make(chan struct{}, 100), make(chan struct{})
				agent := h.connectAs(version, ownModel(func(context.Context, llmtest.Question) (sdk.Content, error) {
					asked <- struct{}{}
					if c.says != nil {
						return c.says()
					}
					waittest.Hold(t, over)
					return &sdk.TextContent{Text: "too late"}, nil
				}))
				done := make(chan reply, 1)
				go func() {
					done <- agent.try(context.WithoutCancel(t.Context()), "step", map[string]any{"prompt": "Do it"})
				}()
				waittest.Await(t, asked, "the model is asked")
				if c.cut {
					if err := agent.front.Process.Kill(); err != nil {
						t.Error(err)
					}
				}
				h.awaitStatus("the step ends", idle.MatchString)
				close(over)
				want := map[string]string{"with sessions": c.with, "without": c.without}[era]
				if r := waittest.Await(t, done, "the client is answered"); !r.failed || !strings.Contains(r.text, want) {
					t.Errorf("the client was answered %+v, want %q", r, want)
				}
				if r := h.shell(t.Context(), "web", "web_currentUrl"); r.failed {
					t.Errorf("the device is not free: %s", r.text)
				}
				ends := h.sampled()[len(before):]
				if len(ends) != 1 || !regexp.MustCompile(c.logged).MatchString(ends[0]) {
					t.Errorf("the log says %q, want %s", ends, c.logged)
				}
			})
		}
	}
}

// sampled is how the runs of the agent have failed, as the logs of all sessions tell.
func (h *house) sampled() (ends []string) {
	h.T.Helper()
	dirs, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*"))
	if err != nil {
		h.T.Fatal(err)
	}
	for _, dir := range dirs {
		for e, err := range event.Read(dir) {
			if err != nil {
				h.T.Fatalf("%s: %v", dir, err)
			}
			if r := e.AgentRun; r != nil && r.Outcome != "" {
				if r.Outcome == event.Passed || r.Error == nil {
					h.T.Errorf("%+v", r)
					continue
				}
				ends = append(ends, r.Error.Message)
			}
		}
	}
	return ends
}
