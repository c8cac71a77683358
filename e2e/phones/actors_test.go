package phones

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/phone"
)

var plays = flag.Int("plays", 1, "how often TestActors plays each trail")

// TestActors plays trails on two phones of different sizes and languages and on browsers: people who write to each other,
// a bill that is paid behind a link on another device, one trail on all three devices at once, and devices that die in
// the midst.
func TestActors(t *testing.T) {
	if *apk == "" || *market == "" {
		t.Skip("left out: no -phone and -shop APK. `make phone` runs it; it needs a JDK and adb")
	}
	both := newHouses(t, phone.Options{APKs: []string{*market}},
		phone.Options{APKs: []string{*market}, Width: 1440, Height: 2560, Density: 560, Locale: "de-DE"})
	rooms := housetest.Rooms(t)
	for name, text := range trails {
		both[0].Write(name+".trail.yaml", text)
	}
	english, german := both[0], both[1]
	for n := range *plays {
		if n > 0 {
			german.start() // the last one has died
		}
		t.Run("chat", func(t *testing.T) { english.on(t).play(0, "chat", rooms, english.id()) })
		t.Run("pay", func(t *testing.T) { german.on(t).play(0, "pay", rooms, german.id()) })
		t.Run("three devices", func(t *testing.T) {
			doc := english.on(t).play(0, "write", rooms, english.id()+","+german.id()+",web", "--per-device", "-j", "3")
			for _, device := range []string{english.id(), german.id(), "web"} {
				if !strings.Contains(doc, `"device": "`+device+`"`) {
					t.Errorf("nothing was played on %s: %s", device, doc)
				}
			}
		})
		t.Run("browser dies", func(t *testing.T) {
			h := english.on(t)
			h.play(2, "dead", rooms, english.id(), "--memory", "folder="+h.Temp)
			h.clean()
			waittest.Until(t, func() bool { return !h.helped() }, "the helper on the phone ends")
			if out := strings.TrimSpace(h.adb("forward", "--list")); out != "" {
				t.Errorf("still forwarded: %s", out)
			}
		})
		t.Run("phone dies", func(t *testing.T) {
			h := german.on(t)
			pages := http.NewServeMux()
			pages.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
				if !h.helped() {
					t.Error("no helper runs on the phone while it is used")
				}
				_ = h.phone.Close()
				_, _ = w.Write([]byte("<h1>The phone is gone</h1>"))
			})
			end := httptest.NewServer(pages)
			defer end.Close()
			h.play(2, "gone", rooms, german.id(), "--memory", "end="+end.URL)
			h.clean()
		})
	}
}

func (h *house) id() string { return "android/" + h.phone.Addr() }

// play runs a trail, which must end with an exit status, and returns what the run says.
func (h *house) play(status int, name, rooms, device string, more ...string) string {
	h.T.Helper()
	s := h.Run(append([]string{"run", name + ".trail.yaml", "--device", device, "--no-report", "--screenshots", "off", "--json",
		"--memory", "site=" + rooms, "--memory", "app=" + strings.Replace(rooms, "http:", "trailshop:", 1)}, more...)...)
	var doc struct{ Totals map[string]int }
	if err := json.Unmarshal([]byte(s.Out), &doc); err != nil || s.Code != status || status == 2 && doc.Totals["error"] != 1 {
		h.T.Fatalf("%s: %d, want %d: %s%s", name, s.Code, status, s.Out, s.Err)
	}
	h.T.Logf("%s: %v in %s", name, doc.Totals, s.Took.Round(100*time.Millisecond))
	return s.Out
}

// helped says whether a helper of ours runs on the phone.
func (h *house) helped() bool { return strings.Contains(h.shell("ps -A"), "app_process") }

// clean wants no browser and no file of one to be left.
func (h *house) clean() {
	h.T.Helper()
	waittest.Until(h.T, func() bool { return len(housetest.ProcessesIn(h.Temp)) == 0 }, "the browsers end")
	left, err := os.ReadDir(h.Temp)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "adb.") }) // of adb's server
	if err != nil || len(left) > 0 {
		h.T.Errorf("left behind: %v, %v", left, err)
	}
}

var trails = map[string]string{
	"chat": `config:
  title: Write to each other
  actors: { alice: { device: web }, bob: { device: android } }
trail:
  - step: Open a room
    on: alice
    recording:
      web:
        - web_navigate: { url: "{{memory.site}}/open?by=Alice" }
        - remember: { variable: code, text: R-, regex: "R-[0-9]+" }
  - step: Enter it by a link
    on: bob
    recording:
      android:
        - openUrl: { url: "{{memory.app}}/room/{{alice.code}}?by=Bob" }
        - assertVisible: { text: "{{alice.code}}" }
  - step: Write to Bob
    on: alice
    recording:
      web:
        - web_type: { text: Hello Bob, nodeSelector: { web: { ariaRole: textbox, ariaNameRegex: Message } } }
        - web_click: { nodeSelector: { web: { ariaRole: button, ariaNameRegex: Send } } }
  - verify: The message is there
    on: bob
    recording:
      android:
        - assertVisible: { text: "Alice: Hello Bob" }
  - step: Answer
    on: bob
    recording:
      android:
        - tap: { id: message }
        - inputText: { text: Hello Alice }
        - tap: { id: send }
  - verify: The answer is there
    on: alice
    recording:
      web:
        - web_verifyTextVisible: { text: "Bob: Hello Alice" }
`,
	"pay": `config:
  title: Pay on another device
  actors: { till: { device: web }, guest: { device: android } }
trail:
  - step: Make a bill
    on: till
    recording:
      web:
        - web_navigate: { url: "{{memory.site}}/open?by=Till" }
        - remember: { variable: bill, text: R-, regex: "R-[0-9]+" }
  - step: Open the link and pay
    on: guest
    recording:
      android:
        - openUrl: { url: "{{memory.app}}/pay/{{till.bill}}" }
        - assertVisible: { text: "{{till.bill}}" }
        - tap: { id: pay }
        - assertVisible: { text: Danke }
  - verify: The bill is paid
    on: till
    recording:
      web:
        - web_verifyTextVisible: { text: The bill is paid }
`,
	"write": `config: { title: Write in a room of one's own }
trail:
  - step: Open a room
    recording:
      web:
        - web_navigate: { url: "{{memory.site}}/open?by=Me" }
      android:
        - openUrl: { url: "{{memory.app}}/open?by=Me" }
        - assertVisible: { text: R- }
  - step: Write
    recording:
      web:
        - web_type: { text: Hello, nodeSelector: { web: { ariaRole: textbox, ariaNameRegex: Message } } }
        - web_click: { nodeSelector: { web: { ariaRole: button, ariaNameRegex: Send } } }
      android:
        - tap: { id: message }
        - inputText: { text: Hello }
        - tap: { id: send }
  - verify: It is there
    recording:
      web:
        - web_verifyTextVisible: { text: "Me: Hello" }
      android:
        - assertVisible: { text: "Me: Hello" }
`,
	"dead": `config:
  actors: { alice: { device: web }, bob: { device: android } }
trail:
  - step: Wait for the shop
    on: bob
    recording:
      android:
        - launchApp: { appId: dev.trailblaze.shop, launchMode: FORCE_RESTART }
        - assertVisible: { id: sign_in }
  - step: Wait for a message that never comes
    on: bob
    recording:
      android:
        - assertVisible: { text: Nobody writes this, timeoutMs: 50000 }
  - step: Die
    on: alice
    together: true
    recording:
      web:
        - web_navigate: { url: "{{memory.site}}/kill?folder={{memory.folder}}" }
`,
	"gone": `config:
  actors: { alice: { device: web }, bob: { device: android } }
trail:
  - step: Wait for the shop
    on: bob
    recording:
      android:
        - launchApp: { appId: dev.trailblaze.shop, launchMode: FORCE_RESTART }
        - assertVisible: { id: sign_in }
  - step: Have the phone go, and wait for a message that never comes
    on: alice
    recording:
      web:
        - web_navigate: { url: "{{memory.end}}" }
        - web_verifyTextVisible: { text: Nobody writes this, timeoutMs: 50000 }
  - step: Wait for a message that never comes
    on: bob
    together: true
    recording:
      android:
        - assertVisible: { text: Nobody writes this, timeoutMs: 50000 }
`,
}
