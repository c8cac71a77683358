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
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
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

// Env returns the environment of a daemon from that of its client: the variables that programs need to run here and
// our settings, no secrets and nothing else of a shell's.
func Env(environ []string) []string {
	return homedir.Absolute(proc.Env(environ, func(name string) bool {
		return strings.HasPrefix(name, "TRAILBLAZE_") && !strings.HasPrefix(name, homedir.EnvSecret)
	}))
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
	defer func() { _ = lock.Close() }()
	if found() { // another client was faster
		return nil
	}
	ready, err := begin(p, homeIn(env, dir))
	if err != nil {
		return err
	}
	return await(ctx, p, ready)
}

const opStart = "start daemon"

// begin starts a daemon from the program on disk. It gives the end of a pipe to which the daemon reports either
// outcome.
func begin(p Place, env []string) (*os.File, error) {
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
	return r, nil
}

// await returns when the daemon listens, or why it does not: its pipe says either at once, by a line when it listens,
// by its end when the daemon died.
func await(ctx context.Context, p Place, ready *os.File) error {
	defer func() { _ = ready.Close() }()
	limit := time.Now().Add(startLimit)
	if d, ok := ctx.Deadline(); ok && d.Before(limit) {
		limit = d
	}
	_ = ready.SetReadDeadline(limit)
	defer context.AfterFunc(ctx, func() { _ = ready.SetReadDeadline(time.Now()) })()
	said, err := io.ReadAll(io.LimitReader(ready, 4096))
	switch text := strings.TrimSpace(string(said)); {
	case text == "ready":
		return nil
	case ctx.Err() != nil:
		return fault.Wrap(ctx.Err(), fault.Canceled, opStart)
	case text != "":
		return fault.New(fault.Unavailable, opStart, "%s", text).WithHint("See %s.", p.LogFile())
	case err != nil:
		return fault.New(fault.Timeout, opStart, "it did not listen within %v", startLimit).
			WithHint("See %s.", p.LogFile())
	}
	return fault.New(fault.Unavailable, opStart, "it ended before it listened%s", tail(p.LogFile())).
		WithHint("Run `trailblaze daemon serve` to see why; its log is %s.", p.LogFile())
}

// tailLines limits the lines of a log that an error text quotes.
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
