package phones

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/phone"
)

const app = "io.appium.android.apis"

var (
	binary   string
	apk      = flag.String("phone", "", "the `file` of ApiDemos-debug.apk: test on a phone, which needs a JDK and adb (make phone)")
	market   = flag.String("shop", "", "the `file` of the shop's APK, which `make shop` builds")
	wished   = flag.String("wishes", "", "the `file` of the APK of the wish list, which has AppCompat, RecyclerView and Material")
	foreign  = flag.String("others", "", "a `folder` with APKs of other makers, see flows_test.go: play flows on those that are there")
	sampled  = flag.String("sample", "", "the `file` of the APK with the screens of upstream's sample app")
	tries    = flag.Int("tries", 2, "how often each trail is replayed on phones that are not broken")
	which    = flag.String("flows", "type,planet,command,walk,shop order,sample held", "flows to play, separated by commas, or all")
	upstream = flag.String("upstream", "", "a checkout of block/trailblaze: replay what of it needs a phone alone")
	all      = flag.Bool("all", false, "replay each flow on every broken phone, not on one in turn")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *apk == "" {
		os.Exit(m.Run())
	}
	os.Exit(housetest.Main(m, map[string]*string{"": &binary}))
}

// house is a user with a phone and an adb server of his own.
type house struct {
	*housetest.Home
	phone *phone.Phone
	like  phone.Options
}

// newHouse starts the phone with the apps on it. It takes ten seconds and more.
func newHouse(t *testing.T) *house {
	t.Helper()
	apks := slices.DeleteFunc([]string{*apk, *market, *wished, *sampled}, func(file string) bool { return file == "" })
	for _, o := range others {
		if file := filepath.Join(*foreign, o.file); *foreign != "" && exists(file) {
			apks = append(apks, file)
		}
	}
	return newHouses(t, phone.Options{APKs: apks})[0]
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// newHouses starts phones at one adb server.
func newHouses(t *testing.T, like ...phone.Options) (all []*house) {
	t.Helper()
	if *apk == "" {
		t.Skip("left out: no -phone APK. `make phone` runs it; it needs a JDK and adb")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	user := t.TempDir()
	home := housetest.NewHome(t, binary, "HOME="+user, "ANDROID_ADB_SERVER_PORT="+port)
	server := &house{Home: home}
	server.adb("start-server")
	t.Cleanup(func() { server.adb("kill-server") })
	for _, o := range like {
		o.Keys, o.Say = []string{filepath.Join(user, ".android", "adbkey.pub")}, t.Logf
		h := &house{Home: home, like: o}
		h.start()
		all = append(all, h)
	}
	return all
}

// start starts the house's phone.
func (h *house) start() {
	h.T.Helper()
	started, err := phone.Start(h.T.Context(), h.like)
	if err != nil {
		h.T.Fatal(err)
	}
	h.phone = started
	h.T.Cleanup(func() { _ = started.Close() })
	h.adb("connect", h.phone.Addr())
	h.adb("-s", h.phone.Addr(), "wait-for-device")
}

// on is the house in a test below.
func (h *house) on(t *testing.T) *house {
	home := *h.Home
	home.T = t
	return &house{Home: &home, phone: h.phone, like: h.like}
}

func (h *house) adb(args ...string) string {
	h.T.Helper()
	var out bytes.Buffer
	cmd := exec.Command("adb", args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = h.Env, &out, &out
	if err := cmd.Run(); err != nil {
		h.T.Errorf("adb %s: %v: %s", strings.Join(args, " "), err, out.String())
	}
	return out.String()
}

func (h *house) shell(line string) string {
	h.T.Helper()
	return h.adb("-s", h.phone.Addr(), "shell", line)
}

// rest brings the apps to their first screens, with nothing above them, and has an app of ours store what a flow begins with.
// The flow's app is in front then, where it is not one of other makers, which the flow starts anew.
func (h *house) rest(f flow) {
	h.T.Helper()
	h.shell("phone fault none")
	h.shell("am start -n " + app + "/.ApiDemos --activity-clear-task")
	if activity, stored, own := f.component(); own {
		name, _, _ := strings.Cut(activity, "/")
		file := "/data/data/" + name + "/files/state.json"
		store := "rm -f " + file
		if stored != "" {
			store = "mkdir -p /data/data/" + name + "/files; echo '" + stored + "' > " + file
		}
		h.shell(store + "; pm revoke " + name + " android.permission.ACCESS_COARSE_LOCATION")
		h.shell("am start -n " + activity + " --activity-clear-task")
	}
}

// stored is what an app of ours has stored, whatever its screen shows.
func (h *house) stored(name string) string {
	h.T.Helper()
	return h.shell("run-as " + name + " cat files/state.json 2>/dev/null || echo '{}'")
}

// node is an element of a dump of uiautomator.
type node struct {
	Text    string `xml:"text,attr"`
	ID      string `xml:"resource-id,attr"`
	Desc    string `xml:"content-desc,attr"`
	Checked bool   `xml:"checked,attr"`
	Nodes   []node `xml:"node"`
}

func (n node) find(ok func(node) bool) bool {
	for _, c := range n.Nodes {
		if c.find(ok) {
			return true
		}
	}
	return ok(n)
}

// texts returns what stands on the screen.
func (n node) texts() (out []string) {
	n.find(func(n node) bool {
		if n.Text+n.Desc != "" {
			out = append(out, n.Text+n.Desc)
		}
		return false
	})
	return out
}

// shows is what the phone says that it shows.
func (h *house) shows() (n node, front string) {
	h.T.Helper()
	text, _, _ := strings.Cut(h.adb("-s", h.phone.Addr(), "exec-out", "uiautomator", "dump", "--windows", "/dev/tty"), "UI hierchary")
	var all struct {
		Windows []struct {
			Root struct {
				Nodes []node `xml:"node"`
			} `xml:"hierarchy"`
			Nodes []node `xml:"node"`
		} `xml:"window"`
		Displays []struct {
			Windows []struct {
				Root struct {
					Nodes []node `xml:"node"`
				} `xml:"hierarchy"`
			} `xml:"window"`
		} `xml:"display"`
		Nodes []node `xml:"node"`
	}
	if err := xml.Unmarshal([]byte(text), &all); err != nil {
		h.T.Fatalf("%v: %.200s", err, text)
	}
	n.Nodes = all.Nodes
	for _, w := range all.Windows {
		n.Nodes = append(append(n.Nodes, w.Nodes...), w.Root.Nodes...)
	}
	for _, d := range all.Displays {
		for _, w := range d.Windows {
			n.Nodes = append(n.Nodes, w.Root.Nodes...)
		}
	}
	return n, h.shell("dumpsys window | grep mCurrentFocus")
}

// truth says which facts of a flow do not hold: {"user":"ada"} (what an app of ours has stored), "edit=Hello" (a field or text by
// its id), "check1+" and "check1-" (on and off), "Comedy:+" (by its text), "'blue'" and "!'blue'" (a text is there or
// not), "@.app.ForwardTarget" (in front). The text of an element that is on may be in a child.
func (h *house) truth(of flow) string {
	h.T.Helper()
	activity, _, _ := of.component()
	name, _, _ := strings.Cut(activity, "/")
	wrong := ""
	for end := time.Now().Add(3 * time.Second); ; { // an animation may end after the trail
		wrong = ""
		n, front := h.shows()
		for _, f := range of.truth {
			if strings.HasPrefix(f, "{") {
				if s := h.stored(name); !sameJSON(s, f) {
					wrong += " " + f + " but " + s
				}
			} else if !holds(n, front, f) {
				wrong += " " + f
			}
		}
		if wrong != "" && time.Now().After(end) {
			return wrong + ", but " + strings.Join(n.texts(), " | ")
		}
		if wrong == "" {
			return ""
		}
	}
}

func holds(n node, front, fact string) bool {
	if own, ok := strings.CutPrefix(fact, "@"); ok {
		return strings.Contains(front, app+"/"+app+own+"}") || strings.Contains(front, app+"/"+own+"}")
	}
	if rest, ok := strings.CutPrefix(fact, "!"); ok {
		return !holds(n, front, rest)
	}
	if text, ok := strings.CutPrefix(fact, "'"); ok {
		text = strings.TrimSuffix(text, "'")
		return n.find(func(n node) bool { return n.Text == text || n.Desc == text })
	}
	if id, text, ok := strings.Cut(fact, "="); ok {
		return n.find(func(n node) bool {
			return strings.HasSuffix(n.ID, ":id/"+id) && n.find(func(n node) bool { return strings.TrimSpace(n.Text) == text })
		})
	}
	on := strings.HasSuffix(fact, "+")
	key := fact[:len(fact)-1]
	text, byText := strings.CutSuffix(key, ":")
	return n.find(func(n node) bool {
		if byText {
			return n.Checked == on && (n.Text == text || on && n.find(func(n node) bool { return n.Text == text }))
		}
		return n.Checked == on && strings.HasSuffix(n.ID, ":id/"+key)
	})
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
