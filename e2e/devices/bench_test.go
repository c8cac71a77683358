package devices

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

var (
	binary string
	bench  = flag.Bool("many", false, "measure many devices (make bench-devices)")
	docs   = flag.String("docs", "", "write the table into this document")
	rounds = flag.Int("rounds", 3, "how often the trails on browsers are played by each number of devices")
)

func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }

// The bars that the figures are held to.
const (
	fasterBar = 1.8 // × one browser, on two cores
	costBar   = time.Millisecond
	memoryBar = 128 << 20 // anonymous memory of the process that plays on fifty phones

	phones = 50
	trails = 500
)

// row is a line of the table.
type row struct {
	figure, measured, bar string
	holds                 bool
}

// TestManyDevices measures and prints the table. It fails where a bar is missed.
func TestManyDevices(t *testing.T) {
	if !*bench {
		t.Skip("only with -many: it needs a machine that does nothing else")
	}
	var rows []row
	t.Run("browsers", func(t *testing.T) { rows = append(rows, browsers(t)...) })
	t.Run("reserved", func(t *testing.T) { rows = append(rows, reserved(t)) })
	t.Run("phones", func(t *testing.T) { rows = append(rows, fifty(t)...) })
	if t.Failed() {
		return
	}
	var table strings.Builder
	table.WriteString("| figure | measured | bar |\n|---|---:|---:|\n")
	for _, r := range rows {
		missed := ""
		if !r.holds {
			missed = ", **missed**"
			t.Errorf("%s: %s, and the bar is %s", r.figure, r.measured, r.bar)
		}
		fmt.Fprintf(&table, "| %s | %s | %s%s |\n", r.figure, r.measured, r.bar, missed)
	}
	t.Logf("on %d processors:\n%s", runtime.NumCPU(), table.String())
	if *docs != "" {
		document(t, fmt.Sprintf("Measured on %s, %d rounds, medians, %d cpus:\n\n%s", time.Now().Format(time.DateOnly),
			*rounds, runtime.NumCPU(), table.String()))
	}
}

// document writes the table between its marks.
func document(t *testing.T, text string) {
	t.Helper()
	const begin, end = "<!-- bench devices: written by `make bench-devices` -->\n", "<!-- end of bench devices -->"
	data, err := os.ReadFile(*docs)
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if err != nil || !ok || !closed {
		t.Fatalf("%s has no place for the table: %v", *docs, err)
	}
	if err := os.WriteFile(*docs, []byte(before+begin+text+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// browsers plays the sample shop's trails on one browser, on two and on four, in turn.
func browsers(t *testing.T) []row {
	t.Helper()
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	h := housetest.NewHome(t, binary)
	if _, err := demo.WriteTrails(h.Work); err != nil {
		t.Fatal(err)
	}
	took := map[int][]time.Duration{}
	for range *rounds {
		for _, n := range []int{1, 2, 4} {
			out := h.Run("run", "*.trail.yaml", "--no-report", "--repeat", "3", "-j", strconv.Itoa(n), "--json",
				"--memory", "shop="+shop.URL, "--secret", "password="+demo.Password, "--secret", "cardCode=123",
				"--secret-origin", "password="+shop.URL, "--secret-origin", "cardCode="+shop.Bank)
			if out.Code != 0 {
				t.Fatalf("exit status %d: %s%s", out.Code, out.Out, out.Err)
			}
			took[n] = append(took[n], out.Took)
		}
	}
	one := median(took[1])
	rows := []row{{"the shop's seven trails, 3 times, on one browser, whole process, s", seconds(one), "–", true}}
	for _, n := range []int{2, 4} {
		ratio := float64(one) / float64(median(took[n]))
		r := row{fmt.Sprintf("… on %d browsers at once, × one", n), fmt.Sprintf("%.2f ×", ratio), "–", true}
		if n == 4 {
			r.bar, r.holds = fmt.Sprintf("≥ %.1f", fasterBar), ratio >= fasterBar
		}
		rows = append(rows, r)
	}
	return rows
}

// reserved measures what a reservation adds to a call, through the daemon, on one phone.
func reserved(t *testing.T) row {
	t.Helper()
	h := withPhones(t, 1)
	h.setEnv()
	tb := h.dial("bench", "android/p0")
	call := func(name string, args map[string]any) {
		t.Helper()
		if _, err := tb.CallTool(t.Context(), name, args); err != nil {
			t.Fatal(err)
		}
	}
	each := func() (took []time.Duration) {
		call("assertVisible", map[string]any{"text": "Save"}) // opens the phone
		for range 200 {
			began := time.Now()
			call("assertVisible", map[string]any{"text": "Save"})
			took = append(took, time.Since(began))
		}
		return took
	}
	var shared, alone []time.Duration
	for range *rounds {
		call("device", map[string]any{"action": "CONNECT", "deviceId": "android/p0"})
		shared = append(shared, each()...)
		call("device", map[string]any{"action": "DISCONNECT", "deviceId": "android/p0"})
		call("device", map[string]any{"action": "RESERVE", "deviceId": "android/p0"})
		alone = append(alone, each()...)
		call("device", map[string]any{"action": "DISCONNECT", "deviceId": "android/p0"})
	}
	more := median(alone) - median(shared)
	return row{
		fmt.Sprintf("a call on a reserved phone, more than on a shared one (%s ms), ms", millis(median(shared))), millis(more),
		"≤ " + millis(costBar), more <= costBar,
	}
}

// fifty plays trails on one phone and on fifty, each time in one process, and weighs it.
func fifty(t *testing.T) []row {
	t.Helper()
	h := withPhones(t, phones)
	for i := range trails {
		h.Write(fmt.Sprintf("trails/%03d.trail.yaml", i), fmt.Sprintf(`config: { title: Save %d }
trail:
  - step: Save
    recording:
      android:
        - tapOnElementWithText: { text: Save }
  - verify: It is saved
    recording:
      android:
        - assertVisible: { text: Saved }
`, i))
	}
	one := h.play(t, trails/phones, "trails/00?.trail.yaml", "android/p0", 1)
	all := h.play(t, trails, "trails", "android/*", phones)
	each := float64(one.took) / float64(all.took) * phones
	return []row{
		{fmt.Sprintf("%d trails on one phone, in one process, s", trails/phones), seconds(one.took), "–", true},
		{fmt.Sprintf("%d trails on %d phones, in one process, s", trails, phones), seconds(all.took), "–", true},
		{"… trails in the time of one phone, ×", fmt.Sprintf("%.1f ×", each), "–", true},
		{"most memory of the process on one phone, MB anonymous / PSS", one.weight(), "–", true},
		{fmt.Sprintf("most memory of the process on %d phones, MB anonymous / PSS", phones), all.weight(),
			"≤ " + megabytes(memoryBar) + " anonymous", all.anonymous > 0 && all.anonymous <= memoryBar},
	}
}

// house is a user with phones, which stand in for real ones.
type house struct {
	*housetest.Home
	phones []*androidtest.Phone
}

// withPhones makes a house with so many phones: p0, p1, … Each shows a button that changes a text.
func withPhones(t *testing.T, n int) *house {
	t.Helper()
	srv := adbtest.Start(t)
	h := &house{}
	var connected []*adbtest.Phone
	for i := range n {
		p := androidtest.New("p" + strconv.Itoa(i))
		said := androidtest.Label("Not yet")
		times := 0
		p.Show(said, androidtest.Button("Save", func() { times++; said.Text = fmt.Sprintf("Saved %d", times) }))
		h.phones, connected = append(h.phones, p), append(connected, p.Adb())
	}
	srv.Set(connected...)
	programs := t.TempDir() // adb is found, and never started: the server is there
	if err := os.WriteFile(filepath.Join(programs, "adb"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	h.Home = housetest.NewHome(t, binary, "ADB_SERVER_SOCKET="+srv.Env()("ADB_SERVER_SOCKET"),
		"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"), "TRAILBLAZE_BIN="+binary)
	return h
}

// setEnv has the SDK for Go find the house's daemon.
func (h *house) setEnv() {
	for _, kv := range h.Env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "TRAILBLAZE_") || strings.HasPrefix(name, "ADB_") {
			h.T.Setenv(name, value)
		}
	}
}

// dial makes a client of the house's daemon.
func (h *house) dial(name, device string) *client.Client {
	h.T.Helper()
	o := client.Options{Binary: binary, Workspace: h.Work, Name: name, Device: device, Timeout: time.Minute}
	tb, err := client.Dial(h.T.Context(), &o)
	if err != nil {
		h.T.Fatal(err)
	}
	return tb
}

// playing is what a run took.
type playing struct {
	took           time.Duration
	anonymous, pss int64 // at most
}

func (p playing) weight() string { return megabytes(p.anonymous) + " / " + megabytes(p.pss) }

// play runs trails, all of which must pass, and weighs the process while it runs.
func (h *house) play(t *testing.T, n int, files, device string, jobs int) (p playing) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), h.Binary, "run", files, "--device", device, "-j", strconv.Itoa(jobs), "--no-report", "--json")
	var out, stderr bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = h.Env, h.Work, &out, &stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.weigh(cmd.Process.Pid)
			continue
		case err := <-ended:
			p.took = time.Since(began)
			var doc struct {
				Totals map[string]int `json:"totals"`
			}
			if bad := json.Unmarshal(out.Bytes(), &doc); err != nil || bad != nil || doc.Totals["passed"] != n {
				t.Fatalf("%v, %v, %v passed of %d: %.2000s%s", err, bad, doc.Totals, n, out.String(), stderr.String())
			}
			return p
		}
	}
}

// weigh reads what a process takes now. A system without /proc says nothing, which misses the bar.
func (p *playing) weigh(pid int) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	for line := range strings.Lines(string(data)) {
		for name, to := range map[string]*int64{"Pss:": &p.pss, "Anonymous:": &p.anonymous} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				kB, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				*to = max(*to, kB<<10)
			}
		}
	}
}

func median(took []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(took))
	return s[len(s)/2]
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }
func millis(d time.Duration) string  { return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond)) }
func megabytes(n int64) string       { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }
