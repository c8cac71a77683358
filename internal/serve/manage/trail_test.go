package manage_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
)

const buyTrail = `# bought on Fridays
config: { id: buy, title: Buy a thing, tags: [smoke] }
trail:
  # the search
  - step: Search
    recording:
      web:
        - web_type: { text: "{{args.what}}", nodeSelector: { web: { ariaRole: textbox, ariaNameRegex: Search } } } # by hand

  - step: Buy
    recording: { web: [{ web_click: { nodeSelector: { web: { ariaRole: button, ariaNameRegex: Buy } } } }] }
  - verify: It is the shop
    recording:
      web: [{ web_verifyElementVisible: { nodeSelector: { web: { ariaRole: heading } } } }]
      android: [{ assertVisible: { text: Shop } }]
`

var withArgs = strings.Replace(buyTrail, "tags: [smoke] }", "tags: [smoke], args: { what: { type: string, default: lamp } } }", 1)

func TestTrails(t *testing.T) {
	h := newHouse(t)
	text, _ := h.do("trail", `{"action":"LIST"}`)
	has(t, text, "No trail is there")
	h.write("trails/buy.trail.yaml", withArgs)
	h.write("trails/broken.trail.yaml", "trail: 7\n")
	h.write("node_modules/x/trail.yaml", withArgs)
	text, _ = h.do("trail", `{"action":"LIST"}`)
	has(t, text, "trails/buy.trail.yaml: Buy a thing, 3 steps, android web [smoke]", "trails/broken.trail.yaml. It cannot be run")
	if strings.Contains(text, "node_modules") {
		t.Errorf("packages are listed:\n%s", text)
	}
	text, _ = h.do("trail", `{"action":"LIST","filter":"SMOKE"}`)
	if strings.Contains(text, "broken") {
		t.Errorf("the filter lets all through:\n%s", text)
	}
	h.refused(fault.Invalid, "trail", `{"action":"LIST","page":9}`)
	text, _ = h.do("trail", `{"action":"VALIDATE","name":"buy"}`)
	has(t, text, "Nothing is wrong")
	text, _ = h.do("trail", `{"action":"VALIDATE","file":"trails/broken.trail.yaml"}`)
	has(t, text, "has 1 error")

	// By id, title, file and text; the values that the trail declares are given (R211, R272).
	for _, how := range []string{`"name":"buy"`, `"name":"buy a thing"`, `"file":"trails/buy.trail.yaml"`, `"name":"buy.trail.yaml","args":{"what":"tent"}`} {
		text, v := h.do("trail", `{"action":"RUN",`+how+`}`)
		has(t, text, "trails/buy.trail.yaml passed: 3 steps, 3 calls")
		if v["run"].(map[string]any)["outcome"] != "passed" {
			t.Errorf("%s: %v", how, v)
		}
	}
	if got := h.Provider.Device("web").Done(); len(got) != 8 {
		t.Errorf("%d actions reached the device, want two of each of four runs: %v", len(got), got)
	}
	text, _ = h.do("trail",
		`{"action":"RUN","yaml":"trail:\n  - verify: Shop\n    recording: {web: [{web_verifyElementVisible: {nodeSelector: {web: {ariaRole: heading}}}}]}\n"}`)
	has(t, text, "passed: 1 step, 1 call")
	// Steps alone, as somebody does who looks for a mistake.
	text, _ = h.do("trail", `{"action":"RUN","name":"buy","to":1}`)
	has(t, text, "1 of the 3 steps of trails/buy.trail.yaml passed: 1 call")
	text, v := h.do("trail", `{"action":"RUN","name":"buy","from":2,"to":3}`)
	has(t, text, "2 of the 3 steps of trails/buy.trail.yaml passed: 2 calls")
	if v["run"].(map[string]any)["passed"] != 2.0 {
		t.Errorf("%v", v)
	}
	h.refused(fault.Invalid, "trail", `{"action":"RUN","name":"buy","from":4}`)
	h.refused(fault.Invalid, "trail", `{"action":"RUN","name":"buy","from":3,"to":2}`)
	h.refused(fault.Invalid, "trail", `{"action":"RUN","name":"buy","args":{"wat":"x"}}`)
	h.refused(fault.NotFound, "trail", `{"action":"RUN","name":"nothing"}`)
	h.refused(fault.Denied, "trail", `{"action":"RUN","file":"../../x.trail.yaml"}`)
	h.refused(fault.Invalid, "trail", `{"action":"RUN"}`)

	// A run is part of the session: what was played can be saved like what was done.
	text, _ = h.do("trail", `{"action":"SAVE","name":"Played"}`)
	has(t, text, "Saved trails/played.trail.yaml")
	has(t, h.file("trails/played.trail.yaml"), "step: Search", "verify: It is the shop")
	text, _ = h.do("trail", `{"action":"START","name":"Anew"}`)
	has(t, text, "Recording on web")
	h.act("Buy", "web_click", `{"ref":"e2"}`)
	text, _ = h.do("trail", `{"action":"SAVE","name":"Anew"}`)
	has(t, text, "1 step, 1 action")
	text, _ = h.do("trail", `{"action":"END"}`)
	has(t, text, "ended")
}

// TestRunFailure proves that a failure tells a client what it needs to go on (R15): the step, what was looked for,
// what is there, what remains, what to do. No model is asked.
func TestRunFailure(t *testing.T) {
	h := newHouse(t)
	h.write("trails/gone.trail.yaml", `trail:
  - step: Buy
    recording: { web: [{ web_click: { nodeSelector: { web: { ariaRole: button, ariaNameRegex: Bye } }, timeoutMs: 50 } }] }
  - step: Pay
    recording: { web: [{ web_click: { ref: e2 } }] }
  - verify: Paid
    recording: { web: [{ web_verifyTextVisible: { text: Thanks } }] }
`)
	rep, err := h.Call(t.Context(), h.client, "", "trail", `{"action":"RUN","name":"gone"}`)
	if err != nil {
		t.Fatal(err)
	}
	if !rep.Result.IsError || fault.KindOf(rep.Result.Err()) != fault.NotFound || rep.Device != "web" {
		t.Errorf("result %v on %s", rep.Result.Err(), rep.Device)
	}
	text, v := result(t, rep)
	has(t, text, "failed at step 1 of 3, “Buy”", "line 2", "Looked for", "Buy", "Not played", "Pay", "Paid", "What to do", `intent "Buy"`)
	f := v["run"].(map[string]any)["failure"].(map[string]any)
	if f["step"] != 1.0 || len(f["remaining"].([]any)) != 2 || len(f["candidates"].([]any)) == 0 {
		t.Errorf("failure %v", f)
	}

	// The client recovers, and saves what holds now.
	h.act("Buy", "web_click", `{"ref":"e2"}`)
	text, _ = h.do("session", `{"action":"RECORDING","title":"Mended"}`)
	has(t, text, "step: Buy", "ariaNameRegex: Buy")

	// A step without a recording needs a model: the run does not begin (R195, R216).
	h.refused(fault.Unavailable, "trail", `{"action":"RUN","yaml":"trail:\n  - step: Think\n"}`)
}

// TestRunProgress proves that steps are told while a trail runs (R209, R211).
func TestRunProgress(t *testing.T) {
	h := newHouse(t)
	h.write("trails/buy.trail.yaml", withArgs)
	var said []string
	rep, err := h.Do(t.Context(), h.client, calls.Request{Call: call("trail", `{"action":"RUN","name":"buy"}`),
		Progress: func(p calls.Progress) { said = append(said, p.Message) }})
	if err != nil || rep.Result.IsError {
		t.Fatal(err, rep)
	}
	has(t, strings.Join(said, "\n"), "Search", "It is the shop")
}

func TestTrailEdit(t *testing.T) {
	h := newHouse(t)
	edit := func(args, want string, lines ...string) {
		t.Helper()
		h.write("trails/buy.trail.yaml", withArgs)
		text, _ := h.do("trailEdit", `{"name":"buy",`+args+`}`)
		has(t, text, want)
		got := h.file("trails/buy.trail.yaml")
		has(t, got, append(lines, "# bought on Fridays")...)
		if _, v := h.do("trail", `{"action":"VALIDATE","name":"buy"}`); v["problems"] != nil {
			t.Errorf("%s leaves a file with problems %v:\n%s", args, v["problems"], got)
		}
	}
	edit(`"op":"GET"`, "1. step: Search (web: web_type)")
	edit(`"op":"INSERT","prompt":"Look: around","position":1`, "2. step: Look: around (no recording)", "# the search", "# by hand", `Look: around`)
	edit(`"op":"INSERT","prompt":"Last","stepType":"verify"`, "4. verify: Last")
	edit(`"op":"INSERT","prompt":"First","position":0`, "1. step: First", "# the search")
	edit(`"op":"REPLACE","index":1,"prompt":"Find it"`, "1. step: Find it (web: web_type)", "# the search", "# by hand")
	edit(`"op":"REPLACE","index":3,"prompt":"Still the shop"`, "3. verify: Still the shop (android web")
	edit(`"op":"DELETE","index":2`, "2. verify: It is the shop", "# by hand")
	edit(`"op":"DELETE","index":2,"count":9`, "it has 1 step now")
	edit(`"op":"MOVE","index":1,"position":-1`, "3. step: Search (web: web_type)", "# the search", "# by hand")
	edit(`"op":"MOVE","index":3,"position":0`, "1. verify: It is the shop", "# the search")
	edit(`"op":"CLEAR_RECORDING","index":3,"platform":"web"`, "3. verify: It is the shop (android: assertVisible)")
	edit(`"op":"CLEAR_RECORDING","index":2`, "2. step: Buy (no recording)")

	h.write("trails/buy.trail.yaml", withArgs)
	for _, args := range []string{`"op":"DELETE","index":9`, `"op":"DELETE","index":1,"count":3`, `"op":"INSERT"`,
		`"op":"MOVE","index":1,"count":2,"position":1`, `"op":"INSERT","prompt":"x","position":9`} {
		h.refused(fault.Invalid, "trailEdit", `{"name":"buy",`+args+`}`)
	}
	if h.file("trails/buy.trail.yaml") != withArgs {
		t.Error("an edit that was refused changed the file")
	}
	h.write("trails/flow.trail.yaml", "trail: [{step: A}, {step: B}]\n")
	h.refused(fault.Unsupported, "trailEdit", `{"name":"flow","op":"DELETE","index":1}`)
	h.write("trails/old.trail.yaml", "- prompts:\n    - step: A\n")
	h.refused(fault.Unsupported, "trailEdit", `{"name":"old","op":"INSERT","prompt":"B"}`)
}
