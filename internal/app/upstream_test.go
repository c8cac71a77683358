package app

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

var upstream = flag.String("upstream", "", "a checkout of block/trailblaze: its workspaces are held to docs/upstream.md (`make upstream`)")

var unknownTarget = regexp.MustCompile(`settings name a target "([^"]+)"`)

// offered is what there is in one folder of the checkout.
type offered struct {
	dir                 string
	trails              int
	tools, left, target []string // names of tools that load, of those that do not, and of targets
	tests, failed       int
	phone               []string // rows: each trail for Android that needs a model, and how many steps are not recorded
	plays               int      // trails for Android that need none: every step has calls, of tools that are here
}

// TestUpstream: every trail file of the checkout passes the check in its own workspace, and what of its tools, targets
// and tests works here is what docs/upstream.md says.
func TestUpstream(t *testing.T) {
	if *upstream == "" {
		t.Skip("run it with -upstream and a checkout: make upstream")
	}
	said, err := os.ReadFile("../../docs/upstream.md")
	if err != nil {
		t.Fatal(err)
	}
	var table, left []string
	trails, plays := 0, 0
	for _, dir := range upstreamWorkspaces(t) {
		o := offer(t, dir)
		trails += o.trails
		left = append(left, o.left...)
		table = append(table, fmt.Sprintf("| `%s` | %d | %d | %d | %d | %d | %d |", o.dir, o.trails, len(o.target), len(o.tools),
			len(o.left), o.tests, o.failed))
		table, plays = append(table, o.phone...), plays+o.plays
	}
	if all := upstreamTrails(t); trails != all {
		t.Errorf("%d trail files are in workspaces, and the checkout has %d", trails, all)
	}
	table = append(table, fmt.Sprintf("**%d trails for Android** need no model.", plays))
	for _, row := range table {
		if !strings.Contains(string(said), row+"\n") {
			t.Errorf("docs/upstream.md lacks this row:\n%s", row)
		}
	}
	listed := map[string]bool{}
	_, list, _ := strings.Cut(string(said), "## What does not load")
	for _, line := range strings.Split(list, "\n") {
		if names, _, isRow := strings.Cut(strings.TrimPrefix(line, "| "), " | "); isRow {
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(names, -1) {
				listed[m[1]] = true
			}
		}
	}
	for _, name := range left {
		if !listed[name] {
			t.Errorf("docs/upstream.md does not list %s, which does not load", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !slices.Contains(left, name) {
			t.Errorf("docs/upstream.md lists %s, and nothing is wrong with it", name)
		}
	}
}

// upstreamPhone are the tools that upstream offers on phones, at the commit that `make upstream` fetches.
const upstreamPhone = `tap longPress dragTo dragByPoints tapOnPoint tapOnElementBySelector tapOn tapOnElementWithText
tapOnElementWithAccessibilityText longPressOnElementWithText longPressElementWithAccessibilityText tapOnAccessibilityNode
inputText inputTextRandom clearText eraseText hideKeyboard pressKey pressBack swipe swipeWithRelativeCoordinates
scrollUntilTextIsVisible launchApp stopApp openUrl networkConnection wait waitForChange waitUntilNotVisible takeSnapshot
requestDetailedViewHierarchy mobile_setClipboard mobile_pasteClipboard mobile_listInstalledApps
mobile_listInstalledAppsDetailed mobile_clearAppData mobile_maestro runTrail assertVisible assertVisibleBySelector
assertNotVisibleBySelector assertNotVisibleWithText assertVisibleWithText assertVisibleWithAccessibilityText
assertVisibleWithResourceId assertWaypoint findMatches objectiveStatus rememberText rememberNumber rememberWithAi
assertEquals assertNotEquals assertMath assertWithAi dumpMemory android_adbShell android_sendBroadcast
android_grantPermissions android_grantAppOpsPermission android_systemUiDemoMode android_writeFileToDownloads
android_writeImageToMediaStore android_writeBytesToFile exec script`

// TestUpstreamPhone: each tool that upstream offers on phones is here, or docs/upstream.md says why it is not.
func TestUpstreamPhone(t *testing.T) {
	said, err := os.ReadFile("../../docs/upstream.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(said), "## Tools for phones that are not here")
	list, _, _ = strings.Cut(list, "\n## ")
	names := strings.Fields(upstreamPhone)
	if count := fmt.Sprintf("has %d names", len(names)); !strings.Contains(list, count) {
		t.Errorf("docs/upstream.md does not say that it %s", count)
	}
	here, left := productTools(t), ""
	for _, row := range strings.Split(list, "\n| ") {
		name, _, _ := strings.Cut(row, " | ")
		left += name
	}
	for _, name := range names {
		if listed := strings.Contains(left, "`"+name+"`"); here[name] == listed {
			t.Errorf("%s: it is here %t, and docs/upstream.md lists it among those that are not %t", name, here[name], listed)
		}
	}
}

// upstreamWorkspaces are the folders of the checkout that have trails/config, by their path in it.
func upstreamWorkspaces(t *testing.T) (out []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(*upstream), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name != "." && strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "build"):
			return fs.SkipDir
		case d.IsDir() && path.Base(path.Dir(name)) == "trails" && d.Name() == "config":
			out = append(out, path.Dir(path.Dir(name)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func upstreamTrails(t *testing.T) int {
	t.Helper()
	files, err := trail.Discover(*upstream, nil)
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// offer loads a workspace and checks its trails.
func offer(t *testing.T, dir string) offered {
	t.Helper()
	root, err := filepath.Abs(filepath.Join(*upstream, filepath.FromSlash(dir)))
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		return map[string]string{
			homedir.EnvConfig: filepath.Join(root, "trails", "config"), workspace.EnvTrust: "1", // scripts with Node
		}[name]
	}
	cfg, err := config.Load(config.Sources{Dir: root, Env: env})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	tools, err := Tools(ToolOptions{Root: root, Home: t.TempDir(), Env: env, Config: func() (*config.Config, error) { return cfg, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tools.Close() }()
	if err := tools.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := offered{dir: dir}
	product := productTools(t)
	for _, tl := range tools.Registry().All() {
		if !product[tl.Spec().Name] {
			o.tools = append(o.tools, tl.Spec().Name)
		}
	}
	for _, p := range tools.Problems() {
		t.Logf("%s: %v", dir, p)
		name := p.Name
		if m := unknownTarget.FindStringSubmatch(p.Error()); m != nil {
			name = "target " + m[1]
		}
		o.left = append(o.left, name)
	}
	for _, tg := range tools.Targets() {
		o.target = append(o.target, tg.ID)
	}
	files, err := trail.Discover(root, []string{"trails"})
	if err != nil && !strings.Contains(err.Error(), "no trail in") {
		t.Fatal(err)
	}
	linter := Linter(tools.Registry())
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil {
			err = linter.File(f, data).Err()
		}
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
		o.android(t, f, data, tools.Registry())
	}
	o.trails = len(files)
	var dirs []string
	for _, f := range workspace.Folders(root) {
		dirs = append(dirs, f.Dir)
	}
	tested, err := script.Test(t.Context(), root, dirs)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tested {
		if o.tests++; one.Err != nil {
			o.failed++
			t.Logf("%s: %s: %v", dir, one.File, one.Err)
		}
	}
	return o
}

var forAndroid = regexp.MustCompile(`(?m)^ +android[a-z-]*:`)

// android says of a trail that has to do with Android whether a phone could play it without a model.
func (o *offered) android(t *testing.T, file string, data []byte, reg *tool.Registry) {
	t.Helper()
	if !forAndroid.Match(data) {
		return
	}
	parsed, _, err := LoadTrail(file, file)
	if err != nil {
		t.Fatal(err)
	}
	if err = replay.Preflight(parsed, []string{"android", "phone"}, reg, Linter(reg).NeedsModel); err == nil {
		o.plays++
		return
	}
	name, _ := filepath.Rel(*upstream, file)
	if missing := strings.Count(err.Error(), " has no recording for "); fault.KindOf(err) == fault.Unavailable && missing > 0 {
		o.phone = append(o.phone, fmt.Sprintf("| `%s` | %d |", filepath.ToSlash(name), missing))
		return
	}
	t.Errorf("%s: %v", name, err)
}

func productTools(t *testing.T) map[string]bool {
	t.Helper()
	reg, err := Catalog()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, name := range reg.Names() {
		out[name] = true
	}
	return out
}
