package phone

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/phone/adbd"
)

// bare is a phone without a process: its shell, files and settings.
func bare(t *testing.T) *Phone {
	t.Helper()
	p := newPhone(Options{})
	p.folder = t.TempDir()
	if err := p.makeFiles(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.files.Close() })
	return p
}

// shell runs a command line and returns what it printed.
func (p *Phone) shell(ctx context.Context, line string) (out, errs string, status int) {
	var o, e bytes.Buffer
	status = p.run(ctx, adbd.Command{Line: line, Stdin: strings.NewReader("b\na\n"), Stdout: &o, Stderr: &e, Raw: true})
	return o.String(), e.String(), status
}

func TestShellPrograms(t *testing.T) {
	p := bare(t)
	p.apps = []*installed{{App: App{Package: "com.shop", Main: "com.shop/.Main", VersionName: "1.2", VersionCode: 3}}}
	p.log.add(logLine{Level: "E", Tag: "Shop", Line: "no mug", PID: 7, Thread: 8})
	p.log.add(logLine{Level: "D", Tag: "Noise", Line: "hum", PID: 9, Thread: 9})
	for _, c := range []struct {
		line, out, errs string
		status          int
	}{
		{"echo hi; exit 7", "hi\n", "", 7},
		{`x=$(getprop ro.build.version.sdk); [ "$x" = 35 ] && echo "<$x>"`, "<35>\n", "", 0},
		{"for i in 1 2; do echo $i; done | tail -n 1", "2\n", "", 0},
		{"echo text > /sdcard/f && cat /sdcard/f", "text\n", "", 0},
		{"cd /data/local/tmp && pwd && echo a > b && ls && [ -f b ] && rm b && ls", "/data/local/tmp\nb\n", "", 0},
		{"mkdir -p /sdcard/x/y && echo 1 > /sdcard/x/y/z && mv /sdcard/x/y/z /sdcard/x && find /sdcard/x -type f",
			"/sdcard/x/z\n", "", 0},
		{"cat /storage/emulated/0/f", "text\n", "", 0},
		{"cat /no", "", "cat: /no: No such file or directory\n", 1},
		{"sort", "a\nb\n", "", 0},
		{"echo one two | wc -w", "2\n", "", 0},
		{"printf 'a\\nfoo=1\\nFoo\\n' | grep -i 'foo\\|bar'", "foo=1\nFoo\n", "", 0},
		{"printf 'x\\n' | grep -c y", "0\n", "", 1},
		{"echo aGk= | base64 -d", "hi", "", 0},
		{"echo -n hi | sha256sum | head -c 8", "8f434346", "", 0},
		{"which am no", "/system/bin/am\n", "", 1},
		{"sh -c 'echo $0 $1' a b", "a b\n", "", 0},
		{"echo 'echo from $1' > /data/local/tmp/s && sh /data/local/tmp/s me", "from me\n", "", 0},
		{"id -u", "2000\n", "", 0},
		{"cat /etc/passwd || cat ../../../../../../../etc/passwd", "", "cat: /etc/passwd: No such file or directory\n" +
			"cat: ../../../../../../../etc/passwd: No such file or directory\n", 1},
		{"ls /proc", "", "ls: /proc: No such file or directory\n", 1},
		{"curl localhost", "", "sh: curl: inaccessible or not found\n", 127},
		{"/bin/ls", "data\nsdcard\nstorage\nsystem\n", "", 0},
		{"su", "", "su: this phone cannot do that: it has no su\n", 1},
		{"screenrecord /sdcard/v.mp4", "", "screenrecord: this phone cannot do that: it has no screenrecord\n", 1},
		{"input scroll 1", "", "input: this phone cannot do that: input scroll\n", 1},
		{"input keyevent KEYCODE_NONSENSE", "", "Error: Unknown keycode: KEYCODE_NONSENSE\n", 1},
		{"settings put global x 5 && settings get global x && settings delete global x && settings get global x",
			"5\nDeleted 1 rows\nnull\n", "", 0},
		{"settings put system font_scale abc; settings get system font_scale", "1.0\n",
			"settings: font_scale has to be a number up to 4\n", 0},
		{"wm density 60; wm density", "Physical density: 420\n", "Error: density must be >= 72\n", 0},
		{"cmd locale set-app-locales com.shop --locales zz_; getprop persist.sys.locale", "en-US\n",
			"Error: read locale: \"zz_\" is no language that the phone can have\n", 0},
		{"settings get nowhere x", "", "Invalid namespace 'nowhere'\n", 1},
		{"setprop debug.x 1; getprop debug.x; setprop ro.x 1", "1\n", "setprop: failed to set property 'ro.x' to '1'\n", 1},
		{"wm size; wm density", "Physical size: 1080x2400\nPhysical density: 420\n", "", 0},
		{"wm size 5x5", "", "Error: read size: \"5x5\" is no size\n", 1},
		{"pm list packages; pm path com.shop; pm path com.no",
			"package:com.shop\npackage:/data/app/com.shop/base.apk\n", "", 1},
		{"cmd package list packages -3 -f shop", "package:/data/app/com.shop/base.apk=com.shop\n", "", 0},
		{"cmd package resolve-activity --brief com.shop | tail -n 1", "com.shop/.Main\n", "", 0},
		{"pm clear com.no", "", "Failed\n", 1},
		{"pm hide com.shop", "", "pm: this phone cannot do that: pm hide\n", 1},
		{"dumpsys package com.shop | grep versionName", "    versionName=1.2\n", "", 0},
		{"dumpsys nonsense", "", "Can't find service: nonsense\n", 1},
		{"cmd nonsense", "", "cmd: Can't find service: nonsense\n", 1},
		{"am start --nonsense x", "", "Error: unknown option: --nonsense\n", 1},
		{"am start", "Starting: Intent { }\n", "Error: Activity not started, unable to resolve Intent { }\n", 1},
		{"am dumpheap x", "", "am: this phone cannot do that: am dumpheap\n", 1},
		{"logcat -d -v tag -s Shop", "--------- beginning of main\nE/Shop    : no mug\n", "", 0},
		{"logcat -d -v tag '*:W'", "--------- beginning of main\nE/Shop    : no mug\n", "", 0},
		{"logcat -t 1 -v tag", "--------- beginning of main\nD/Noise   : hum\n", "", 0},
		{"am start -n com.no/.Main", "Starting: Intent { cmp=com.no/.Main }\n",
			"Error type 3\nError: Activity class {com.no/.Main} does not exist.\n", 1},
		{"logcat -c; logcat -d", "--------- beginning of main\n", "", 0},
		{"if", "", "sh:1:1: `if <cond>` must be followed by `then`\n", 1},
	} {
		t.Run(c.line, func(t *testing.T) {
			out, errs, status := p.shell(t.Context(), c.line)
			if out != c.out || errs != c.errs || status != c.status {
				t.Errorf("got %q, %q, %d; want %q, %q, %d", out, errs, status, c.out, c.errs, c.status)
			}
		})
	}
}

// TestOptions: what a phone cannot have is refused before anything is downloaded.
func TestOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := Options{APKs: []string{file}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Options){
		"no app":               func(o *Options) { o.APKs = nil },
		"no-such.apk":          func(o *Options) { o.APKs = []string{file, "no-such.apk"} },
		"99999 is no port":     func(o *Options) { o.Port = 99999 },
		"no public key of adb": func(o *Options) { o.Keys = []string{file} },
		"-5 is no density":     func(o *Options) { o.Density = -5 },
		`"zz_" is no language`: func(o *Options) { o.Locale = "zz_" },
	} {
		o := good
		change(&o)
		if err := o.Check(); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestLogcatFollows: logcat prints lines as they come, until its host has gone.
func TestLogcatFollows(t *testing.T) {
	p := bare(t)
	ctx, cancel := context.WithCancel(t.Context())
	var printed lines
	printed.want, printed.seen = "third", cancel
	p.log.say("I", "Shop", "first")
	done := make(chan int)
	go func() {
		done <- p.run(ctx, adbd.Command{Line: "logcat -v raw -T 1", Stdin: strings.NewReader(""), Stdout: &printed,
			Stderr: os.Stderr, Raw: true})
	}()
	p.log.say("I", "Shop", "second")
	p.log.say("I", "Shop", "third")
	<-done
	if !strings.Contains(printed.String(), "third\n") {
		t.Errorf("printed %q", printed.String())
	}
}

// lines calls seen once a text has been written.
type lines struct {
	bytes.Buffer
	want string
	seen func()
}

func (l *lines) Write(b []byte) (int, error) {
	n, err := l.Buffer.Write(b)
	if strings.Contains(l.String(), l.want) {
		l.seen()
	}
	return n, err
}

// TestTerminal: a shell for a person echoes what is typed and runs it line by line.
func TestTerminal(t *testing.T) {
	p := bare(t)
	var out bytes.Buffer
	status := p.run(t.Context(), adbd.Command{Stdin: strings.NewReader("echo hx\x7fi\rexit 3\r"), Stdout: &out,
		Stderr: &out})
	if want := "trailblaze:/ $ echo hx\b \bi\r\n"; status != 3 || !strings.HasPrefix(out.String(), want) ||
		!strings.Contains(out.String(), "\r\nhi\r\n") {
		t.Errorf("exit status %d, printed %q", status, out.String())
	}
}
