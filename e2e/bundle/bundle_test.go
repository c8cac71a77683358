package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/phone"
)

var (
	binary string
	apk    = flag.String("phone", "", "the `file` of ApiDemos-debug.apk: test on the phone to test on, which needs a JDK and adb (make bundles)")
	qemu   = flag.String("qemu", "", "the `program` qemu-aarch64-static: test the runner for arm64")
)

// serialEnv names the phone behind adb to which the program sh passes its lines.
const serialEnv = "SHELL_OF_PHONE"

func TestMain(m *testing.M) {
	if serial := os.Getenv(serialEnv); serial != "" && filepath.Base(os.Args[0]) == "sh" {
		os.Exit(shell(serial, os.Args[2]))
	}
	os.Exit(housetest.Main(m, map[string]*string{"": &binary}))
}

var helperSocket = regexp.MustCompile(`trailblaze\.helper\.Main (\S+)`)

// shell is the phone's shell: it carries out a line on the phone behind adb. A helper's socket is one of this machine
// for as long as the helper runs.
func shell(serial, line string) int {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	p := adb.NewServer(os.Getenv).Phone(serial)
	if m := helperSocket.FindStringSubmatch(line); m != nil {
		l, err := net.Listen("unix", "@"+m[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = l.Close() }()
		go forward(ctx, l, p, m[1])
	}
	res, err := p.Shell(ctx, adb.Command{Line: line, Stdin: os.Stdin, Out: os.Stdout})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, _ = os.Stderr.Write(res.Stderr)
	return res.Exit
}

func forward(ctx context.Context, l net.Listener, p *adb.Phone, name string) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		to, err := p.Dial(ctx, "localabstract:"+name)
		if err != nil {
			_ = c.Close()
			continue
		}
		go func() { _, _ = io.Copy(to, c); _ = to.Close() }()
		go func() { _, _ = io.Copy(c, to); _ = c.Close() }()
	}
}

// runnerOf builds the runner for a processor as `make runner` does. The stamp is that of the program under test.
func runnerOf(t *testing.T, arch string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "trailblaze-runner-linux-"+arch)
	said, err := exec.CommandContext(t.Context(), binary, "version", "--json").Output()
	var v struct{ Version string }
	if err == nil {
		err = json.Unmarshal(said, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", out, "-ldflags",
		"-s -w -X github.com/trailblaze-dev/trailblaze/internal/app/bundle.Stamp=trailblaze-runner:"+v.Version+";",
		"github.com/trailblaze-dev/trailblaze/cmd/trailblaze-runner")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return out
}

// bundled is a bundle in a folder of its own.
type bundled struct {
	path string
	doc  struct {
		Bytes   int64
		Trails  []string
		LeftOut []string
		Files   int
	}
}

// make makes a bundle of the workspace.
func makeBundle(t *testing.T, arch string, args ...string) bundled {
	t.Helper()
	work, err := filepath.Abs("testdata/workspace")
	if err != nil {
		t.Fatal(err)
	}
	b := bundled{path: filepath.Join(t.TempDir(), "runner")}
	args = append([]string{"bundle", "-o", b.path, "--arch", arch, "--runner", runnerOf(t, arch), "--json"}, args...)
	s := housetest.Run(t.Context(), t, binary, work, append(os.Environ(), "TRAILBLAZE_HOME="+t.TempDir()), args...)
	if s.Code != 0 {
		t.Fatalf("bundle: %d %s%s", s.Code, s.Out, s.Err)
	}
	if err := json.Unmarshal([]byte(s.Out), &b.doc); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %.1f MB, %d files", arch, float64(b.doc.Bytes)/1e6, b.doc.Files)
	return b
}

// maxRunner holds the size of a runner: a phone gets it by every push.
const maxRunner = 25 << 20

// play runs a bundle on a phone behind adb and returns its exit status and what it said. via runs programs of another
// processor.
func (b bundled) play(t *testing.T, serial string, env []string, via string, args ...string) (int, string) {
	t.Helper()
	programs := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(programs, "sh"))
	}
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{b.path}, args...)
	if via != "" {
		args = append([]string{via}, args...)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(append(os.Environ(), env...), "PATH="+programs, serialEnv+"="+serial)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), said.String()
}

const app = "io.appium.android.apis"

// standIn is a phone with the controls of ApiDemos behind an adb server, and the environment that names it.
func standIn(t *testing.T) (p *androidtest.Phone, env []string) {
	t.Helper()
	srv := adbtest.Start(t)
	p = androidtest.New("p1")
	p.Show(androidtest.Label("Home"))
	p.Do(func() {
		p.Front = "com.example.launcher"
		p.Commands = func(line string, out, problems io.Writer) int {
			switch {
			case strings.HasPrefix(line, "am start"):
				p.Show(
					&androidtest.View{Class: "android.widget.EditText", Resource: app + ":id/edit", Editable: true, Clickable: true},
					&androidtest.View{Class: "android.widget.CheckBox", Text: "Checkbox 1", Clickable: true, Checkable: true},
				)
				p.Do(func() { p.Front = app })
				_, _ = io.WriteString(out, "Status: ok\n")
				return 0
			case strings.HasPrefix(line, "am force-stop"), strings.HasPrefix(line, "logcat"),
				strings.HasPrefix(line, "getprop"), strings.HasPrefix(line, "dumpsys"):
				return 0
			}
			_, _ = fmt.Fprintf(problems, "%s: not found\n", line)
			return 127
		}
	})
	srv.Set(p.Adb())
	return p, []string{"ADB_SERVER_SOCKET=" + srv.Env()("ADB_SERVER_SOCKET")}
}

// R4, R45: a bundle takes the trails that a phone can play, with their tools, and plays them without a host; what comes
// of them is a normal report.
func TestBundle(t *testing.T) {
	b := makeBundle(t, "amd64")
	want := []string{"trails/controls.trail.yaml", "trails/tick.trail.yaml", "trails/wrong.trail.yaml"}
	if d := cmp.Diff(want, b.doc.Trails); d != "" || len(b.doc.LeftOut) != 2 {
		t.Errorf("trails (-want +got):\n%s\nleft out: %q", d, b.doc.LeftOut)
	}
	if b.doc.Bytes > maxRunner {
		t.Errorf("%d bytes, more than %d", b.doc.Bytes, maxRunner)
	}
	if data, err := os.ReadFile(b.path); err != nil || bytes.Contains(data, []byte("trails/.env")) {
		t.Errorf("a hidden file is in it (%v)", err)
	}
	_, env := standIn(t)
	if code, said := b.play(t, "p1", env, "", "--list"); code != 0 || said != strings.Join(want, "\n")+"\n" {
		t.Errorf("--list: %d %s", code, said)
	}
	if code, said := b.play(t, "p1", env, "", "trails/other.trail.yaml"); code != 3 || !strings.Contains(said, "--list") {
		t.Errorf("a trail that is not there: %d %s", code, said)
	}
	b.proven(t, "p1", env, "")
}

// proven plays both trails and reads the report.
func (b bundled) proven(t *testing.T, serial string, env []string, via string) {
	t.Helper()
	code, said := b.play(t, serial, env, via, "trails/controls.trail.yaml")
	if code != 0 || !strings.Contains(said, "passed") {
		t.Fatalf("%d %s", code, said)
	}
	code, said = b.play(t, serial, env, via)
	if code != 1 || !strings.Contains(said, "trails/wrong.trail.yaml:12") || !strings.Contains(said, "No such words") {
		t.Fatalf("%d %s", code, said)
	}
	var r struct {
		Outcome string
		Trails  []struct {
			Outcome  string
			Attempts []json.RawMessage
		}
	}
	data, err := os.ReadFile(b.path + "-results/report.json")
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || r.Outcome != "failed" || len(r.Trails) != 3 || r.Trails[0].Outcome != "passed" {
		t.Errorf("report: %v %.600s", err, data)
	}
	if !bytes.Contains(data, []byte("demos_write")) || !bytes.Contains(data, []byte("wrote Hello phone for demos")) {
		t.Error("the report says nothing of the tool in TypeScript")
	}
	for _, name := range []string{"report.html", "junit.xml"} {
		if info, err := os.Stat(b.path + "-results/" + name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, _ := os.ReadDir(filepath.Dir(b.path))
	if slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".trailblaze") }) {
		t.Errorf("the folder that it worked in is left: %v", left)
	}
}

// R45: the program for arm64 plays trails on an emulated processor. Scripts need a second process of the program, which
// the emulator of a single program cannot start: their trail is left out here.
func TestBundleArm64(t *testing.T) {
	if *qemu == "" {
		t.Skip("left out: no -qemu. `make bundles` runs it; it compiles all for another processor")
	}
	b := makeBundle(t, "arm64")
	if b.doc.Bytes > maxRunner {
		t.Errorf("%d bytes, more than %d", b.doc.Bytes, maxRunner)
	}
	_, env := standIn(t)
	if code, said := b.play(t, "p1", env, *qemu, "trails/tick.trail.yaml", "trails/wrong.trail.yaml"); code != 1 ||
		!strings.Contains(said, "passed   Tick") || !strings.Contains(said, "trails/wrong.trail.yaml:12") {
		t.Errorf("%d %s", code, said)
	}
	if data, err := os.ReadFile(b.path + "-results/report.json"); err != nil || !bytes.Contains(data, []byte(`"demos_tick"`)) {
		t.Errorf("report: %v %.300s", err, data)
	}
}

// A runner of another build, of another processor or none, and a trail that no phone can play are refused.
func TestBundleRefuses(t *testing.T) {
	runner := runnerOf(t, "amd64")
	work, err := filepath.Abs("testdata/workspace")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"none", []string{"--runner", "no-such-file"}, "make runner"},
		{"processor", []string{"--runner", runner, "--arch", "arm64"}, "no program for linux/arm64"},
		{"no runner", []string{"--runner", binary, "--arch", "amd64"}, "no runner of version"},
		{"model", []string{"--runner", runner, "--arch", "amd64", "trails/plain.trail.yaml"}, "model"},
		{"target", []string{"--runner", runner, "--arch", "amd64", "--target", "elsewhere"}, "It has: demos"},
	} {
		out := filepath.Join(t.TempDir(), "runner")
		s := housetest.Run(t.Context(), t, binary, work, append(os.Environ(), "TRAILBLAZE_HOME="+t.TempDir()),
			append([]string{"bundle", "-o", out}, tt.args...)...)
		if s.Code != 3 || !strings.Contains(s.Out+s.Err, tt.want) {
			t.Errorf("%s: %d %s%s", tt.name, s.Code, s.Out, s.Err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: it wrote a bundle", tt.name)
		}
	}
	if said, err := exec.CommandContext(t.Context(), runner).CombinedOutput(); err == nil || !strings.Contains(string(said), "no trails in this program") {
		t.Errorf("a runner without trails: %v %s", err, said)
	}
}

// TestBundleOnPhone plays a bundle with the shell and the helper of the phone to test on.
func TestBundleOnPhone(t *testing.T) {
	if *apk == "" {
		t.Skip("left out: no -phone APK. `make bundles` runs it; it needs a JDK and adb")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	user := t.TempDir()
	env := []string{"HOME=" + user, "ANDROID_ADB_SERVER_PORT=" + port}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("adb", args...)
		cmd.Env = append(os.Environ(), env...)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("adb %s: %v: %s", strings.Join(args, " "), err, said)
		}
	}
	run("start-server")
	t.Cleanup(func() { run("kill-server") })
	p, err := phone.Start(t.Context(), phone.Options{
		APKs: []string{*apk}, Keys: []string{filepath.Join(user, ".android", "adbkey.pub")}, Say: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	run("connect", p.Addr())
	run("-s", p.Addr(), "wait-for-device")
	makeBundle(t, "amd64").proven(t, p.Addr(), env, "")
}
