package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/proc"
)

// ReadyFlag is the flag of `daemon serve` for the inherited handle to which it reports that it
// listens.
const ReadyFlag = "--ready"

// homeIn is an environment with an absolute home: a daemon does not start in its client's working
// directory.
func homeIn(env []string, home string) []string {
	if env == nil {
		env = os.Environ()
	}
	if abs, err := filepath.Abs(home); err == nil {
		home = abs
	}
	return append(slices.Clone(env), envHome+"="+home) // the last one counts
}

// envHome names the home, as in internal/config.
const envHome = "TRAILBLAZE_HOME"

// start starts a daemon from the program on disk and returns when it listens. A pipe reports either
// outcome at once: a line when it listens, its end when the daemon died.
func start(ctx context.Context, p Place, env []string) error {
	const op = "start daemon"
	exe, err := proc.Executable()
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = r.Close() }()
	ready := strconv.FormatUint(proc.HandleOf(w, 0), 10)
	spec := proc.Spec{Path: exe, Args: []string{"daemon", "serve", ReadyFlag + "=" + ready}, Dir: p.Dir, Env: env,
		Inherit: []*os.File{w}}
	// a crash is written here
	if said, err := os.OpenFile(p.LogFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err == nil {
		defer func() { _ = said.Close() }()
		spec.Stderr = said
	}
	_, _, err = proc.Detach(spec)
	_ = w.Close()
	if err != nil {
		return err
	}
	limit := time.Now().Add(startLimit)
	if d, ok := ctx.Deadline(); ok && d.Before(limit) {
		limit = d
	}
	_ = r.SetReadDeadline(limit)
	defer context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })()
	said, err := io.ReadAll(io.LimitReader(r, 4096))
	switch text := strings.TrimSpace(string(said)); {
	case text == "ready":
		return nil
	case ctx.Err() != nil:
		return fault.Wrap(ctx.Err(), fault.Canceled, op)
	case text != "":
		return fault.New(fault.Unavailable, op, "%s", text).WithHint("See %s.", p.LogFile())
	case err != nil:
		return fault.New(fault.Timeout, op, "it did not listen within %v", startLimit).WithHint("See %s.", p.LogFile())
	}
	return fault.New(fault.Unavailable, op, "it ended before it listened%s", tail(p.LogFile())).
		WithHint("Run `trailblaze daemon serve` to see why; its log is %s.", p.LogFile())
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

// programTime bounds how long a program may take to find or start its daemon.
const programTime = 30 * time.Second

// OfProgram returns a client of the daemon of a program `trailblaze`, which starts it when there is none.
func OfProgram(ctx context.Context, binary string) (*Client, error) {
	const op = "find daemon"
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	var out, said bytes.Buffer
	spec := proc.Spec{Path: binary, Args: []string{"daemon", "start", "--json"}, Stdout: &out, Stderr: &said}
	if err := proc.Run(ctx, spec); err != nil {
		why := strings.TrimSpace(said.String())
		return nil, fault.New(fault.Unavailable, op, "%s daemon start: %w: %s", binary, err, why).
			WithHint("Run `trailblaze daemon serve` to see why.")
	}
	var started struct{ Boot string }
	if err := json.Unmarshal(out.Bytes(), &started); err != nil || started.Boot == "" {
		return nil, fault.New(fault.Unsupported, op, "%s is too old for this client", binary).
			WithHint("Install a newer one.")
	}
	return At(ctx, Place{Dir: filepath.Dir(started.Boot)})
}
