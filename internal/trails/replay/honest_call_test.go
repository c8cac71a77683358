package replay

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
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

const clickSave = `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`

func press(role, name string) string {
	return `web_click: {nodeSelector: {web: {ariaRole: ` + role + `, ariaNameRegex: ` + name + `}}}`
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
