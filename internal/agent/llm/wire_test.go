package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

var wires = []string{llm.OpenAI, llm.Anthropic, llm.Google}

var request = llm.Request{
	System:   "You test.",
	Tools:    []llm.Tool{{Name: "press", Description: "presses", Schema: json.RawMessage(`{"type":"object"}`)}},
	Choice:   llm.Required,
	Messages: []llm.Message{{Role: llm.FromUser, Parts: []llm.Part{{Text: "look"}, {Image: &llm.Image{MIME: "image/png", Data: []byte("png")}}}}},
}

// ask asks a scripted server over one wire.
func ask(t *testing.T, wire string, s *llmtest.Server, r llm.Request) (*llm.Response, error) {
	t.Helper()
	set := s.Settings(wire)
	set.Price = llm.Price{Input: 1, CachedInput: 0.1, Output: 10}
	m, err := llm.New(set)
	if err != nil {
		t.Fatal(err)
	}
	return m.Generate(t.Context(), r, nil)
}

func each(t *testing.T, f func(t *testing.T, wire string)) {
	for _, wire := range wires {
		t.Run(wire, func(t *testing.T) { t.Parallel(); f(t, wire) })
	}
}

// TestAnswer: words and calls come whole from their pieces, with usage, cost and the tokens from a cache.
func TestAnswer(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		turn := llmtest.Call("press", map[string]any{"ref": "é7"}).And(llmtest.Call("press", map[string]any{}))
		turn.Text, turn.Cached = "On it.", 600
		s := llmtest.Start(turn)
		defer s.Close()
		got, err := ask(t, wire, s, request)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != "On it." || got.Stop != llm.Calling || len(got.Calls) != 2 || got.Model != "scripted-1" {
			t.Fatalf("%+v", got)
		}
		if string(got.Calls[0].Args) != `{"ref":"é7"}` || string(got.Calls[1].Args) != "{}" || got.Calls[0].ID == got.Calls[1].ID {
			t.Errorf("%s %s %+v", got.Calls[0].Args, got.Calls[1].Args, got.Calls)
		}
		want := llm.Usage{Calls: 1, Input: 1000, CachedInput: 600, Output: 20, Cost: (400*1 + 600*0.1 + 20*10) / 1e6}
		if d := got.Usage.Cost - want.Cost; d > 1e-12 || d < -1e-12 {
			t.Errorf("cost %v, want %v", got.Usage.Cost, want.Cost)
		}
		if got.Usage.Cost = want.Cost; got.Usage != want {
			t.Errorf("%+v", got.Usage)
		}
		next := request
		next.Messages = append(next.Messages, got.Message(), llm.Message{Role: llm.FromUser, Parts: []llm.Part{
			{Result: &llm.Result{ID: got.Calls[0].ID, Name: "press", Text: "pressed", IsError: true}},
			{Result: &llm.Result{ID: got.Calls[1].ID, Name: "press", Text: "pressed"}}}})
		if _, err = ask(t, wire, s, next); err != nil {
			t.Fatal(err)
		}
		q := s.Asked()[1]
		for _, want := range []string{"You test.", "look", "cG5n", "pressed", "On it."} {
			if !q.Has(want) {
				t.Errorf("the request lacks %q: %s", want, q.Body)
			}
		}
		need := map[string]string{llm.OpenAI: `"tool_choice":"required"`, llm.Anthropic: `"cache_control":{"type":"ephemeral"}`,
			llm.Google: `"thoughtSignature":"c2ln"`}
		if !q.Has(need[wire]) {
			t.Errorf("lacks %s: %s", need[wire], q.Body)
		}
		if strings.Contains(q.Body, "test-key") {
			t.Error("the key is in the body")
		}
	})
}

// TestStops: a refusal and an answer that hit the limit are told as such.
func TestStops(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		for _, stop := range []llm.Stop{llm.Refused, llm.Cut, llm.Ended} {
			s := llmtest.Start(llmtest.Turn{Text: "I cannot do that.", Stop: stop})
			got, err := ask(t, wire, s, request)
			s.Close()
			if err != nil || got.Stop != stop || got.Text != "I cannot do that." {
				t.Errorf("%s: %+v %v", stop, got, err)
			}
		}
	})
}

// TestNullError: a server that writes "error": null into each piece has its answer read whole, also in words like that.
func TestNullError(t *testing.T) {
	turn := llmtest.Call("press", map[string]any{"ref": "e7"})
	turn.Text, turn.Null = `It said "error": null, "error":null}.`, true
	s := llmtest.Start(turn)
	defer s.Close()
	got, err := ask(t, llm.OpenAI, s, request)
	if err != nil || got.Text != turn.Text || len(got.Calls) != 1 || got.Usage.Input != 1000 || len(s.Asked()) != 1 {
		t.Errorf("%+v after %d questions: %v", got, len(s.Asked()), err)
	}
}

// TestTrouble: a failure that passes is tried again, as soon as the provider allows; any other is told.
func TestTrouble(t *testing.T) {
	good := llmtest.Say("here")
	cases := []struct {
		name  string
		turns []llmtest.Turn
		kind  fault.Kind // "" when the answer comes all the same
		asked int
		says  string
	}{
		{"429 with Retry-After", []llmtest.Turn{{Status: 429, Retry: "0.01"}, good}, "", 2, ""},
		{"529 twice", []llmtest.Turn{{Status: 529, Retry: "0.01"}, {Status: 529, Retry: "0.01"}, good}, "", 3, ""},
		{"overloaded for good", []llmtest.Turn{{Status: 529, Retry: "0.01"}}, fault.Unavailable, 4, "529"},
		{"a cut stream", []llmtest.Turn{{Text: "her", Cut: true}, good}, "", 2, ""},
		{"garbage", []llmtest.Turn{{Garbage: true}, good}, "", 2, ""},
		{"a wrong key", []llmtest.Turn{{Status: 401}}, fault.Unavailable, 1, "key"},
		{"an unknown model", []llmtest.Turn{{Status: 404}}, fault.Unavailable, 1, "model"},
		{"a bad request", []llmtest.Turn{{Status: 400}}, fault.Unavailable, 1, "scripted status 400"},
		{"no quota", []llmtest.Turn{{Status: 429, Code: "insufficient_quota"}}, fault.Unavailable, 1, "quota"},
		{"a wait of hours", []llmtest.Turn{{Status: 429, Retry: "7200"}}, fault.Unavailable, 1, "2h0m0s"},
		{"no stream", []llmtest.Turn{{Text: "here", OneDocument: true}}, "", 1, ""},
		{"an answer without end", []llmtest.Turn{{Text: "x", Huge: true}}, fault.Degraded, 1, "larger"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, wire string) {
				s := llmtest.Start(c.turns...)
				defer s.Close()
				got, err := ask(t, wire, s, request)
				if c.kind == "" && (err != nil || got.Text != "here") {
					t.Errorf("%+v %v", got, err)
				}
				if c.kind != "" && (fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("%v, want %s with %q", err, c.kind, c.says)
				}
				if n := len(s.Asked()); n != c.asked {
					t.Errorf("asked %d times, want %d", n, c.asked)
				}
			})
		})
	}
}

// TestParams: the settings of sampling are sent, a temperature of 0 without them; one that the model refuses is
// left out from then on, and what is no number is told before anything is sent.
func TestParams(t *testing.T) {
	has := map[string][]string{
		llm.OpenAI:    {`"temperature":0.5`, `"seed":7`, `"parallel_tool_calls":false`, `"max_completion_tokens":99`},
		llm.Anthropic: {`"temperature":0.5`, `"disable_parallel_tool_use":true`, `"max_tokens":99`},
		llm.Google:    {`"temperature":0.5`, `"seed":7`, `"maxOutputTokens":99`},
	}
	each(t, func(t *testing.T, wire string) {
		s := llmtest.StartPolicy(func(q llmtest.Question) llmtest.Turn {
			if q.N == 3 && q.Has(`"temperature"`) {
				return llmtest.Turn{Status: 400, Text: "temperature is deprecated for this model"}
			}
			return llmtest.Say("here")
		})
		defer s.Close()
		model := func(p llm.Params) llm.Model {
			set := s.Settings(wire)
			set.Params = p
			m, err := llm.New(set)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		say := func(m llm.Model) {
			if got, err := m.Generate(t.Context(), request, nil); err != nil || got.Text != "here" {
				t.Fatalf("%+v %v", got, err)
			}
		}
		say(model(llm.Params{Temperature: "0.5", Seed: "7", Parallel: "false", MaxTokens: "99"}))
		plain := model(llm.Params{})
		say(plain)
		say(plain)
		say(plain)
		say(model(llm.Params{Temperature: "none"}))
		asked := s.Asked()
		for _, want := range has[wire] {
			if !asked[0].Has(want) {
				t.Errorf("the request lacks %s: %s", want, asked[0].Body)
			}
		}
		for i, want := range []bool{true, true, true, false, false, false} {
			if i >= len(asked) || asked[i].Has(`"temperature"`) != want {
				t.Errorf("request %d of %d has a temperature: want %t", i+1, len(asked), want)
			}
		}
		for name, p := range map[string]llm.Params{"seed": {Seed: "often"}, "max_silence": {MaxSilence: "90"}} {
			set := s.Settings(wire)
			set.Params = p
			if _, err := llm.New(set); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), name) {
				t.Errorf("a %s that cannot be read: %v", name, err)
			}
		}
	})
}

// TestUnstreamed: an answer that comes as one document is read as the same answer in pieces.
func TestUnstreamed(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		turn := llmtest.Call("press", map[string]any{"ref": "é7"}).And(llmtest.Call("press", map[string]any{}))
		turn.Text, turn.Cached, turn.OneDocument = "On it.", 600, true
		s := llmtest.Start(turn)
		defer s.Close()
		got, err := ask(t, wire, s, request)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != "On it." || got.Stop != llm.Calling || len(got.Calls) != 2 || got.Model != "scripted-1" || got.Usage.Input != 1000 ||
			got.Usage.CachedInput != 600 || got.Usage.Output != 20 || string(got.Calls[0].Args) != `{"ref":"é7"}` {
			t.Errorf("%+v", got)
		}
	})
}

// TestCallsInWords: small models write their calls into the text, though they are offered tools.
func TestCallsInWords(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		for text, want := range map[string]string{
			`{"name": "press", "arguments": {"ref": "e1"}}`:                                         `press {"ref": "e1"}`,
			"<tool_call>\n{\"name\": \"press\", \"arguments\": {}}\n</tool_call>":                   `press {}`,
			"```json\n{\"name\":\"press\",\"parameters\":{}}\n```\nthen {\"name\":\"press\"} and {": `press {} press {}`,
			`{"name": "Ada", "args": {}}`:                                                           ``, `The name is {press}.`: ``,
		} {
			s := llmtest.Start(llmtest.Say(text))
			got, err := ask(t, wire, s, request)
			s.Close()
			if err != nil {
				t.Fatal(err)
			}
			var calls []string
			for _, c := range got.Calls {
				calls = append(calls, c.Name, string(c.Args))
			}
			if have := strings.Join(calls, " "); have != want || (got.Stop == llm.Calling) != (want != "") {
				t.Errorf("%s: %q %s, want %q", text, have, got.Stop, want)
			}
		}
	})
}

// TestHang: a question to a provider that hangs ends with the call, within a second, or when max_silence is over.
func TestHang(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		s := llmtest.Start(llmtest.Turn{Text: "x", Hang: true})
		defer s.Close()
		m, err := llm.New(s.Settings(wire))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		start := time.Now()
		if _, err = m.Generate(ctx, request, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("it took %s", d)
		}
		set := s.Settings(wire)
		set.Params.MaxSilence = "100ms"
		if m, err = llm.New(set); err != nil {
			t.Fatal(err)
		}
		if _, err = m.Generate(t.Context(), request, nil); fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "said nothing for 100ms") {
			t.Error(err)
		}
	})
}

// TestSay: a text that somebody reads along comes in pieces, and an answer of which pieces were told is not begun again.
func TestSay(t *testing.T) {
	each(t, func(t *testing.T, wire string) {
		s := llmtest.Start(llmtest.Turn{Text: strings.Repeat("piece ", 9), Cut: true, Calls: llmtest.Call("press", 1).And(llmtest.Call("press", 2)).Calls})
		defer s.Close()
		m, err := llm.New(s.Settings(wire))
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		_, err = m.Generate(t.Context(), request, func(text string) { told += text })
		if fault.KindOf(err) != fault.Unavailable || len(s.Asked()) != 1 || !strings.HasPrefix(told, "piece ") {
			t.Errorf("%v, asked %d times, told %q", err, len(s.Asked()), told)
		}
	})
}

// TestChoose: what a person asks for wins over files, files over keys, and none is none.
func TestChoose(t *testing.T) {
	env := func(set ...string) func(string) string {
		return func(name string) string {
			for _, s := range set {
				if s == name {
					return "k-" + name
				}
			}
			return ""
		}
	}
	file := map[string]any{
		"defaults": map[string]any{"model": "lab/small"}, "tiers": map[string]any{"outer": "anthropic/claude-opus-4-6"},
		"providers": map[string]any{"lab": map[string]any{"type": "openai_compatible", "base_url": "https://lab.test/v1",
			"auth":   map[string]any{"env_var": "LAB_KEY"},
			"models": []any{map[string]any{"id": "small", "cost": map[string]any{"input_per_million": 2.0, "output_per_million": 8.0}}}}},
	}
	cases := []struct {
		name string
		c    llm.Choosing
		want string
		key  string
	}{
		{"nothing", llm.Choosing{}, "", ""},
		{"a key", llm.Choosing{Env: env("ANTHROPIC_API_KEY", "GOOGLE_API_KEY")}, "anthropic/claude-sonnet-4-6", "k-ANTHROPIC_API_KEY"},
		{"the first key", llm.Choosing{Env: env("ANTHROPIC_API_KEY", "OPENAI_API_KEY")}, "openai/gpt-4.1", "k-OPENAI_API_KEY"},
		{"none wins over keys", llm.Choosing{Asked: "none", Env: env("OPENAI_API_KEY")}, "", ""},
		{"asked wins over the file", llm.Choosing{Asked: "google", Config: file, Env: env("GEMINI_API_KEY")}, "google/gemini-2.5-pro", "k-GEMINI_API_KEY"},
		{"the file", llm.Choosing{Config: file, Env: env("LAB_KEY", "OPENAI_API_KEY")}, "lab/small", "k-LAB_KEY"},
		{"a tier", llm.Choosing{Tier: "outer", Config: file}, "anthropic/claude-opus-4-6", ""},
		{"a model with a slash", llm.Choosing{Asked: "openrouter/qwen/qwen3"}, "openrouter/qwen/qwen3", ""},
		{"Ollama runs", llm.Choosing{Local: func(context.Context) string { return "qwen3:8b" }}, "ollama/qwen3:8b", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, ok := llm.Choose(t.Context(), c.c)
			if got := strings.Trim(s.Name(), "/"); got != c.want || ok != (c.want != "") || s.Key != c.key {
				t.Errorf("%q %v %q", got, ok, s.Key)
			}
			if c.want == "lab/small" && (s.Price.Output != 8 || s.BaseURL != "https://lab.test/v1") {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestNewRefuses: what cannot work is told before anything is sent, and a key never goes over the network in the clear.
func TestNewRefuses(t *testing.T) {
	for _, s := range []llm.Settings{
		{Provider: "openai", Model: "m"}, {Provider: "nobody", Model: "m"}, {Provider: "ollama"}, {Provider: "lab", BaseURL: "ftp://x", Model: "m"},
		{Provider: "lab", BaseURL: "127.0.0.1:8080/v1", Model: "m"}, {Provider: "lab", BaseURL: "localhost:8080/v1", Model: "m"},
		{Provider: "lab", BaseURL: "http://lab.test/v1", Model: "m", Key: "secret-key"}, {Provider: "lab", Wire: "soap", BaseURL: "https://x", Model: "m"},
	} {
		m, err := llm.New(s)
		if m != nil || err == nil || strings.Contains(err.Error(), "secret-key") || fault.FailureOf(err).Hint == "" {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestKeyStays: a redirect is not followed, since it would carry the key to another host. No error has the key, and each has
// a hint.
func TestKeyStays(t *testing.T) {
	var reached atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(other.Close)
	each(t, func(t *testing.T, wire string) {
		for _, status := range []int{http.StatusTemporaryRedirect, http.StatusBadRequest} {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", other.URL)
				w.WriteHeader(status)
				_, _ = fmt.Fprintf(w, `{"error":{"message":"bad key test-key"}}`)
			}))
			m, err := llm.New(llm.Settings{Provider: wire, Model: "m", Key: "test-key", BaseURL: s.URL})
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Generate(t.Context(), request, nil)
			if fault.KindOf(err) != fault.Unavailable || strings.Contains(err.Error(), "test-key") || reached.Load() || fault.FailureOf(err).Hint == "" {
				t.Errorf("%d: %v, reached %t", status, err, reached.Load())
			}
			s.Close()
		}
	})
}
