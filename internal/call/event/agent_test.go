package event_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
)

func agentEvents(text string) []event.Event {
	raw, _ := json.Marshal(map[string]string{"text": text})
	fail := &fault.Failure{Kind: "timeout", Message: text}
	return []event.Event{
		{Type: event.McpAgentRun, AgentRun: &event.AgentRun{ID: "r", Objective: text, Transport: "MCP_IN_PROCESS", Strategy: "DIRECT",
			Iterations: 3, Outcome: event.Passed, Result: text, Error: fail, Duration: time.Second}},
		{Type: event.McpAgentIteration, Iteration: &event.AgentIteration{Run: "r", Iteration: 1, Completion: text, Tool: "web_click", Args: raw, Result: text}},
		{Type: event.McpSampling, Sampling: &event.Sampling{Run: "r", Strategy: "MCP_SAMPLING", Messages: raw, Completion: text, Model: "m", Asked: "lab/m",
			InputTokens: 10, OutputTokens: 2, Error: fail, Duration: time.Second}},
		{Type: event.McpAgentTool, AgentTool: &event.AgentTool{Call: "c", Run: "r", ToolName: "web_click", Args: raw, Result: text, IsError: true,
			Duration: time.Second, Transport: "MCP_OVER_HTTP", Session: "s", ClientID: "tb_aaaa", Client: text, Job: "j"}},
	}
}

// R215: the four events of S3's table keep all their fields on the way to disk and back.
func TestR215AgentEventsRoundTrip(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	var want []event.Event
	for _, e := range agentEvents("log in") {
		kept, err := log.Append(e)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, kept)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var got []event.Event
	for e, err := range event.Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Unknown != nil {
			t.Errorf("%s is unknown to its own reader", e.Type)
		}
		got = append(got, e)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

func TestAgentEventsAreMasked(t *testing.T) {
	dir := t.TempDir()
	log := create(t, dir)
	const secret = "hunter2"
	log.SetMask(func(e event.Event) event.Event { return redact.Event(masker{secret, "***"}, e) })
	for _, e := range agentEvents("say " + secret) {
		kept, err := log.Append(e)
		if err != nil {
			t.Fatal(err)
		}
		line, err := kept.Line()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(line), secret) {
			t.Errorf("%s: %s", e.Type, line)
		}
		if !strings.Contains(string(line), "***") {
			t.Errorf("%s lost its text: %s", e.Type, line)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}
