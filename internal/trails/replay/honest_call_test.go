package replay

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// calledTrails are what runTrail finds on a test bed.
var calledTrails = map[string]string{
	"saves":    text("step", clickSave),
	"saved":    text("verify", `web_verifyTextVisible: {text: Done once, timeoutMs: 900}`),
	"pays":     text("step", clickSave, press("button", "Pay")),
	"picks":    text("step", clickSave) + "  - step: Then\n    recording: {web: [{web_pressKey: {key: Enter}}]}\n",
	"vain":     text("step", clickSave, `web_pressKey: {key: F7}`),
	"all":      text("step", "runTrail: {path: saves}", "runTrail: {path: saved}"),
	"astray":   text("step", press("link", "Save"), `web_navigate: {action: BACK}`),
	"leads":    text("step", clickSave, `web_verifyTextVisible: {text: Done once, timeoutMs: 900}`),
	"buys":     text("step", clickSave, `web_verifyTextVisible: {text: Paid, timeoutMs: 900}`),
	"composed": text("step", inOrder(clickSave, press("button", "Pay"))),
}

// inOrder is a call of a tool that has others called in its place.
func inOrder(calls ...string) string {
	all := "demo_inOrder: {calls: ["
	for i, c := range calls {
		if i > 0 {
			all += ", "
		}
		all += "{" + c + "}"
	}
	return all + "]}"
}

// callers are the tools of a test bed that have others called.
func callers(registry func() *tool.Registry) []tool.Tool {
	spec := tool.Spec{Name: "demo_inOrder", Title: "In order", Description: "Has others called.", Kind: tool.Action, Delegating: true}
	return []tool.Tool{
		tool.Define(spec, func(_ context.Context, _ tool.Env, in struct {
			Calls []map[string]rawArgs `json:"calls"`
		}) (*tool.Result, error) {
			r := &tool.Result{}
			for _, c := range in.Calls {
				for name, args := range c {
					r.Delegates = append(r.Delegates, tool.Call{Name: name, Args: []byte(args)})
				}
			}
			return r, nil
		}),
		NewRunTrail(func(path string) (*trail.Trail, error) {
			text, ok := calledTrails[path]
			if !ok {
				return nil, fault.New(fault.Invalid, "read trail", "there is no %s", path)
			}
			t, problems := trail.Parse(path, []byte(text), trail.Strict)
			return t, problems.Err()
		}, registry),
	}
}

// rawArgs are arguments as they were written.
type rawArgs string

// UnmarshalJSON keeps the text.
func (r *rawArgs) UnmarshalJSON(data []byte) error {
	*r = rawArgs(data)
	return nil
}

// writeSite writes the folder in which the trails of a test bed lie, and returns it and the workspace around it.
func writeSite(t *testing.T) (trails, workspace string) {
	t.Helper()
	root := t.TempDir()
	workspace = filepath.Join(root, "ws")
	trails = filepath.Join(workspace, "trails", "flows")
	for path, page := range map[string]string{
		"ws/app/index.html":           `<a href="other.html">Save</a><p id=o>From the file</p><script>o.textContent+=' '+location.search+location.hash</script>`,
		"ws/app/other.html":           `<p>Done once</p>`,
		"ws/trails/flows/beside.html": `<p>Beside the trail</p>`,
		"outside.html":                `<p>Not for you</p>`,
	} {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("<!doctype html><title>t</title>"+page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return trails, workspace
}

// whatCallsCall are calls that have others made in their place, and pages that are opened by a relative address.
func whatCallsCall() []honest {
	failing := func(name, page, calls, says string) honest {
		return honest{name: name, page: page, calls: calls, outcome: event.Failed, says: says}
	}
	open := func(url string) string { return `web_navigate: {url: "` + url + `"}` }
	const (
		save  = `<button onclick="s.textContent='Done once'">Save</button><p id=s></p>`
		pay   = `<button onclick="p.textContent='Paid'">Pay</button><p id=p></p>`
		dead  = `<button>Save</button>`
		blank = `<p>x</p>`
		keyed = `<button onkeydown="o.textContent='Done once'">Save</button><p id=o></p>`
		wrong = `<a href="/missing">Save</a>`
	)
	payNow, enter := press("button", "Pay"), `web_pressKey: {key: Enter}`
	return []honest{
		pass("a composite of which all holds", save+pay, inOrder(clickSave, payNow)+"\n"+seeDone+"\n"+seePaid),
		failing("a composite whose first press does nothing", dead+pay, inOrder(clickSave, payNow), "judge web_click: the action was carried out and nothing changed"),
		failing("a composite whose last press does nothing", dead+pay, inOrder(payNow, clickSave), "judge web_click: the action was carried out and nothing changed"),
		failing("a composite in which a check fails", save+pay, inOrder(clickSave, `web_verifyTextVisible: {text: Paid, timeoutMs: 900}`, payNow), "Paid"),
		failing("a composite that goes by an HTTP error", wrong, inOrder(press("link", "Save"), `web_navigate: {action: BACK}`), "HTTP status 404"),
		pass("a composite that presses and then types", keyed, inOrder(clickSave, enter)+"\n"+seeDone),
		pass("a composite that types after a press", keyed, clickSave+"\n"+inOrder(enter)+"\n"+seeDone),
		failing("a composite that looks after a press", keyed, clickSave+"\n"+inOrder(`web_verifyTextVisible: {text: Save}`, enter), "judge web_click: the action was carried out and nothing changed"),
		pass("a called trail of which all holds", save+pay, "runTrail: {path: pays}\n"+seeDone+"\n"+seePaid),
		failing("a called trail whose first press does nothing", dead+pay, "runTrail: {path: pays}", "nothing changed"),
		failing("a called trail whose composite does nothing at first", dead+pay, "runTrail: {path: composed}", "nothing changed"),
		pass("a called trail with a composite", save+pay, "runTrail: {path: composed}\n"+seePaid),
		failing("a called trail that goes by an HTTP error", wrong, "runTrail: {path: astray}", "HTTP status 404"),
		pass("a called trail that calls others", save, "runTrail: {path: all}"),
		failing("a called trail that calls one whose check fails", `<button onclick="this.textContent='Saved'">Save</button>`, "runTrail: {path: all}", "Done once"),
		pass("a called trail whose press gives the focus to the next step", keyed, "runTrail: {path: picks}\n"+seeDone),
		failing("a called trail whose press gives the focus in vain", keyed[:7]+">Save</button>", "runTrail: {path: vain}", "it gave the element the focus, but"),
		failing("a composite that calls a trail in which nothing happens", dead+pay, inOrder("runTrail: {path: pays}", payNow), "nothing changed"),

		pass("a file beside the trail", blank, open("beside.html")+"\n"+see("Beside the trail")),
		pass("a file above the trail", blank, open("../../app/index.html")+"\n"+see("From the file")),
		pass("a file with a query and a fragment", blank, open("../../app/index.html?a=1#b")+"\n"+see("From the file ?a=1#b")),
		pass("a link from file to file", blank, open("../../app/index.html")+"\n"+press("link", "Save")+"\n"+seeDone),
		pass("a path of the site where no file is", blank, open("./odd/page?say=Paid")+"\n"+seePaid),
		pass("a path of the base address from a file", blank, open("beside.html")+"\n"+open("/odd/page?say=Paid")+"\n"+seePaid),
		failing("a file that shows something else", blank, open("beside.html")+"\n"+`web_verifyTextVisible: {text: From the file, timeoutMs: 900}`, "From the file"),
		failing("a relative address of nothing", blank, open("../../app/none.html"), "HTTP status 404"),
		failing("a relative address of nothing from a file", blank, open("beside.html")+"\n"+open("../../app/none.html"), "HTTP status 404"),
		{name: "a file outside of the workspace", page: blank, calls: open("../../../outside.html"), outcome: event.Broken, says: "is a local file outside of the workspace"},
	}
}
