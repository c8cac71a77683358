package boot

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// ReadyFlag is the flag of `daemon serve` for the inherited handle to which it reports that it
// listens.
const ReadyFlag = "--ready"

// homeIn is an environment with an absolute home: a daemon does not start in its client's working
// directory.
func homeIn(env []string, dir string) []string {
	if env == nil {
		env = os.Environ()
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return append(slices.Clone(env), homedir.Env+"="+dir) // the last one counts
}

// startLimit bounds how long a daemon may take to listen. It takes about 20 ms.
const startLimit = 20 * time.Second

// EnvNoStart keeps clients from starting a daemon, when it is set to anything but "" or "0".
const EnvNoStart = "TRAILBLAZE_DISABLE_DAEMON_AUTOSTART"

// Forbidden reports whether a client may start no daemon.
func Forbidden() bool {
	off := os.Getenv(EnvNoStart)
	return off != "" && off != "0"
}

// Env is the environment of a daemon, of its client's: what programs need to run here and our settings, no secrets and
// nothing else of a shell's.
func Env(environ []string) []string {
	return homedir.Absolute(proc.Env(environ, func(name string) bool {
		return strings.HasPrefix(name, "TRAILBLAZE_") && !strings.HasPrefix(name, homedir.EnvSecret) ||
			strings.HasPrefix(name, "OTEL_")
	}))
}

// Starting is a daemon that was started and does not listen yet. While it is held, no other client starts one.
type Starting struct {
	place Place
	lock  *os.File
	ready *os.File // the end of a pipe to which the daemon reports either outcome
}

var ahead struct {
	mu      sync.Mutex
	at      *Starting
	joining bool // the one that was at is waited for
}

// Joining reports whether a daemon that was started ahead is still waited for.
func Joining() bool {
	ahead.mu.Lock()
	defer ahead.mu.Unlock()
	return ahead.at != nil || ahead.joining
}

// Unused is the place of a daemon that was started ahead and that nobody has waited for.
func Unused() (p Place, there bool) {
	ahead.mu.Lock()
	defer ahead.mu.Unlock()
	if ahead.at == nil {
		return p, false
	}
	return ahead.at.place, true
}

// Ahead starts the daemon of an environment for the Join to come, if none has run there. It reports no failure: who
// finds no daemon then starts one, and is told.
func Ahead(environ []string) {
	dir, err := homedir.Of(os.Getenv)
	if err != nil || Forbidden() {
		return
	}
	build, err := Build()
	if err != nil {
		return
	}
	p := PlaceOf(dir, build)
	if _, err := os.Stat(p.BootFile()); err == nil || Private(p.Dir) != nil {
		return
	}
	lock, err := file.TryOpenLocked(p.startFile())
	if err != nil {
		return
	}
	s, err := begin(p, lock, homeIn(Env(environ), dir))
	if err != nil {
		return
	}
	ahead.mu.Lock()
	ahead.at = s
	ahead.mu.Unlock()
}

// Join waits for the daemon of a place that Ahead has started, if it has.
func Join(ctx context.Context, p Place) error {
	ahead.mu.Lock()
	s := ahead.at
	if s == nil || s.place != p {
		ahead.mu.Unlock()
		return nil
	}
	ahead.at, ahead.joining = nil, true
	ahead.mu.Unlock()
	err := s.await(ctx)
	ahead.mu.Lock()
	ahead.joining = false
	ahead.mu.Unlock()
	return err
}

// Start starts the daemon of a place and returns when it listens, unless another client has started it: found says so
// of the time before. env is the daemon's environment; nil is ours.
func Start(ctx context.Context, p Place, env []string, dir string, found func() bool) error {
	if err := Private(p.Dir); err != nil {
		return err
	}
	lock, err := file.OpenLocked(ctx, p.startFile())
	if err != nil {
		return fault.Wrap(err, "", "start daemon: wait for "+p.startFile())
	}
	if found() { // another client was faster
		return lock.Close()
	}
	s, err := begin(p, lock, homeIn(env, dir))
	if err != nil {
		return err
	}
	return s.await(ctx)
}

const opStart = "start daemon"

// begin starts a daemon from the program on disk. It closes the lock when it fails.
func begin(p Place, lock *os.File, env []string) (_ *Starting, err error) {
	defer func() {
		if err != nil {
			_ = lock.Close()
		}
	}()
	exe, err := proc.Executable()
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, opStart)
	}
	defer func() { _ = w.Close() }()
	ready := strconv.FormatUint(proc.HandleOf(w, 0), 10)
	spec := proc.Spec{Path: exe, Args: []string{"daemon", "serve", ReadyFlag + "=" + ready}, Dir: p.Dir, Env: env,
		Inherit: []*os.File{w}}
	// a crash is written here
	if said, err := os.OpenFile(p.LogFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
		defer func() { _ = said.Close() }()
		spec.Stderr = said
	}
	if _, _, err = proc.Detach(spec); err != nil {
		_ = r.Close()
		return nil, err
	}
	return &Starting{place: p, lock: lock, ready: r}, nil
}

// await returns when the daemon listens, or why it does not: its pipe says either at once, by a line when it listens,
// by its end when the daemon died.
func (s *Starting) await(ctx context.Context) error {
	defer func() { _, _ = s.ready.Close(), s.lock.Close() }()
	limit := time.Now().Add(startLimit)
	if d, ok := ctx.Deadline(); ok && d.Before(limit) {
		limit = d
	}
	_ = s.ready.SetReadDeadline(limit)
	defer context.AfterFunc(ctx, func() { _ = s.ready.SetReadDeadline(time.Now()) })()
	said, err := io.ReadAll(io.LimitReader(s.ready, 4096))
	switch text := strings.TrimSpace(string(said)); {
	case text == "ready":
		return nil
	case ctx.Err() != nil:
		return fault.Wrap(ctx.Err(), fault.Canceled, opStart)
	case text != "":
		return fault.New(fault.Unavailable, opStart, "%s", text).WithHint("See %s.", s.place.LogFile())
	case err != nil:
		return fault.New(fault.Timeout, opStart, "it did not listen within %v", startLimit).
			WithHint("See %s.", s.place.LogFile())
	}
	return fault.New(fault.Unavailable, opStart, "it ended before it listened%s", tail(s.place.LogFile())).
		WithHint("Run `trailblaze daemon serve` to see why; its log is %s.", s.place.LogFile())
}

// tailLines is how much of a log an error text quotes.
const tailLines = 5

// tail is the end of a log, for an error text: the message of a crash if there was one, without its
// stacks.
func tail(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	from := max(len(lines)-tailLines, 0)
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: ")) {
			from = i
		}
	}
	lines = lines[from:min(from+tailLines, len(lines))]
	if len(lines[0]) == 0 {
		return ""
	}
	return "; the end of its log:\n" + string(bytes.Join(lines, []byte("\n")))
}
