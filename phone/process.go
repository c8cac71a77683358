package phone

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// opened are the packages of Java that the framework reaches into.
var opened = []string{"java.lang", "java.util", "java.io", "java.net", "java.text", "java.lang.reflect",
	"sun.nio.ch", "java.nio",
	"jdk.internal.access", "jdk.internal.util.random"}

// App is an installed app.
type App struct {
	Package     string `json:"package"`
	Label       string `json:"label"`
	VersionName string `json:"versionName"`
	VersionCode int64  `json:"versionCode"`
	TargetSDK   int    `json:"targetSdk"`
	Main        string `json:"main"` // the activity that a launcher starts
}

// event is what a process says without being asked.
type event struct {
	Event   string `json:"event"`
	App     App    `json:"app"`
	Package string `json:"package"`
	Reason  string `json:"reason"`
	Land    bool   `json:"land"`
	logLine
}

// process is the process of one app. Its frames go over its standard input and output: it opens no port, and ends
// when we do.
type process struct {
	proc    *proc.Process
	said    proc.Tail
	to      *os.File
	app     App
	closing atomic.Bool
	dead    bool // the app's code runs no more: the process draws the home screen

	writing sync.Mutex
	mu      sync.Mutex
	last    int64
	pending map[int64]chan<- answer
	wait    sync.WaitGroup
}

// answer is what a process replies.
type answer struct {
	ID    int64  `json:"id"`
	Error string `json:"error"`
	json  []byte
	bytes []byte
}

// place is what a process has of its own, and where the data of apps is.
type place struct {
	temp, data string // folders
	number     int64
}

// launch starts the process of an app and waits until activities can be started in it. take gets its events.
func launch(ctx context.Context, t *toolchain, c config, apk string, where place, take func(event)) (*process, error) {
	classes, err := t.translate(ctx, apk)
	if err != nil {
		return nil, err
	}
	args := []string{"-Xmx1500m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+DisableExplicitGC",
		// One level of the compiler has 48 MB, which an hour of use fills. Standard output has the frames.
		"-XX:ReservedCodeCacheSize=256m", "-XX:+DisplayVMOutputToStderr", "-Xlog:disable", "-Xlog:all=warning:stderr",
		"-Djava.awt.headless=true", "-Djava.io.tmpdir=" + where.temp,
		"-Drobolectric.windowManager.useRequestedSize=true", "-Drobolectric.offline=true",
		"-Drobolectric.dependency.dir=" + t.sdk}
	// What is translated from dex has no stack maps, which the verifier asks of classes of Java 7 and later.
	args = append(args, "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
	for _, p := range opened {
		args = append(args, "--add-opens=java.base/"+p+"=ALL-UNNAMED")
	}
	args = append(args, "-cp", t.path(classes, apk), "dev.trailblaze.phone.Main", fmt.Sprint(c.API), apk,
		c.qualifiers(), fmt.Sprint(c.width()), fmt.Sprint(c.height()), fmt.Sprint(c.FontScale), where.data,
		fmt.Sprint(where.number))

	p := &process{pending: map[int64]chan<- answer{}}
	in, to, err := os.Pipe() // files, as the end of a process does not wait for what copies into it
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start "+filepath.Base(apk))
	}
	from, out, err := os.Pipe()
	if err != nil {
		_ = in.Close()
		_ = to.Close()
		return nil, fault.Wrap(err, fault.Unavailable, "start "+filepath.Base(apk))
	}
	p.to = to
	p.proc, err = proc.Start(proc.Spec{Path: t.java, Args: args, Dir: where.temp, Env: javaEnv(), Stdin: in, Stdout: out,
		Stderr: &p.said})
	_, _ = in.Close(), out.Close() // the process has its own; the end of it ends what is read of it
	if err != nil {
		_ = to.Close()
		_ = from.Close()
		return nil, fault.Wrap(err, fault.Unavailable, "start "+filepath.Base(apk))
	}
	ready := make(chan App, 1)
	p.wait.Go(func() {
		defer func() { _ = from.Close() }()
		p.read(from, func(e event) {
			if e.Event == "ready" {
				ready <- e.App
				return
			}
			take(e)
		})
		if !p.closing.Load() {
			take(event{Event: "ended", Package: p.app.Package})
		}
	})
	select {
	case p.app = <-ready:
		return p, nil
	case <-p.proc.Done():
		err = fmt.Errorf("its process ended (%w): %s", cmpErr(p.proc.Err()), lastLines(p.said.String()))
	case <-ctx.Done():
		if err = ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %s", err, lastLines(p.said.String()))
		}
	}
	p.close()
	return nil, fault.Wrap(err, fault.Unavailable, "start "+filepath.Base(apk))
}

func cmpErr(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// lastLines are the last words of a process.
func lastLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// close ends the process and waits for its end.
func (p *process) close() {
	p.closing.Store(true)
	p.proc.Kill()
	_ = p.to.Close()
	p.wait.Wait()
}

func (p *process) read(from io.Reader, told func(event)) {
	for {
		text, err := readBytes(from)
		if err == nil {
			var a answer
			if a.bytes, err = readBytes(from); err == nil {
				p.take(text, a, told)
				continue
			}
		}
		p.mu.Lock()
		for id, to := range p.pending {
			close(to)
			delete(p.pending, id)
		}
		p.pending = nil
		p.mu.Unlock()
		p.proc.Kill() // one whose frames cannot be read answers no more
		return
	}
}

func (p *process) take(text []byte, a answer, told func(event)) {
	var e event
	if json.Unmarshal(text, &e) == nil && e.Event != "" {
		told(e)
		return
	}
	a.json = text
	if json.Unmarshal(text, &a) != nil {
		return
	}
	p.mu.Lock()
	to := p.pending[a.ID]
	delete(p.pending, a.ID)
	p.mu.Unlock()
	if to != nil {
		to <- a
	}
}

func readBytes(from io.Reader) ([]byte, error) {
	var n [4]byte
	if _, err := io.ReadFull(from, n[:]); err != nil {
		return nil, err
	}
	const most = 256 << 20
	size := binary.BigEndian.Uint32(n[:])
	if size > most {
		return nil, fmt.Errorf("a frame of %d bytes", size)
	}
	b := make([]byte, size)
	_, err := io.ReadFull(from, b)
	return b, err
}

// ended reports whether the process has ended without being asked to.
func (p *process) ended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending == nil
}

// request is what a process is asked: "do" and what it needs.
type request map[string]any

// ask sends a request and reads the answer into reply, which may be nil.
func (p *process) ask(ctx context.Context, q request, reply any) ([]byte, error) {
	op := fmt.Sprint("ask the app to ", q["do"])
	got := make(chan answer, 1)
	p.mu.Lock()
	if p.pending == nil {
		p.mu.Unlock()
		return nil, fault.New(fault.Unavailable, op, "its process has ended")
	}
	p.last++
	id := p.last
	p.pending[id] = got
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.pending, id)
		p.mu.Unlock()
	}()
	q["id"] = id
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	frame = binary.BigEndian.AppendUint32(append(frame, text...), 0)
	p.writing.Lock()
	_, err = p.to.Write(frame)
	p.writing.Unlock()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	select {
	case a, ok := <-got:
		if !ok {
			return nil, fault.New(fault.Unavailable, op, "its process has ended")
		}
		if a.Error != "" {
			return nil, fault.New(fault.Invalid, op, "%s", a.Error)
		}
		if reply != nil {
			err = json.Unmarshal(a.json, reply)
		}
		return a.bytes, err
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), fault.Timeout, op)
	}
}
