package cli_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/cli"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

// TestMain makes this test binary be trailblaze when a script calls it.
func TestMain(m *testing.M) {
	// Scripts mostly wait; more of them than there are cores do so side by side.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"trailblaze": func() { os.Exit(cli.Main(context.Background(), cli.System(), os.Args[1:])) },
	})
}

// TestScripts plays what users do, on the real binary and, where a script asks for [browser], on a real browser.
// $SHOP is the sample shop, $REPO this repository, $ROOMS a site for several people, $PHONES an adb server with two phones that show a shop, p1 of
// API 31 and p2 of API 32, which know a debug broadcast, and one that is offline, $BOTH one with p1 and p2 alone, $LOOSE one with a phone that is
// gone once its Unplug was tapped, $TAKEN one with a phone whose UiAutomation another program has.
func TestScripts(t *testing.T) {
	t.Parallel()
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Close() })
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	chat := housetest.Rooms(t)
	phones := adbtest.Start(t)
	var connected []*adbtest.Phone
	for _, serial := range []string{"p1", "p2"} {
		p := androidtest.New(serial)
		api := "3" + serial[1:]
		p.Commands = func(line string, stdout, _ io.Writer) int {
			switch line {
			case "wm size":
				_, _ = io.WriteString(stdout, "Physical size: 1080x2400\n")
			case "getprop ro.build.version.sdk":
				_, _ = io.WriteString(stdout, api+"\n")
			case "pm list packages":
				_, _ = io.WriteString(stdout, "package:com.shop\npackage:android\n")
			}
			if strings.ReplaceAll(line, "'", "") ==
				"am broadcast -a com.shop.DEBUG -n com.shop/com.shop.debug.Receiver --es feature new_cart" {
				_, _ = io.WriteString(stdout, "Broadcast completed: result=7\n")
			}
			return 0
		}
		p.Show(androidtest.Label("Shop on "+serial), androidtest.Button("Save", nil))
		connected = append(connected, p.Adb())
	}
	dead := androidtest.New("p0").Adb()
	dead.State = "offline"
	phones.Set(append([]*adbtest.Phone{dead}, connected...)...)
	both := adbtest.Start(t)
	both.Set(connected...)
	cable := adbtest.Start(t)
	loose := androidtest.New("p1")
	loose.Show(androidtest.Button("Unplug", func() { go func() { cable.Set(); cable.Cut() }() }), androidtest.Button("Save", nil))
	cable.Set(loose.Adb())
	taken := adbtest.Start(t)
	taken.Set(&adbtest.Phone{Serial: "p1", Shell: func(_ string, _ io.Reader, _, problems io.Writer) int {
		_, _ = io.WriteString(problems, "UiAutomationService already registered!\n")
		return 1
	}})
	ours, err := exec.LookPath("trailblaze")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TRAILBLAZE_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("SHOP", shop.URL)
			env.Setenv("REPO", repo)
			env.Setenv("ROOMS", chat)
			env.Setenv("REPEAT", cmp.Or(os.Getenv("REPEAT"), "2"))
			env.Setenv("PHONES", phones.Env()("ADB_SERVER_SOCKET"))
			env.Setenv("BOTH", both.Env()("ADB_SERVER_SOCKET"))
			env.Setenv("TAKEN", taken.Env()("ADB_SERVER_SOCKET"))
			env.Setenv("LOOSE", cable.Env()("ADB_SERVER_SOCKET"))
			env.Setenv("TRAILBLAZE_BROWSER", os.Getenv("TRAILBLAZE_BROWSER"))
			env.Setenv("NO_COLOR", "1")
			env.Setenv("PATH_ONLY_OURS", filepath.Dir(ours))
			env.Setenv("TRAILBLAZE_PORT", "0") // each script may have a daemon of its own
			env.Setenv("TRAILBLAZE_SESSION", "script")
			env.Defer(func() { stopDaemon(t, env) })
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "browser" {
				return false, errors.New("unknown condition")
			}
			_, err := launch.Find("")
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  status,
			"excerpt": excerpt,
			"nowhere": nowhere,
			"count":   count,
			"running": running,
			"left":    left,
			"shows":   shows,
		},
	})
}

// status runs a command and wants exactly this exit status: status 3 trailblaze run
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status <code> <command> [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// excerpt writes the block of a document that holds a text into a file, with some texts replaced: excerpt
// docs/devices.md 'title: Chat' chat.trail.yaml http://localhost:8080=http://127.0.0.1:1234
func excerpt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: excerpt <document> <text> <file> [old=new]...")
	}
	data, err := os.ReadFile(filepath.Join(ts.Getenv("REPO"), args[0]))
	ts.Check(err)
	for i, block := range strings.Split(string(data), "\n```") {
		_, block, _ = strings.Cut(block, "\n") // behind the language
		if i%2 == 0 || !strings.Contains(block, args[1]) {
			continue
		}
		for _, change := range args[3:] {
			was, now, _ := strings.Cut(change, "=")
			block = strings.ReplaceAll(block, was, now)
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block+"\n"), 0o600))
		return
	}
	ts.Fatalf("no block of %s holds %q", args[0], args[1])
}

// nowhere wants a text in no file below a folder: nowhere s3cret home
func nowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nowhere <text> <folder>")
	}
	files := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() { // a daemon's socket holds nothing
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), args[0]) {
			ts.Fatalf("%s holds %q", path, args[0])
		}
		return err
	}))
	if files == 0 {
		ts.Fatalf("there are no files in %s", args[1])
	}
}

// count wants so many entries in a folder: count 3 home/sessions
func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: count <n> <folder>")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[1]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Fatalf("%v", err)
	}
	n := 0
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			n++
		}
	}
	if want := args[0]; strconv.Itoa(n) != want {
		ts.Fatalf("%s holds %d entries, want %s", args[1], n, want)
	}
}

// shows wants a picture to have more than a few pixels of about a color: shows '#ff0000' board.png
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: shows <color> <file>")
	}
	want, err := strconv.ParseUint(strings.TrimPrefix(args[0], "#"), 16, 24)
	ts.Check(err)
	f, err := os.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer func() { _ = f.Close() }()
	img, err := png.Decode(f)
	ts.Check(err)
	n := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			far := 0
			for i, c := range []uint32{b, g, r} {
				d := int(c>>8) - int(want>>(8*i)&255)
				far = max(far, d, -d)
			}
			if far < 32 {
				n++
			}
		}
	}
	if neg != (n < 50) {
		ts.Fatalf("%s has %d pixels of about %s", args[1], n, args[0])
	}
}

// stopDaemon ends the daemon that a script has started, if any.
func stopDaemon(t *testing.T, env *testscript.Env) {
	home := filepath.Join(env.WorkDir, "home")
	if boots, _ := filepath.Glob(filepath.Join(home, "run", "*", "daemon.json")); len(boots) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "trailblaze", "daemon", "stop", "--all")
	cmd.Dir, cmd.Env = env.WorkDir, env.Vars
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("daemon stop: %v\n%s", err, out)
	}
}

// running waits until the daemon runs a tool: running web_wait
func running(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: running <tool>")
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		ts.Check(ts.Exec("trailblaze", "daemon", "status", "--json"))
		if strings.Contains(ts.ReadFile("stdout"), `"tool": "`+args[0]+`"`) {
			return
		}
	}
	ts.Fatalf("%s does not run", args[0])
}

// left wants no browser and no file of one in the script's folder for temporary files, once those that end have ended:
// left nothing
func left(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || args[0] != "nothing" {
		ts.Fatalf("usage: left nothing")
	}
	folder := ts.Getenv("TMPDIR")
	for deadline := time.Now().Add(time.Minute); len(housetest.ProcessesIn(folder)) > 0; {
		if time.Now().After(deadline) {
			ts.Fatalf("these still run: %v", housetest.ProcessesIn(folder))
		}
	}
	entries, err := os.ReadDir(folder)
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s was left in %s", e.Name(), folder)
	}
}
