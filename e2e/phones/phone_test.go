package phones

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

// record makes a flow live over MCP and saves it as a trail.
func (h *house) record(f flow) (trail string, err error) {
	ctx, cancel := context.WithTimeout(h.T.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.Binary, "mcp", "--device", "android", "--categories", "ALL", "--workspace", h.Work)
	var problems strings.Builder
	cmd.Env, cmd.Stderr = h.Env, &problems
	client := sdk.NewClient(&sdk.Implementation{Name: "phones", Version: "1"}, nil)
	mcp, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, problems.String())
	}
	defer func() { _ = mcp.Close() }()
	call := func(tool string, args map[string]any) error {
		res, err := mcp.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return fmt.Errorf("%s %v: %w", tool, args, err)
		}
		if !res.IsError {
			return nil
		}
		var said strings.Builder
		for _, c := range res.Content {
			if c, ok := c.(*sdk.TextContent); ok {
				said.WriteString(c.Text + "\n")
			}
		}
		return fmt.Errorf("%s %v: %s", tool, args, said.String())
	}
	for i, c := range f.calls() {
		args := map[string]any{"intent": fmt.Sprintf("step %d of %s", i+1, f.name)}
		for _, a := range c[1:] {
			key, value, _ := strings.Cut(a, "=")
			args[key] = value
			if n, err := strconv.Atoi(value); err == nil && strings.HasSuffix(key, "Ms") {
				args[key] = n
			}
		}
		if err := call(c[0], args); err != nil {
			return "", err
		}
	}
	if wrong := h.truth(f); wrong != "" {
		return "", fmt.Errorf("made, and the app does not show%s", wrong)
	}
	file := strings.ReplaceAll(f.name, " ", "-") + ".trail.yaml"
	err = call("session", map[string]any{"action": "SAVE", "title": f.name, "path": file})
	return filepath.Join(h.Work, "trails", file), err
}

// replay plays a trail and says whether it is green.
func (h *house) replay(trail string) (green bool, said string) {
	h.T.Helper()
	s := h.Run("run", trail, "--device", "android", "--no-report", "--screenshots", "off")
	if s.Code > 2 {
		h.T.Errorf("run %s: %d %s%s", trail, s.Code, s.Out, s.Err)
	}
	return s.Code == 0, s.Out + s.Err
}

// variant is a change of the phone.
type variant struct {
	name, on, off string
	broken        bool
}

var variants = []variant{
	{name: "as it was", on: "true", off: "true"},
	{name: "dark", on: "cmd uimode night yes", off: "cmd uimode night no"},
	{name: "large letters", on: "settings put system font_scale 1.3", off: "settings put system font_scale 1"},
	{name: "dense", on: "wm density 480", off: "wm density 420"},
	{name: "another size", on: "wm size 1200x1920", off: "wm size reset"},
	{name: "taps land elsewhere", on: "phone fault tap-elsewhere", off: "phone fault none", broken: true},
	{name: "another with the label", on: "phone fault duplicate OK", off: "phone fault none", broken: true},
	{name: "a sheet", on: "phone fault sheet 500", off: "phone fault none", broken: true},
	{name: "half a tree", on: "phone fault truncated-tree", off: "phone fault none", broken: true},
	{name: "no tree", on: "phone fault tree-error", off: "phone fault none", broken: true},
	{name: "stuck", on: "phone fault stuck 8", off: "phone fault none", broken: true},
}

// chosen are the variants that a flow is played on, each with how often: the phone as it was and without harm by turns, so
// often in all; and one broken phone, or all.
func chosen(i int) (out []variant) {
	var fine, broken []variant
	for _, v := range variants[1:] {
		if v.broken {
			broken = append(broken, v)
		} else {
			fine = append(fine, v)
		}
	}
	for n := range *tries {
		if n == 0 {
			out = append(out, variants[0])
		} else {
			out = append(out, append(fine, variants[0])[(i+n-1)%(len(fine)+1)])
		}
	}
	if *all {
		return append(out, broken...)
	}
	return append(out, broken[i%len(broken)])
}

// R9, R10: TestPhone records flows, replays them on the phone as it is and changed without harm, where they must be green and
// right, and on a broken one, where green with a wrong screen is the one thing that may not be.
func TestPhone(t *testing.T) {
	h := newHouse(t)
	t.Run("command line", func(t *testing.T) { h.on(t).commandLine() })
	played, wrong, red := map[string]int{}, map[string]int{}, map[string]int{}
	for i, f := range flows {
		if *which != "all" && !slices.Contains(strings.Split(*which, ","), f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			if *sampled == "" && strings.HasPrefix(f.at, "sample") {
				t.Skip("left out: no -sample; `make phone` builds it")
			}
			if *wished == "" && strings.HasPrefix(f.at, "wishes") {
				t.Skip("left out: no -wishes; `make phone PHONE=all` builds it")
			}
			if o, other := others[f.at]; other && (*foreign == "" || !exists(filepath.Join(*foreign, o.file))) {
				t.Skip("left out: no " + o.file + " in the folder of -others")
			}
			h := h.on(t)
			h.rest(f)
			trail, err := h.record(f)
			h.Run("daemon", "stop", "--all") // a phone has one helper at a time
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			for _, v := range chosen(i) {
				h.rest(f)
				h.shell(v.on)
				green, said := h.replay(trail)
				var missing string
				if v.broken { // what breaks the tree breaks this look at it, too
					h.shell(v.off)
					missing = h.truth(f)
				} else { // what changes the phone back makes the app's screen anew, which ActionBarTabs cannot do
					missing = h.truth(f)
					h.rest(flow{})
					h.shell(v.off)
				}
				played[v.name]++
				t.Logf("%s: green %t, after %s", v.name, green, time.Since(began).Round(time.Second))
				switch {
				case green && missing != "":
					wrong[v.name]++
					t.Errorf("%s: green, and the app does not show%s\n%s", v.name, missing, said)
				case !green:
					red[v.name]++
					if !v.broken {
						t.Errorf("%s: red\n%s", v.name, said)
					}
				}
			}
		})
	}
	if *upstream != "" && *sampled != "" {
		t.Run("upstream", func(t *testing.T) { h.on(t).upstream() })
	}
	if *market != "" {
		t.Run("kills", func(t *testing.T) { h.on(t).survive() })
	}
	for _, v := range variants {
		t.Logf("%-24s %3d replays, %3d red, %d green with a wrong screen", v.name, played[v.name], red[v.name], wrong[v.name])
	}
}

// elsewhere taps a row of a list, of which another one takes the tap and opens its own screen.
func (h *house) elsewhere() {
	h.rest(flow{at: ".ApiDemos"})
	if s := h.Run("tool", "launchApp", "appId="+app+"/.ApiDemos", "launchMode=RESUME"); s.Code != 0 {
		h.T.Fatalf("launchApp: %s%s", s.Out, s.Err)
	}
	h.shell("phone fault tap-elsewhere")
	s := h.Run("tool", "tap", "text=App")
	h.shell("phone fault none")
	if out := s.Out + s.Err; s.Code == 0 || !strings.Contains(out, "another element took the tap") || !strings.Contains(out, `"App"`) {
		h.T.Errorf("a tap that lands on another row: %d %s", s.Code, out)
	}
	h.Run("tool", "pressBack")
	s = h.Run("tool", "tap", "text=App")
	said := ""
	logs, _ := filepath.Glob(filepath.Join(h.Dir, "sessions", "*", "events.ndjson"))
	for _, l := range logs {
		events, _ := os.ReadFile(l)
		said += string(events)
	}
	if s.Code != 0 || !strings.Contains(said, `"taken":"by the element"`) {
		h.T.Errorf("a tap that lands: %d %s%s", s.Code, s.Out, s.Err)
	}
}

// secure plays a trail on a window that its app has marked as secure: the elements are seen, the report says why the
// picture is black.
func (h *house) secure() {
	h.rest(flow{})
	trail := h.Write("secure.trail.yaml", `config: {title: Secure}
trail:
  - step: Look at it
    recording:
      android:
        - launchApp: {appId: `+app+`/.app.SecureWindowActivity, launchMode: RESUME}
        - assertVisible: {text: App/Activity/Secure Surfaces/Secure Window}
`)
	s := h.Run("run", trail, "--device", "android", "--screenshots", "steps", "--json")
	if s.Code != 0 || !strings.Contains(s.Out, "Black in the picture: windows of apps (1)") {
		h.T.Errorf("a secure window: %d %s%s", s.Code, s.Out, s.Err)
	}
}

// upstreamShows are the trails of upstream's sample app that need a phone and no model, and what the phone shows after each.
var upstreamShows = map[string][]string{
	"catalog/conditional-item":             {"'Pumpkin Spice'", "'Dismiss'"},
	"catalog/multiple-items":               {"'Coffee Americano'", "!'Dismiss'"},
	"catalog/overlay-tap":                  {"'Coffee Latte'", "!'Add to Cart'"},
	"forms/text-input":                     {"'Name'", "'Email'", "!'Jane Doe'"},
	"lists/scroll-and-navigate":            {"'Item 50'"},
	"loading/wait-for-content":             {"'Content Loaded'"},
	"mcp-tools/mobile-list-installed-apps": nil,
	"settings/system-interactions":         {"Enable Notifications:+", "Accept Terms:+"},
	"swipe/swipe-directions":               {"'Page 2 of 5'"},
	"taps/no-navigation-needed":            {"'Tap Count: 0'"},
	"taps/simple-tap":                      {"'Tap Count: 1'"},
	"taps/tap-interactions":                {"'Tap Count: 5'", "Toggle A:+"},
}

// upstream replays the trails of block/trailblaze that need a phone, no model, and no app that cannot be had. One of them taps
// a point, where a display of this size has the button that it means.
func (h *house) upstream() {
	h.shell("wm size 720x1280; wm density 320")
	defer h.shell("wm size reset; wm density 420")
	work := filepath.Join(*upstream, "examples", "android-sample-app")
	played := 0
	const wantsModel = "android-ondevice-accessibility/catalog/conditional-item" // a step has no recording
	for _, driver := range []string{"android-ondevice-instrumentation", "android-ondevice-accessibility"} {
		for name, shows := range upstreamShows {
			name = driver + "/" + name
			file := filepath.Join("trails", filepath.FromSlash(name)+".trail.yaml")
			if _, err := os.Stat(filepath.Join(work, file)); err != nil {
				file = filepath.Join("trails", filepath.FromSlash(name), "trail.yaml")
			}
			if _, err := os.Stat(filepath.Join(work, file)); err != nil || name == wantsModel {
				continue // one that is not there is of the other driver alone
			}
			args := []string{"run", file, "--device", "android", "--no-report"}
			s := housetest.Run(h.T.Context(), h.T, h.Binary, work, append(h.Env, "TRAILBLAZE_TRUST=1"), args...)
			if wrong := h.truth(flow{truth: shows}); s.Code != 0 || wrong != "" {
				h.T.Errorf("%s: %d, and the phone does not show%s\n%s%s", file, s.Code, wrong, s.Out, s.Err)
			}
			played++
		}
	}
	if played != 21 {
		h.T.Errorf("%d trails were played", played)
	}
	h.Run("daemon", "stop", "--all")
}

// commandLine does what docs/android.md begins with.
func (h *house) commandLine() {
	h.rest(flow{})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"device", "list", "--all"}, "android/" + h.phone.Addr()},
		{[]string{"device", "connect", "android"}, "Connected to android"},
		{[]string{"snapshot"}, `"Views"`},
		{[]string{"tool", "tap", "text=Views", "-s", "Open the views"}, "Another screen is in front"},
		{[]string{"tool", "mobile_listInstalledApps"}, app},
		{[]string{"tool", "pressHome"}, "Pressed HOME. Another screen is in front"},
		{[]string{"tool", "launchApp", "appId=" + app, "launchMode=RESUME"}, "Launched"},
	} {
		if s := h.Run(c.args...); s.Code != 0 || !strings.Contains(s.Out+s.Err, c.want) {
			h.T.Errorf("%v: %d, without %q: %s%s", c.args, s.Code, c.want, s.Out, s.Err)
		}
	}
	h.elsewhere()
	h.secure()
	h.Run("daemon", "stop", "--all")
}
