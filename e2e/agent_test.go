package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

const buyTrail = `# What the team wrote.
config: { id: buy, title: Buy a mug }
trail:
  - step: Open the shop at {{memory.baseUrl}}/
  - step: Put the Cedar Mug in the cart
  - verify: The shop says that the mug was added
`

// buyer plays the steps of buyTrail, and any objective like them.
func buyer(q llmtest.Question) llmtest.Turn {
	if q.ForJudge() { // where no server stands between
		return llmtest.Agree(q)
	}
	finished := llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "Done.", "answer": "€19.00"})
	text, screen := q.Text(), q.Screen()
	switch {
	case strings.Contains(text, "Objective: Open"):
		switch {
		case strings.Contains(screen, "Cedar Mug") && strings.Contains(text, "1. web_"):
			return finished
		case strings.Contains(screen, "Cedar Mug"), strings.Contains(text, "1. web_navigate"): // there already, or not yet
			return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "Cedar Mug"})
		}
		return llmtest.Call("web_navigate", map[string]any{"url": "{{memory.baseUrl}}/"})
	case strings.Contains(text, "Objective: Put"):
		switch {
		case strings.Contains(screen, "Added Cedar Mug") && strings.Contains(text, "1. web_"):
			return finished
		case strings.Contains(screen, "Added Cedar Mug"): // of another objective
			return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "Added Cedar Mug"})
		}
		return llmtest.Call("web_click", map[string]any{"ref": q.RefAfter("Cedar Mug", "Add to cart")})
	case strings.Contains(text, "1. web_"), strings.Contains(text, "This objective is a question"):
		return finished
	case strings.Contains(text, "Objective: What"): // as a step, which ends with a look
		return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "€19.00"})
	}
	return llmtest.Call("web_verifyTextVisible", map[string]any{"text": "Added Cedar Mug"})
}

// newModelSitting is a sitting with a scripted model behind a provider of the team's own, whose key is in the
// environment of the shell alone.
func newModelSitting(t *testing.T) (*sitting, *llmtest.Server) {
	model := llmtest.StartPolicy(buyer)
	t.Cleanup(model.Close)
	s := newSitting(t)
	s.env = append(s.env, "LAB_KEY=lab-secret-key", "TRAILBLAZE_TRUST=1")
	settings := "defaults: { llm: lab/scripted, base-url: \"" + s.shop + "\" }\nllm:\n  providers:\n    lab:\n      type: anthropic\n" +
		"      base_url: " + model.URL + "\n      auth: { env_var: LAB_KEY }\n"
	place := filepath.Join(s.work, "trails", "config")
	if err := os.MkdirAll(place, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "trailblaze.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return s, model
}

// R9, R13, R232: a trail in plain language is carried out by the model, replayed at once, and saved; from then on it
// replays without a model, and its file stays as it is.
func TestPlainTrailIsBlazed(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	file := filepath.Join(s.work, "trails", "buy.trail.yaml")
	if err := os.WriteFile(file, []byte(buyTrail), 0o600); err != nil {
		t.Fatal(err)
	}
	s.shell("trailblaze run trails/buy.trail.yaml --llm none", 2)
	if !strings.Contains(s.last, "language model") {
		t.Errorf("without a model: %s", s.last)
	}
	caller := filepath.Join(s.work, "caller.trail.yaml") // what it calls is looked into before a device is opened
	calls := "config: { id: caller }\ntrail:\n  - step: Buy\n    recording: { web: [{ runTrail: { path: trails/buy.trail.yaml } }] }\n"
	if err := os.WriteFile(caller, []byte(calls), 0o600); err != nil {
		t.Fatal(err)
	}
	s.shell("trailblaze run caller.trail.yaml", 2)
	if !strings.Contains(s.last, "Run those trails by themselves") || len(model.Asked()) != 0 {
		t.Errorf("a trail that calls one without recordings: %s", s.last)
	}
	model.Judge(func(llmtest.Question) llmtest.Turn { return llmtest.Rule("cannot tell", "Whose mug?") })
	s.shell("trailblaze run trails/buy.trail.yaml", 2)
	if text, err := os.ReadFile(file); err != nil || string(text) != buyTrail || !strings.Contains(s.last, "Whose mug?") {
		t.Errorf("the judge cannot tell: %v\n%s\n%s", err, text, s.last)
	}
	model.Judge(llmtest.Agree)
	model.Answer(func(q llmtest.Question) llmtest.Turn { // the second step does something else
		switch {
		case !q.Has("Objective: Put"):
			return buyer(q)
		case q.Has("1. web_click"):
			return llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "Done."})
		}
		return llmtest.Call("web_click", map[string]any{"ref": `link "Packing list"`})
	})
	model.Judge(func(q llmtest.Question) llmtest.Turn {
		if !q.Has("Judge this step: Put the Cedar Mug in the cart") || !q.Has(`web_click on link "Packing list"`) {
			t.Error(q.Text())
		}
		return llmtest.Rule("does not", "It opens a list.")
	})
	s.shell("trailblaze run trails/buy.trail.yaml", 2)
	if text, err := os.ReadFile(file); err != nil || string(text) != buyTrail || !strings.Contains(s.last, `"Packing list"`) {
		t.Errorf("a step that does something else: %v\n%s\n%s", err, text, s.last)
	}
	model.Answer(buyer)
	model.Judge(llmtest.Agree)
	s.shell("trailblaze run trails/buy.trail.yaml", 0)
	asked := len(model.Asked()) + len(model.Judged())
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# What the team wrote.", "web_navigate", "{{memory.baseUrl}}/", "web_click", "Cedar Mug",
		"web_verifyTextVisible", "fingerprint",
		"blazed: Put the Cedar Mug in the cart", "lab/scripted; no judge was asked", "lab/scripted; the judge says holds"} {
		if !strings.Contains(string(made), want) {
			t.Errorf("the trail lacks %q:\n%s", want, made)
		}
	}
	s.shell("trailblaze run trails/buy.trail.yaml --repeat 2 --llm none", 0)
	again, err := os.ReadFile(file)
	if err != nil || string(again) != string(made) || len(model.Asked())+len(model.Judged()) != asked || asked == 0 {
		t.Errorf("the replay asked %d times, changed the file: %t, %v", len(model.Asked())-asked, string(again) != string(made), err)
	}
}

// R13: a recording leaves out the calls that led nowhere, and has tokens in place of the trail's arguments and memory. A
// replay proves both. Checks always stay.
func TestBlazedTrailIsOptimised(t *testing.T) {
	s, model := newModelSitting(t)
	file := filepath.Join(s.work, "trails", "mail.trail.yaml")
	text := "config:\n  id: mail\n  args: { mail: { type: string } }\ntrail:\n  - step: Open the account page\n" +
		"  - step: Fill in the email {{args.mail}}\n  - verify: It is filled in\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		text := q.Text()
		did := func(call string) bool { return regexp.MustCompile(`\n\d+\. ` + call).MatchString(text) }
		goTo := func(path string) llmtest.Turn {
			return llmtest.Call("web_navigate", map[string]any{"url": s.shop + path})
		}
		switch {
		case strings.Contains(text, "Objective: Open") && !did("web_navigate"):
			return goTo("/account")
		case strings.Contains(text, "Objective: Fill") && strings.Contains(q.Screen(), "/packing"): // the wrong page
			return goTo("/account")
		case strings.Contains(text, "Objective: Fill") && !did("web_navigate"):
			return goTo("/packing").And(llmtest.Call("web_currentUrl", map[string]any{}))
		case strings.Contains(text, "Objective: Fill") && !did("web_type"):
			return llmtest.Call("web_type", map[string]any{"ref": q.Ref("textbox", "Email"), "text": "kim@shop.example"})
		case strings.Contains(text, "Objective: It is") && !did("web_verifyValue"):
			return llmtest.Call("web_verifyValue", map[string]any{"ref": q.Ref("textbox", "Email"), "expected": "kim@shop.example"})
		}
		return llmtest.Call("objectiveStatus", map[string]any{"status": "COMPLETED", "explanation": "Done."})
	})
	s.shell("trailblaze run trails/mail.trail.yaml --arg mail=kim@shop.example", 0)
	if !strings.Contains(s.last, "2 calls of detours left out") {
		t.Errorf("%s", s.last)
	}
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, without := range []string{"/packing", s.shop, "web_currentUrl", "text: kim@"} {
		if strings.Contains(string(made), without) {
			t.Errorf("the trail has %q:\n%s", without, made)
		}
	}
	if !strings.Contains(string(made), "text: \"{{args.mail}}\"") {
		t.Errorf("nothing was lifted:\n%s", made)
	}
	s.shell("trailblaze run trails --llm none --arg mail=kim@shop.example", 0)
}

// R13: a trail that is not there is made of a description, blazed, and saved with its recordings; it replays without a model.
func TestTrailOfADescription(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		if strings.Contains(q.Text(), "Description: Buy") {
			return llmtest.Call("writeTrail", map[string]any{"title": "Buy a mug", "steps": []map[string]string{
				{"kind": "step", "text": "Open the shop at {{memory.baseUrl}}/"}, {"kind": "step", "text": "Put the Cedar Mug in the cart"},
				{"kind": "verify", "text": "The shop says that the mug was added"}}})
		}
		return buyer(q)
	})
	s.shell("trailblaze run trails/new.trail.yaml --llm none --description 'Buy a mug'", 3)
	s.shell("trailblaze run trails/new.trail.yaml --description 'Buy a Cedar Mug at {{memory.baseUrl}}/'", 0)
	s.shell("trailblaze run trails/new.trail.yaml --description 'Buy two'", 3)
	made, err := os.ReadFile(filepath.Join(s.work, "trails", "new.trail.yaml"))
	if err != nil || !strings.Contains(string(made), "title: Buy a mug") || !strings.Contains(string(made), "fingerprint") {
		t.Errorf("%s %v", made, err)
	}
	s.shell("trailblaze run trails --llm none", 0)
}

// A run that is killed while it asks leaves the trail as it was and a log that can be read to its last line; the next run
// does all of it.
func TestBlazeKilledWhileItAsks(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	file := filepath.Join(s.work, "trails", "buy.trail.yaml")
	if err := os.WriteFile(file, []byte(buyTrail), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 6; n++ { // of six or seven: between any two calls
		asked, first := make(chan struct{}), len(model.Asked())
		model.Answer(func(q llmtest.Question) llmtest.Turn {
			if q.N-first == n {
				close(asked)
				return llmtest.Turn{Text: "x", Hang: true}
			}
			return buyer(q)
		})
		cmd := exec.CommandContext(waittest.Context(t), binary, "run", "trails/buy.trail.yaml")
		cmd.Env, cmd.Dir = s.env, s.work
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waittest.Await(t, asked, fmt.Sprintf("question %d is asked", n))
		_ = cmd.Process.Kill()
		_ = waittest.Ended(t, cmd.Wait, "the killed run ends")
		if now, err := os.ReadFile(file); err != nil || string(now) != buyTrail {
			t.Errorf("killed at question %d, the trail is %q, %v", n, now, err)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(filepath.Dir(s.work), "home", "sessions", "*"))
	if len(logs) != 6 {
		t.Errorf("%d sessions", len(logs))
	}
	for _, dir := range logs {
		runs := 0
		for e, err := range event.Read(dir) {
			if err != nil {
				t.Errorf("%s: %v", dir, err)
			} else if e.Type == event.McpAgentRun {
				runs++
			}
		}
		if runs == 0 {
			t.Errorf("%s tells of no run of the agent", dir)
		}
	}
	model.Answer(buyer)
	s.shell("trailblaze run trails/buy.trail.yaml", 0)
	s.shell("trailblaze run trails/buy.trail.yaml --llm none", 0)
}

// R191, R216, R238: the shell and an MCP client have step, verify and ask when there is a model; the daemon gets the key
// without having it in its environment, and no answer tells it.
func TestStepThroughTheDaemon(t *testing.T) {
	s, model := newModelSitting(t)
	s.shell(`trailblaze step "Open {{memory.baseUrl}}/" --llm none`, 3)
	if !strings.Contains(s.last, "ANTHROPIC_API_KEY") {
		t.Errorf("without a model: %s", s.last)
	}
	s.shell(`trailblaze step "Open {{memory.baseUrl}}/"`, 0)
	s.shell(`trailblaze step --plan "Put the Cedar Mug in the basket"`, 0) // which the trail saved below must not have
	if !strings.Contains(s.last, "Nothing was done.") || !strings.Contains(s.last, `button "Add to cart"`) || !strings.Contains(s.last, "risk: medium") {
		t.Errorf("a plan: %s", s.last)
	}
	s.shell(`trailblaze step --plan --json "Put the Cedar Mug in the basket"`, 0)
	if !strings.Contains(s.last, `"plan"`) || !strings.Contains(s.last, `"risk"`) {
		t.Errorf("a plan as JSON: %s", s.last)
	}
	s.shell(`trailblaze step "Put the Cedar Mug in the cart"`, 0)
	s.shell(`trailblaze verify "The shop says that the mug was added"`, 0)
	s.shell(`trailblaze ask "What does it cost?"`, 0)
	if !strings.Contains(s.last, "€19.00") {
		t.Errorf("ask: %s", s.last)
	}
	s.agent("step", map[string]any{"prompt": "Open {{memory.baseUrl}}/"})
	list, err := s.mcp.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	names, _ := json.Marshal(list.Tools)
	if !strings.Contains(string(names), `"name":"ask"`) {
		t.Error("an MCP client is not offered ask")
	}
	for _, q := range model.Asked() {
		if q.Header.Get("X-Api-Key") != "lab-secret-key" {
			t.Fatal("the model was asked without the key")
		}
	}
	if strings.Contains(s.told(), "lab-secret") {
		t.Error("the key was told")
	}
	model.Judge(func(llmtest.Question) llmtest.Turn { return llmtest.Rule("does not", "Nothing says so.") })
	s.shell(`trailblaze verify "The shop says that the Cedar Mug is reserved"`, 2)
	if !strings.Contains(s.last, "Nothing says so.") {
		t.Errorf("a check that the judge does not see: %s", s.last)
	}
	s.shell("trailblaze session save --title Buy", 0)
	saved, err := filepath.Glob(filepath.Join(s.work, "trails", "*.trail.yaml"))
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	if made, err := os.ReadFile(saved[0]); err != nil || strings.Contains(string(made), "in the basket") ||
		strings.Contains(string(made), "reserved") {
		t.Errorf("a plan, or a check that did not pass, is a step of the trail: %s %v", made, err)
	} else if !strings.Contains(string(made), `lab/scripted; no judge was asked`) || !strings.Contains(string(made), `lab/scripted; the judge says holds`) {
		t.Errorf("which model did it, and whether the judge agreed, is not in the trail: %s", made)
	}
	s.shell("trailblaze run trails --llm none", 0)
}

// TRAILBLAZE_LLM and TRAILBLAZE_MAX_LLM_CALLS hold for the command or the MCP client in whose environment they are, with a
// daemon that knows neither, and for nobody else.
func TestModelSettingsOfAClient(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	s.shell(`trailblaze step "Open {{memory.baseUrl}}/"`, 0)
	asked := len(model.Asked())
	s.shell(`TRAILBLAZE_MAX_LLM_CALLS=1 trailblaze step "Put the Cedar Mug in the cart"`, 2)
	if n := len(model.Asked()) - asked; n != 1 || !strings.Contains(s.last, "asked 1 times") {
		t.Errorf("asked %d times: %s", n, s.last)
	}
	s.shell(`TRAILBLAZE_MAX_LLM_CALLS=many trailblaze step "Put the Cedar Mug in the cart"`, 3)
	s.shell(`TRAILBLAZE_LLM=none trailblaze step "Put the Cedar Mug in the cart"`, 3)
	client := func(more ...string) *sdk.ClientSession {
		cmd := exec.Command(binary, "mcp")
		cmd.Env, cmd.Dir = append(slices.Clone(s.env), more...), s.work
		c, err := sdk.NewClient(&sdk.Implementation{Name: "goose", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	other, plain, none := client("TRAILBLAZE_LLM=lab/other", "TRAILBLAZE_MAX_LLM_CALLS=1"), client(), client("TRAILBLAZE_LLM=none")
	for _, c := range []struct {
		*sdk.ClientSession
		model string
		fails bool
	}{{other, `"model":"other"`, true}, {plain, `"model":"scripted"`, false}} {
		asked := len(model.Asked())
		res, err := c.CallTool(waittest.Context(t), &sdk.CallToolParams{Name: "step",
			Arguments: map[string]any{"prompt": "Open {{memory.baseUrl}}/", "device": "web"}})
		said, _ := json.Marshal(res)
		if err != nil || res.IsError != c.fails || !strings.Contains(model.Asked()[asked].Body, c.model) {
			t.Errorf("%s: %v %s", c.model, err, said)
		}
	}
	if list, err := none.ListTools(t.Context(), nil); err != nil || slices.ContainsFunc(list.Tools, func(l *sdk.Tool) bool { return l.Name == "step" }) {
		t.Errorf("a client without a model is offered step: %v", err)
	}
}

// Waiting for a provider is told to the client while it lasts: how long, and why.
func TestWaitingForTheModelIsTold(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	model.Answer(func(q llmtest.Question) llmtest.Turn {
		if q.N == 1 {
			return llmtest.Turn{Status: http.StatusTooManyRequests, Retry: "1", Text: "slow down"}
		}
		return buyer(q)
	})
	told := make(chan string, 100)
	cmd := exec.Command(binary, "mcp")
	cmd.Env, cmd.Dir = s.env, s.work
	c, err := sdk.NewClient(&sdk.Implementation{Name: "goose", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			if strings.Contains(r.Params.Message, "waiting") {
				told <- r.Params.Message
			}
		}}).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	p := &sdk.CallToolParams{Name: "step", Arguments: map[string]any{"prompt": "Open {{memory.baseUrl}}/"}}
	p.SetProgressToken("t")
	if res, err := c.CallTool(waittest.Context(t), p); err != nil || res.IsError {
		said, _ := json.Marshal(res)
		t.Fatalf("%v %s", err, said)
	}
	if got := waittest.Await(t, told, "the waiting is told"); got != "waiting 1s for the model: lab cannot answer now (429): slow down" {
		t.Error(got)
	}
}

// R192, R207, R238: a client that offers sampling has a model by that, in both eras of the protocol: it is offered step, and
// its own model thinks when it hands over a task, in the mode for that and in the default one.
func TestClientsOwnModel(t *testing.T) {
	s := newSitting(t)
	asked := 0
	think := func(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
		asked++
		text := ""
		for _, m := range r.Params.Messages {
			if c, ok := m.Content.(*sdk.TextContent); ok {
				text += c.Text
			}
		}
		type call struct {
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		}
		var calls []call
		for _, c := range buyer(llmtest.Question{Body: text}).Calls {
			calls = append(calls, call{c.Name, c.Args})
		}
		raw, err := json.Marshal(map[string]any{"calls": calls})
		return &sdk.CreateMessageResult{Role: "assistant", Model: "own", Content: &sdk.TextContent{Text: "```json\n" + string(raw) + "\n```"}}, err
	}
	for _, version := range []string{"2025-06-18", ""} {
		t.Run("protocol "+version, func(t *testing.T) {
			cmd := exec.Command(binary, "mcp")
			cmd.Env, cmd.Dir = append(s.env, "TRAILBLAZE_BASE_URL="+s.shop), s.work
			c, err := sdk.NewClient(&sdk.Implementation{Name: "goose", Version: "1"}, &sdk.ClientOptions{CreateMessageHandler: think}).
				Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			list, err := c.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			names, _ := json.Marshal(list.Tools)
			if !strings.Contains(string(names), `"name":"step"`) {
				t.Error("the client is not offered step")
			}
			do := func(name string, args map[string]any) {
				t.Helper()
				res, err := c.CallTool(waittest.Context(t), &sdk.CallToolParams{Name: name, Arguments: args})
				said, _ := json.Marshal(res)
				if err != nil || res.IsError {
					t.Fatalf("%s: %v %s", name, err, said)
				}
			}
			asked = 0
			do("web_navigate", map[string]any{"url": s.shop + "/"})
			do("step", map[string]any{"prompt": "Put the Cedar Mug in the cart"})
			if asked < 2 {
				t.Errorf("step asked %d times", asked)
			}
			asked = 0
			do("addToolCategory", map[string]any{"category": "SESSION"})
			do("setMode", map[string]any{"mode": "MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING"})
			do("runPrompt", map[string]any{"steps": []string{"Put the Cedar Mug in the cart", "What does it cost?"}})
			if asked < 2 {
				t.Errorf("runPrompt asked %d times", asked)
			}
		})
	}
}

// R138, R139, R141: a server asks the model of the call that it carries out, with the key of the client that made the call: an
// agent, a command, a run. A call without a model says so.
func TestServerAsksTheModel(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	model.Answer(func(llmtest.Question) llmtest.Turn { return llmtest.Say("It is green.") })
	place := filepath.Join(s.work, "trails", "config", "trailblaze.yaml")
	settings, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	servers := strings.Replace(housetest.ToolsConfig(t, housetest.ServeTools(t, "team", ""), ""), "name: acme,", "name: acme, sampling: true,", 1)
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(place, string(settings)+servers)
	write(filepath.Join(s.work, "trails", "ask.trail.yaml"), "config: {id: ask}\ntrail:\n  - step: Ask\n    recording:\n      web:\n"+
		"        - acme_ask: {text: Which color?}\n        - assertEquals: {actual: 1, expected: 1}\n")
	s.shell("trailblaze trust --yes", 0)
	s.agent("addToolCategory", map[string]any{"category": "ALL"})
	s.agent("acme_ask", map[string]any{"text": "Which color?"})
	if !strings.Contains(s.last, "sampling true: It is green.") {
		t.Errorf("an agent's call: %s", s.last)
	}
	s.shell("trailblaze tool acme_ask text='Which color?'", 0)
	if !strings.Contains(s.last, "sampling true: It is green.") {
		t.Errorf("a command's call: %s", s.last)
	}
	s.shell("trailblaze run trails/ask.trail.yaml --no-report", 0)
	if n := len(model.Asked()); n != 3 {
		t.Errorf("the model was asked %d times", n)
	}
	for i, q := range model.Asked() {
		if key := q.Header.Get("X-Api-Key"); key != "lab-secret-key" {
			t.Errorf("question %d came with the key %q", i, key)
		}
	}
	s.refused("team_ask", map[string]any{"text": "Which color?"}, "sampling: true")
	write(place, strings.Replace(string(settings), "llm: lab/scripted", "llm: none", 1)+servers)
	s.shell("trailblaze tool acme_ask text='Which color?'", 1)
	if !strings.Contains(s.last, "sampling false") || !strings.Contains(s.last, "none is configured") {
		t.Errorf("without a model: %s", s.last)
	}
}

// What the project says of its app (system_prompt of the target) reaches the model with each objective, in the daemon and
// in a run.
func TestModelIsToldOfTheApp(t *testing.T) {
	t.Parallel()
	s, model := newModelSitting(t)
	place := filepath.Join(s.work, "trails", "config")
	for name, text := range map[string]string{
		"trailmaps/shop/trailmap.yaml": "id: shop\ntarget: {display_name: Shop, system_prompt_file: about.md}\n",
		"trailmaps/shop/about.md":      "Mugs are sold in pairs.\n",
		"../open.trail.yaml":           "config: { id: open, target: shop }\ntrail:\n  - step: Open the shop at {{memory.baseUrl}}/\n",
	} {
		path := filepath.Join(place, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told := func() (n int) {
		for _, q := range model.Asked() {
			if q.Has("Mugs are sold in pairs.") {
				n++
			}
		}
		return n
	}
	s.shell(`trailblaze step "Open the shop at {{memory.baseUrl}}/"`, 0)
	if n := told(); n != 0 {
		t.Errorf("told %d times of an app that nobody chose", n)
	}
	s.agent("addToolCategory", map[string]any{"category": "SESSION"})
	s.agent("setTargetApp", map[string]any{"appTargetId": "shop"})
	s.agent("step", map[string]any{"prompt": "Open the shop at {{memory.baseUrl}}/"})
	inDaemon := told()
	s.shell(`trailblaze step "Open the shop at {{memory.baseUrl}}/"`, 0)
	if n := told(); n != inDaemon {
		t.Error("a client that chose no app is told of the one that the client before it chose")
	}
	s.shell("trailblaze run trails/open.trail.yaml --no-report", 0)
	if n := told(); inDaemon == 0 || n == inDaemon {
		t.Errorf("told %d times in the daemon, %d in the run", inDaemon, n-inDaemon)
	}
}
