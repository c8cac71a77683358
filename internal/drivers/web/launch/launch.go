package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

const (
	startTimeout = 30 * time.Second       // for a browser to answer at all, on a machine under load
	stopGrace    = 300 * time.Millisecond // to close by itself; there is nothing in it worth saving
	wordsGrace   = 700 * time.Millisecond // for a dying browser to say why

	orphanTimeout = 2 * time.Second // for a browser whose owner was killed to end
)

// Options shape the browser process. The zero value is a headless browser that is looked for.
type Options struct {
	Path   string   // the browser; "" looks for one (see Find)
	Headed bool     // with a window
	Args   []string // further flags, last
	Env    []string // added to our environment
}

// Browser is a running browser process.
type Browser struct {
	Conn    *cdp.Conn
	Path    string
	Product string // "Chrome/156.0.8078.79"

	proc    *proc.Process
	profile string
	tail    *tail
	stop    sync.Once
}

// Start starts a browser and waits until it answers.
func Start(ctx context.Context, o Options) (*Browser, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	o.Path = path
	Reap()
	profile, err := proc.MakeFolder("browser")
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start browser")
	}
	b := &Browser{Path: path, profile: profile, tail: &tail{}}
	if err := b.start(ctx, o); err != nil {
		b.Stop()
		return nil, err
	}
	return b, nil
}

func (b *Browser) start(ctx context.Context, o Options) error {
	p, err := newPipes()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "start browser")
	}
	b.proc, err = proc.Start(proc.Spec{
		Path: b.Path, Args: append(p.flags(), Flags(o, b.profile)...), Env: append(b.environ(), o.Env...),
		Stdout: b.tail, Stderr: b.tail, Inherit: p.theirs(),
	})
	p.closeTheirs()
	if err != nil {
		p.closeOwnEnds()
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return f.WithHint("%s", InstallHint)
		}
		return err
	}
	b.Conn = cdp.NewConn(p.fromBrowser, p.toBrowser, b.lastWords)
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	v, err := cdp.Call(ctx, b.Conn.Root(), browser.GetVersion, proto.Empty{})
	if err != nil {
		return b.startError(ctx, err)
	}
	b.Product = v.Product
	return nil
}

// environ is the browser's environment. Its temporary folders lie in its profile, so that they go with it however it
// ends; where that makes the path of its instance socket too long, they lie beside it (see socketFolder).
func (b *Browser) environ() []string {
	env, longest := proc.Env(os.Environ(), nil), 103 // bytes that the path of a unix socket may have
	if runtime.GOOS == "linux" {
		longest = 107
	}
	if runtime.GOOS == "windows" || len(b.profile)+len("/org.chromium.Chromium.a1b2c3/SingletonSocket") > longest {
		return env
	}
	return append(env, "TMPDIR="+b.profile)
}

func (b *Browser) startError(ctx context.Context, err error) error {
	f := fault.New(fault.Unavailable, "start browser", "%s did not start: %w", b.Path, err)
	if ctx.Err() != nil {
		f = fault.New(fault.KindOf(ctx.Err()), "start browser", "%s did not answer in time: %w%s",
			b.Path, err, b.quoteOutput())
	}
	if strings.Contains(b.tail.String(), "--no-sandbox") {
		return f.WithHint("Chromium's sandbox does not work here; allow unprivileged user namespaces, or run in a " +
			"container as root.")
	}
	return f.WithHint("run `trailblaze doctor`")
}

func (b *Browser) quoteOutput() string {
	if s := b.tail.String(); s != "" {
		return "; it said:\n" + s
	}
	return ""
}

// lastWords returns the text that the browser wrote before the pipe closed. It waits a moment for the process to
// end, since the reason is often written last.
func (b *Browser) lastWords() string {
	select {
	case <-b.proc.Done():
		if err := b.proc.Err(); err != nil {
			return strings.TrimSpace(fmt.Sprintf("%s\n(%v)", b.tail.String(), err))
		}
	case <-time.After(wordsGrace):
	}
	return b.tail.String()
}

// PID is the process id of the browser.
func (b *Browser) PID() int { return b.proc.PID() }

// Stop asks the browser to close, kills what does not, and removes its profile. It is idempotent
// and returns when nothing is left.
func (b *Browser) Stop() {
	b.stop.Do(func() {
		if b.proc != nil {
			before := socketFolder(b.profile)
			b.closeProcess()
			for _, socket := range []string{before, socketFolder(b.profile)} { // a browser that starts makes it late
				if socket != "" {
					_ = os.RemoveAll(socket)
				}
			}
		}
		proc.RemoveFolder(b.profile)
	})
}

// Reap removes the temporary folders that killed processes of ours left, and those of their
// browsers.
func Reap() {
	proc.Reap(func(folder string) {
		endOrphan(folder)
		if socket := socketFolder(folder); socket != "" {
			_ = os.RemoveAll(socket)
		}
	})
}

// socketFolder is the folder of the instance socket of the browser with that profile. It lies
// beside the profile, and a browser that is killed leaves it behind; one that is killed while it
// closes may have removed the link to it already, so ask before.
func socketFolder(profile string) string {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil || filepath.Base(socket) != "SingletonSocket" ||
		filepath.Dir(filepath.Dir(socket)) != filepath.Clean(os.TempDir()) {
		return ""
	}
	return filepath.Dir(socket)
}

func (b *Browser) closeProcess() {
	if b.Conn != nil {
		b.Conn.Root().Go(browser.Close.Method, nil, nil)
		grace := time.NewTimer(stopGrace)
		defer grace.Stop()
		select {
		case <-b.proc.Done():
		case <-grace.C:
		}
	}
	b.proc.Kill()
	if b.Conn != nil {
		_ = b.Conn.Close()
	}
}

// tail keeps the end of the browser's output.
type tail struct{ proc.Tail }

// noise reports whether a line is a complaint of every browser that runs without a desktop.
func noise(line string) bool {
	for _, s := range []string{"ERROR:dbus/", "crashpad/util/file", ": unexpected operator", "ERROR:gpu/", "vaapi",
		"google_apis/gcm"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	return false
}

// String returns the kept lines.
func (t *tail) String() string {
	var kept []string
	for line := range strings.Lines(t.Tail.String()) {
		if !noise(line) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}
