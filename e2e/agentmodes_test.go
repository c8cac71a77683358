package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

type args = map[string]any

// plainTrails are trails in plain language, in words that the scripted model understands: see obey.
var plainTrails = []struct {
	name  string
	steps []string
}{
	{"form", []string{`Open {{memory.baseUrl}}/form and wait for "Sign up"`, `Fill "Name" with "Ada", "Email" with "ada@example.test"`,
		`Choose "Blue" in "Colour"`, `Tick "I agree"`, `Press "Send"`, `See "Welcome Ada, blue"`}},
	{"duplicates", []string{`Open {{memory.baseUrl}}/list and wait for "Lamp"`, `Press "Add" of "Lamp"`, `See "In the basket: Lamp"`}},
	{"iframe", []string{`Open {{memory.baseUrl}}/frame and wait for "Inside"`, `Press "Inside"`, `See "The frame was pressed"`}},
	{"dialog", []string{`Open {{memory.baseUrl}}/dialog and wait for "Delete"`, `Accept the next dialog`, `Press "Delete"`, `See "Deleted"`}},
	{"banner there", []string{`Open {{memory.baseUrl}}/banner and wait for "Accept cookies"`, `If there is "Accept cookies", press it`, `See "No banner"`}},
	{"banner not there", []string{`Open {{memory.baseUrl}}/list and wait for "Lamp"`, `If there is "Accept cookies", press it`,
		`Press "Add" of "Mug"`, `See "In the basket: Mug"`}},
	{"memory", []string{`Open {{memory.baseUrl}}/code and wait for "Your code"`, `Remember what /code is ([0-9]+)/ says as code`,
		`Fill "Code" with "{{code}}"`, `Press "Check"`, `See "Right: 4711"`}},
	{"two tabs", []string{`Open {{memory.baseUrl}}/tabs and wait for "Terms"`, `Press "Terms"`, `Go to the tab "Second"`, `See "The small print"`}},
	{"upload", []string{`Open {{memory.baseUrl}}/upload and wait for "Picture"`, `Upload files/mug.txt into "Picture"`, `See "Chosen: mug.txt"`}},
	{"own tool", []string{`Open {{memory.baseUrl}}/form and wait for "Sign up"`, `Use sign_up for "Grace"`, `See "Welcome Grace, red"`}},
	{"search", []string{`Open {{memory.baseUrl}}/search and wait for "Search"`, `Fill "Search" with "lamp"`, `See "1 of 3: Lamp"`}},
	{"pages", []string{`Open {{memory.baseUrl}}/list and wait for "Lamp"`, `Press "Sign up here"`, `See "Sign up"`,
		`Fill "Name" with "Eve", "Email" with "e@example.test"`, `Press "Send"`, `See "Welcome Eve, red"`}},
}

const formPage = `<!doctype html><title>Form</title><h1>Sign up</h1><form onsubmit="event.preventDefault();out.textContent='Welcome '+n.value+', '+c.value">
<label>Name <input id=n required></label><label>Email <input type=email></label><label>Colour <select id=c><option value=red>Red<option
value=blue>Blue</select></label>
<label><input type=checkbox> I agree</label><button>Send</button></form><p role=status id=out></p>`

const listPage = `<!doctype html><title>List</title><ul><li><article aria-label=Mug><h2>Mug</h2><button
onclick="b.textContent='In the basket: Mug'">Add</button></article>
<li><article aria-label=Lamp><h2>Lamp</h2><button onclick="b.textContent='In the basket: Lamp'">Add</button></article></ul><p role=status
id=b>Empty</p><a href=/form>Sign up here</a>`

var modePages = map[string]string{
	"/form": formPage, "/list": listPage,
	"/frame": `<!doctype html><title>Frame</title><p role=status id=s>Nothing yet</p>` +
		`<iframe title=Box srcdoc="<button onclick=&quot;parent.document.getElementById('s').textContent='The frame was pressed'&quot;>Inside</button>"></iframe>`,
	"/dialog": `<!doctype html><title>Dialog</title><button onclick="if(confirm('Really?'))d.textContent='Deleted'">Delete</button><p role=status id=d>Kept</p>`,
	"/banner": `<!doctype html><title>Banner</title><div id=b><button onclick="b.remove();` +
		`s.textContent='No banner'">Accept cookies</button></div><p role=status id=s>Banner</p>`,
	"/code": `<!doctype html><title>Code</title><p>Your code is 4711</p><label>Code <input id=i></label>` +
		`<button onclick="o.textContent=(i.value=='4711'?'Right: ':'Wrong: ')+i.value">Check</button><p role=status id=o></p>`,
	"/tabs":   `<!doctype html><title>First</title><a href=/second target=_blank>Terms</a>`,
	"/second": `<!doctype html><title>Second</title><p>The small print</p>`,
	"/upload": `<!doctype html><title>Upload</title>` +
		`<label>Picture <input type=file onchange="p.textContent='Chosen: '+this.files[0].name"></label><p role=status id=p></p>`,
	"/search": `<!doctype html><title>Search</title>` +
		`<label>Search <input type=search oninput="r.textContent=this.value=='lamp'?'1 of 3: Lamp':'3 of 3'"></label><p role=status id=r>3 of 3</p>`,
}

const signUpTool = `id: sign_up
description: Fills in the form and sends it.
parameters:
  - { name: name, type: string }
tools:
  - web_type: { ref: 'textbox "Name"', text: "{{name}}" }
  - web_click: { ref: 'button "Send"' }
`

// does is what the scripted model does for an objective: the calls one after another, their refs from the current screen.
var does = []struct {
	form  *regexp.Regexp
	calls func(q llmtest.Question, m []string) []llmtest.Turn
}{
	{regexp.MustCompile(`^Open (\S+) and wait for "(.*)"$`), func(_ llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_navigate", args{"url": m[1]}), llmtest.Call("web_verifyTextVisible", args{"text": m[2]})}
	}},
	{regexp.MustCompile(`^Fill (.*)$`), func(q llmtest.Question, m []string) (out []llmtest.Turn) {
		for _, f := range regexp.MustCompile(`"([^"]*)" with "([^"]*)"`).FindAllStringSubmatch(m[1], -1) {
			out = append(out, llmtest.Call("web_type", args{"ref": field(q, f[1]), "text": f[2]}))
		}
		return out
	}},
	{regexp.MustCompile(`^Choose "(.*)" in "(.*)"$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_selectOption", args{"ref": q.Ref("combobox", m[2]), "values": []string{m[1]}})}
	}},
	{regexp.MustCompile(`^Tick "(.*)"$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_setChecked", args{"ref": q.Ref("checkbox", m[1]), "checked": true})}
	}},
	{regexp.MustCompile(`^Press "(.*)" of "(.*)"$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_click", args{"ref": q.RefAfter(`"`+m[2]+`"`, "button", m[1])})}
	}},
	{regexp.MustCompile(`^Press "(.*)"$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_click", args{"ref": button(q, m[1])})}
	}},
	{regexp.MustCompile(`^If there is "(.*)", press it$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		if ref := button(q, m[1]); ref != "" || q.Has("1. web_click") {
			return []llmtest.Turn{llmtest.Call("web_click", args{"ref": ref})}
		}
		return []llmtest.Turn{llmtest.Call("assertNotVisibleWithText", args{"text": m[1]})}
	}},
	{regexp.MustCompile(`^Accept the next dialog$`), func(llmtest.Question, []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_setDialogPolicy", args{"policy": "accept", "once": true})}
	}},
	{regexp.MustCompile(`^Remember what /(.*)/ says as (\w+)$`), func(_ llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("remember", args{"variable": m[2], "regex": m[1]})}
	}},
	{regexp.MustCompile(`^Go to the tab "(.*)"$`), func(_ llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_switchTab", args{"title": m[1]})}
	}},
	{regexp.MustCompile(`^Upload (\S+) into "(.*)"$`), func(q llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_uploadFile", args{"ref": q.Ref(m[2]), "paths": []string{m[1]}})}
	}},
	{regexp.MustCompile(`^Use (\w+) for "(.*)"$`), func(_ llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call(m[1], args{"name": m[2]})}
	}},
	{regexp.MustCompile(`^See "(.*)"$`), func(_ llmtest.Question, m []string) []llmtest.Turn {
		return []llmtest.Turn{llmtest.Call("web_verifyTextVisible", args{"text": m[1]})}
	}},
}

func field(q llmtest.Question, name string) string {
	for _, role := range []string{"textbox", "searchbox"} {
		if ref := q.Ref(role, `"`+name+`"`); ref != "" {
			return ref
		}
	}
	return ""
}

func button(q llmtest.Question, name string) string {
	for _, role := range []string{"button", "link"} {
		if ref := q.Ref(role, `"`+name+`"`); ref != "" {
			return ref
		}
	}
	return ""
}

var (
	objectiveLine = regexp.MustCompile(`Objective: (.*)\n`)
	deedLine      = regexp.MustCompile(`(?m)^(\d+)\. \w+ \{.*\} -> (.*)$`)
)

// madeCalls is how many calls were made for the objective.
func madeCalls(q llmtest.Question) int {
	all := deedLine.FindAllStringSubmatch(q.Text(), -1)
	if len(all) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(all[len(all)-1][1])
	return n
}

// obey is the scripted model: it does what the objective says, all calls in one answer, and goes on after a surprise.
func obey(q llmtest.Question) llmtest.Turn {
	if q.ForJudge() { // where no server stands between
		return llmtest.Agree(q)
	}
	says := func(status, why string) llmtest.Turn {
		return llmtest.Call("objectiveStatus", args{"status": status, "explanation": why})
	}
	objective := objectiveLine.FindAllStringSubmatch(strings.ReplaceAll(q.Text(), `\"`, `"`), 1)
	if objective == nil {
		return says("FAILED", "no objective in the question")
	}
	if deeds := deedLine.FindAllStringSubmatch(q.Text(), -1); len(deeds) > 0 && regexp.MustCompile(`^(failed|refused)`).MatchString(deeds[len(deeds)-1][2]) {
		return says("FAILED", "a call failed: "+deeds[len(deeds)-1][2])
	}
	for _, d := range does {
		m := d.form.FindStringSubmatch(objective[0][1])
		if m == nil {
			continue
		}
		calls := d.calls(q, m)
		n := madeCalls(q)
		if n >= len(calls) {
			return says("COMPLETED", "It is done.")
		}
		turn := calls[n]
		for _, c := range calls[n+1:] {
			turn = turn.And(c)
		}
		return turn
	}
	return says("FAILED", "not understood: "+objective[0][1])
}

// way is a mode, and whose model thinks in it: a wire, or the client's own, which takes tools as such or in words.
type way struct{ mode, model string }

var ways = []way{
	{"MCP_CLIENT_AS_AGENT", "openai_compatible"}, {"TRAILBLAZE_AGENT_WHILE_LOOP", "anthropic"}, {"TRAILBLAZE_AGENT_RECURSIVE_MCP", "google"},
	{"MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "own"}, {"MCP_CLIENT_AS_AGENT", "anthropic"}, {"TRAILBLAZE_AGENT_WHILE_LOOP", "google"},
	{"MCP_CLIENT_LIKE_GOOSE_WITH_SAMPLING", "own with tools"}, {"MCP_CLIENT_AS_AGENT", "own with tools"},
	{"TRAILBLAZE_AGENT_RECURSIVE_MCP", "openai_compatible"}, {"MCP_CLIENT_AS_AGENT", "own"}, {"MCP_CLIENT_AS_AGENT", "google"},
	{"TRAILBLAZE_AGENT_WHILE_LOOP", "openai_compatible"}, {"TRAILBLAZE_AGENT_RECURSIVE_MCP", "anthropic"},
}

// modeSuite is a workspace with a daemon, a scripted model on every wire, and MCP clients with models of their own.
type modeSuite struct {
	*sitting
	model *llmtest.Server
	pages string
}

func newModeSuite(t *testing.T) *modeSuite {
	s := &modeSuite{sitting: newSitting(t), model: llmtest.StartPolicy(obey), pages: housetest.Serve(t, modePages)}
	s.env = append(s.env, "LAB_KEY=lab-key", "TRAILBLAZE_TRUST=1")
	for name, text := range map[string]string{"trails/config/tools/sign_up.tool.yaml": signUpTool, "files/mug.txt": "A mug."} {
		path := filepath.Join(s.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// settle makes a model the one of the workspace.
func (s *modeSuite) settle(model string) {
	s.t.Helper()
	base := map[string]string{"openai_compatible": "/v1", "google": "/v1beta"}[model]
	text := "defaults: { base-url: \"" + s.pages + "\", llm: lab/scripted }\nllm:\n  providers:\n    lab:\n      type: " + model +
		"\n      base_url: " + s.model.URL + base + "\n      auth: { env_var: LAB_KEY }\n"
	if strings.HasPrefix(model, "own") {
		text = "defaults: { base-url: \"" + s.pages + "\", llm: none }\n"
	}
	if err := os.WriteFile(filepath.Join(s.work, "trails", "config", "trailblaze.yaml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// client is an MCP client, in the older protocol or the newer.
func (s *modeSuite) client(model string, newer bool) *sdk.ClientSession {
	s.t.Helper()
	var o sdk.ClientOptions
	switch model {
	case "own":
		o.CreateMessageHandler = ownModelInWords
	case "own with tools":
		o.CreateMessageWithToolsHandler = ownModelWithTools
	}
	version := "2025-11-25"
	if newer {
		version = ""
	}
	cmd := exec.Command(binary, "mcp")
	cmd.Env, cmd.Dir = s.env, s.work
	c, err := sdk.NewClient(&sdk.Implementation{Name: "goose", Version: "1"}, &o).
		Connect(s.t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

func ownModelInWords(_ context.Context, r *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
	text := ""
	for _, m := range r.Params.Messages {
		if c, ok := m.Content.(*sdk.TextContent); ok {
			text += c.Text
		}
	}
	var calls []args
	for _, c := range obey(llmtest.Question{Body: text}).Calls {
		calls = append(calls, args{"name": c.Name, "args": c.Args})
	}
	raw, err := json.Marshal(args{"calls": calls})
	return &sdk.CreateMessageResult{Role: "assistant", Model: "own", Content: &sdk.TextContent{Text: "Sure:\n```json\n" + string(raw) + "\n```"}}, err
}

func ownModelWithTools(_ context.Context, r *sdk.CreateMessageWithToolsRequest) (*sdk.CreateMessageWithToolsResult, error) {
	text := ""
	for _, m := range r.Params.Messages {
		for _, part := range m.Content {
			if c, ok := part.(*sdk.TextContent); ok {
				text += c.Text
			}
		}
	}
	out := &sdk.CreateMessageWithToolsResult{Role: "assistant", Model: "own", StopReason: "toolUse"}
	for i, c := range obey(llmtest.Question{Body: text}).Calls {
		if !slices.ContainsFunc(r.Params.Tools, func(t *sdk.Tool) bool { return t.Name == c.Name }) {
			return nil, fmt.Errorf("the tool %s was not offered", c.Name)
		}
		use := &sdk.ToolUseContent{ID: strconv.Itoa(i), Name: c.Name}
		if err := json.Unmarshal(c.Args, &use.Input); err != nil {
			return nil, err
		}
		out.Content = append(out.Content, use)
	}
	return out, nil
}

// sessions are the folders of the sessions so far.
func (s *modeSuite) sessions() []string {
	dirs, err := filepath.Glob(filepath.Join(filepath.Dir(s.work), "home", "sessions", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	return dirs
}

// checkAgentLog: the four events of an agent are there for each step, with all that they are to say; the calls went by
// the way of the mode.
func checkAgentLog(t *testing.T, w way, dir string, steps []string) {
	t.Helper()
	by, strategy := "MCP_IN_PROCESS", "DIRECT"
	if w.mode == "TRAILBLAZE_AGENT_RECURSIVE_MCP" {
		by = "MCP_OVER_HTTP"
	}
	if strings.HasPrefix(w.model, "own") {
		strategy = "MCP_SAMPLING"
	}
	var begun []string
	turns, asked, called, ended := 0, 0, 0, 0
	for e, err := range event.Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		whole := true
		switch {
		case e.AgentRun != nil && e.AgentRun.Outcome == "":
			begun = append(begun, e.AgentRun.Objective)
			whole = e.AgentRun.ID != "" && e.AgentRun.Transport == by && e.AgentRun.Strategy == strategy
		case e.AgentRun != nil:
			ended++
			turns = 0
			whole = e.AgentRun.Outcome == event.Passed && e.AgentRun.Iterations > 0 && e.AgentRun.Result != "" &&
				e.AgentRun.Duration > 0 && e.AgentRun.Transport == by
		case e.Iteration != nil:
			turns++
			whole = e.Iteration.Run != "" && e.Iteration.Iteration == turns && e.Iteration.Completion != "" &&
				(e.Iteration.Tool == "" || e.Iteration.Result != "" && json.Valid(e.Iteration.Args))
		case e.Sampling != nil:
			asked++
			whole = e.Sampling.Run != "" && e.Sampling.Strategy == strategy && len(e.Sampling.Messages) > 0 && e.Sampling.Model != "" &&
				e.Sampling.InputTokens > 0 && e.Sampling.OutputTokens > 0 && e.Sampling.Duration > 0
		case e.AgentTool != nil && e.AgentTool.Run != "":
			called++
			whole = e.AgentTool.ToolName != "" && json.Valid(e.AgentTool.Args) && e.AgentTool.Result != "" &&
				e.AgentTool.Duration > 0 && e.AgentTool.Transport == by
		}
		if !whole {
			said, _ := json.Marshal(e)
			t.Errorf("%s by %s: an event lacks something: %s", w.mode, w.model, said)
		}
	}
	if len(begun) != len(steps) || ended != len(steps) || asked == 0 || called == 0 {
		t.Errorf("%s by %s: %d runs, %d ends, %d questions, %d calls for %d steps", w.mode, w.model, len(begun), ended, asked, called, len(steps))
	}
}

var jobName = regexp.MustCompile(`job_[A-Z0-9]+`)

// blaze carries out a trail in one way, on a context of its own, and saves what was recorded.
func (s *modeSuite) blaze(t *testing.T, w way, newer bool, name string, steps []string, place string) string {
	t.Helper()
	s.settle(w.model)
	c := s.client(w.model, newer)
	do := func(tool string, in args) {
		t.Helper()
		res, err := c.CallTool(waittest.Context(t), &sdk.CallToolParams{Name: tool, Arguments: in})
		for job := ""; err == nil && !res.IsError; { // a call carries nine questions without sessions, and goes on as a job
			said, _ := json.Marshal(res.Content)
			if job = cmp.Or(jobName.FindString(string(said)), job); job == "" || !strings.Contains(string(said), "running") {
				break
			}
			res, err = c.CallTool(waittest.Context(t), &sdk.CallToolParams{Name: "job", Arguments: args{"id": job, "timeoutMs": 45_000}})
		}
		if err != nil || res.IsError {
			said, _ := json.Marshal(res)
			t.Fatalf("%s by %s: %s %v: %v %s", w.mode, w.model, tool, in, err, said)
		}
	}
	file := strings.ReplaceAll(name, " ", "-") + ".trail.yaml"
	before := s.sessions()
	do("device", args{"action": "CONNECT", "deviceId": "web/" + place})
	if w.mode == "MCP_CLIENT_AS_AGENT" {
		for _, step := range steps {
			do("step", args{"prompt": step})
		}
	} else {
		do("addToolCategory", args{"category": "SESSION"})
		do("setMode", args{"mode": w.mode})
		do("runPrompt", args{"steps": steps})
		do("setMode", args{"mode": "MCP_CLIENT_AS_AGENT"})
	}
	do("session", args{"action": "SAVE", "title": name, "path": place + "/" + file})
	logs := slices.DeleteFunc(s.sessions(), func(dir string) bool { return slices.Contains(before, dir) })
	if len(logs) != 1 {
		t.Fatalf("%d sessions: %v", len(logs), logs)
	}
	checkAgentLog(t, w, logs[0], steps)
	asked := len(s.model.Asked())
	if w.mode == "MCP_CLIENT_AS_AGENT" {
		do("addToolCategory", args{"category": "TRAIL"})
	} else {
		do("setMode", args{"mode": w.mode})
	}
	do("trail", args{"action": "RUN", "file": "trails/" + place + "/" + file})
	if n := len(s.model.Asked()); n != asked {
		t.Errorf("the recorded trail asked the model %d times", n-asked)
	}
	do("device", args{"action": "DISCONNECT"})
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	made, err := os.ReadFile(filepath.Join(s.work, "trails", place, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(made), "id: "+place+"/", "id: ", 1) // it is made of the file's place
}

// agentForm is how much of the tests of the agent is wanted. Those that take long are skipped without it: make agent gives it.
func agentForm(t *testing.T) string {
	t.Helper()
	form := os.Getenv("TRAILBLAZE_AGENT")
	if form == "" {
		t.Skip("make agent runs this")
	}
	return form
}

// TestAgentInEveryMode: the same trails in plain language pass in all four modes, on the wires of all providers, with the
// client's own model, and in both eras of the protocol; they are recorded, record the same file in
// another way but for the model that it names, and replay in each mode without a question, and with the model unreachable (R9, R18, R190–R193, R195,
// R207, R213, R215, R238, R276, R277). With TRAILBLAZE_AGENT=some each trail goes two ways, so that all ways are gone;
// =all goes all of them, and replays 20 times; =short goes all ways with three trails, each way with one of them.
func TestAgentInEveryMode(t *testing.T) {
	form := agentForm(t)
	trails, repeat := plainTrails, "2"
	choose := func(i int) []way { return []way{ways[i%len(ways)], ways[(i+5)%len(ways)]} }
	switch form {
	case "all":
		choose, repeat = func(int) []way { return ways }, "20"
	case "short":
		trails, repeat = plainTrails[1:4], "1"
		choose = func(i int) (out []way) {
			for at := i; at < len(ways); at += len(trails) {
				out = append(out, ways[at])
			}
			return out
		}
	}
	s := newModeSuite(t)
	for i, trail := range trails {
		chosen := choose(i)
		first := ""
		for j, w := range chosen {
			t.Run(trail.name+"/"+w.mode+"/"+w.model, func(t *testing.T) {
				made := s.blaze(t, w, (i+j)%2 == 0, trail.name, trail.steps, "way"+strconv.Itoa(j))
				by := "lab/scripted"
				if strings.HasPrefix(w.model, "own") {
					by = "mcp client"
				}
				if n := strings.Count(made, "'blazed: "); n == 0 || strings.Count(made, "': "+by+"; ") != n {
					t.Errorf("not each step names %s as its model:\n%s", by, made)
				}
				made = strings.ReplaceAll(made, "': "+by+"; ", "': a model; ")
				if first == "" {
					first = made
				}
				if made != first {
					t.Errorf("another way recorded another trail:\n%s\nnot\n%s", made, first)
				}
			})
		}
	}
	asked := len(s.model.Asked())
	s.model.Close() // what follows has no model to ask
	s.settle("none")
	s.shell("trailblaze run trails/way0 --llm none --no-report --repeat "+repeat, 0)
	if asked == 0 {
		t.Error("no model was asked")
	}
}
