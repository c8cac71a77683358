package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// joinPage is a form whose button asks for more than when its trail was recorded.
const joinPage = `<!doctype html><title>Join</title><h1>Join</h1><label>Name <input id="n"></label>
<button id="j" onclick="out.textContent = 'Welcome ' + n.value">Join</button><p id="out"></p>`

const joinTrail = `config: {title: Join}
trail:
  - step: Open the club
    recording: {web: [{web_navigate: {url: "{{base}}/%s"}}]}
  - step: Join as Ada
    recording:
      web:
        - web_type: {text: Ada, nodeSelector: {web: {ariaRole: textbox, ariaNameRegex: Name}}}
        - web_click: {timeoutMs: 500, nodeSelector: {web: {ariaRole: button, ariaNameRegex: "^Join$"}}, fingerprint: {role: button, name: Join}}
        - web_verifyTextVisible: {text: Welcome Ada, timeoutMs: 500}
`

const joinCheck = `  - verify: It is her page
    recording: {web: [{web_verifyTextVisible: {text: Welcome Ada, timeoutMs: 500}}]}
`

// redoPages are the form, and ways in which it changed.
func redoPages() map[string]string {
	const layer = `<div id="d" hidden style="position:fixed;inset:0;background:#fff"><button onclick="d.remove()">Accept the rules</button>
		<button onclick="out.textContent = 'Welcome Ada'; d.remove()">Delete the club</button></div><script>n.oninput = () => d.hidden = false</script>`
	return map[string]string{
		"/same":    joinPage,
		"/covered": joinPage + layer,
		"/more":    strings.Replace(joinPage, ">Join</button>", ">Become a member</button>", 1),
		"/dead":    strings.Replace(joinPage, "onclick=", "data-x=", 1),
		"/veiled": joinPage + strings.Replace(strings.Replace(layer, "#fff", "rgba(9,9,9,.2)", 1), ` id="d"`, "", 1) +
			`<script>d = document.querySelector('[hidden]')</script>`,
		"/box": strings.Replace(joinPage, "<button",
			`<input type="checkbox" checked aria-label="Letters" onchange="out.textContent = 'Welcome ' + n.value"><button`, 1) + layer,
		"/other": strings.Replace(joinPage, "Welcome", "Goodbye", 1) + layer,
		"/wrong": strings.Replace(joinPage, "Welcome", "Goodbye", 1),
	}
}

// presses gives calls that press buttons; the name of one that is to be refused begins with a !.
func presses(names ...string) []tool.Call {
	var out []tool.Call
	for _, n := range names {
		name, refused := strings.CutPrefix(n, "!")
		note := map[bool]string{true: "refused"}[refused]
		out = append(out,
			tool.Call{Name: "web_click",
				Args: json.RawMessage(fmt.Sprintf(`{"reason":%q,"nodeSelector":{"web":{"ariaRole":"button","ariaNameRegex":%q}}}`, note, name))})
	}
	return out
}

// setsBox gives a call that sets the checkbox; its note is "refused" where that is to come.
func setsBox(note string, state bool) tool.Call {
	return tool.Call{Name: "web_setChecked",
		Args: json.RawMessage(fmt.Sprintf(`{"reason":%q,"checked":%t,"nodeSelector":{"web":{"ariaRole":"checkbox"}}}`, note, state))}
}

// redoCase is a trail on a page, and what an agent does that is asked to do the step anew.
type redoCase struct {
	name, page, trail string
	does              []tool.Call
	fails             error
	unwanted          bool // nobody wants healing
	want              event.Outcome
	asked             int
	says              string
}

func redoCases() []redoCase {
	const box = `web_setChecked: {checked: false, timeoutMs: 500, nodeSelector: {web: {ariaRole: checkbox}}, fingerprint: {role: checkbox, name: Letters}}`
	look := []tool.Call{{Name: "web_snapshot", Args: json.RawMessage(`{}`)}}
	return []redoCase{
		{"a layer covers the button", "covered", joinTrail + joinCheck, presses("Accept the rules", "^Join$"), nil, false, event.Healed, 1, ""},
		{"a layer that one sees through lies over the button", "veiled", joinTrail + joinCheck,
			presses("!Delete the club", "Accept the rules", "^Join$"), nil, false, event.Healed, 1, ""},
		{"another state of a box", "box", joinTrail[:strings.Index(joinTrail, "web_click")] + box +
			joinTrail[strings.Index(joinTrail, "\n        - web_verify"):] + joinCheck,
			append(presses("Accept the rules"), setsBox("refused", true), setsBox("", false)), nil, false, event.Healed, 1, ""},
		{"the button says another thing", "more", joinTrail + joinCheck, presses("!Become a member"), nil, false, event.Failed, 1, "did nothing"},
		{"another button of the layer", "covered", joinTrail + joinCheck, presses("!Delete the club", "Accept the rules"), nil, false, event.Failed,
			1, "did nothing that stands for the recorded button \"Join\""},
		{"the agent cannot", "more", joinTrail + joinCheck, nil, errors.New("there is no such button"), false, event.Failed, 1, "there is no such button"},
		{"the agent did nothing", "more", joinTrail + joinCheck, look, nil, false, event.Failed, 1, "did nothing"},
		{"a check of the step fails", "other", joinTrail + joinCheck, presses("Accept the rules", "^Join$"), nil, false, event.Failed, 1, "does not hold"},
		{"nothing is checked after it", "more", joinTrail[:strings.Index(joinTrail, "        - web_verify")], presses("Become a member"), nil,
			false, event.Failed, 0, ""},
		{"a check failed", "wrong", joinTrail + joinCheck, presses("^Join$"), nil, false, event.Failed, 0, ""},
		{"the click was sent", "dead", joinTrail + joinCheck, presses("^Join$"), nil, false, event.Failed, 0, ""},
		{"nobody wants it", "more", joinTrail + joinCheck, presses("Become a member"), nil, true, event.Failed, 0, ""},
		{"nothing is to be healed", "same", joinTrail + joinCheck, nil, nil, false, event.Passed, 0, ""},
	}
}

// R14: where no element is found for a call that has sent nothing, the agent does what is left of that step. It is told
// what was done. What it does must have done something, must pass the checks of the step, and those after it. It is not
// asked where a check failed, where something was sent, where nothing after it is checked, or where nobody wants healing.
func TestR14AgentRedoesAStep(t *testing.T) {
	b := newBed(t, redoPages())
	for _, tt := range redoCases() {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			bed := *b
			player := *b.player
			bed.player = &player
			player.Heal = !tt.unwanted
			player.Assist = func(ctx context.Context, s *session.Session, task Task) (int, error) {
				asked++
				if d := strings.Join(task.Done, "\n"); len(task.Done) != 2 || !strings.HasPrefix(d, "web_type -> ") || !strings.Contains(d, "Ada") ||
					!strings.Contains(d, " -> failed: ") || strings.Join(task.Before, "") != "Open the club" || task.Step.Text != "Join as Ada" {
					t.Errorf("the agent is told %+v", task)
				}
				for _, c := range tt.does {
					res, err := player.Dispatcher.Call(ctx, s, dispatch.Agent, c)
					err = cmp.Or(err, res.Err())
					if refused := strings.Contains(string(c.Args), `"reason":"refused"`); refused && fault.KindOf(err) != fault.Denied || !refused && err != nil {
						t.Errorf("%s %s: %v", c.Name, c.Args, err)
					}
				}
				return len(tt.does), tt.fails
			}
			out, _ := bed.play(t, fmt.Sprintf(tt.trail, tt.page))
			if out.Outcome != tt.want || asked != tt.asked {
				t.Fatalf("%s, asked %d times: %+v %q", out.Outcome, asked, out.Failure, out.Notes)
			}
			if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, tt.says) {
				t.Errorf("notes: %s", notes)
			}
			if n := len(out.Heals); n != 0 && tt.want != event.Healed || n == 0 && tt.want == event.Healed {
				t.Errorf("heals: %+v", out.Heals)
			}
		})
	}
}
