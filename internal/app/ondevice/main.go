package ondevice

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app/bundle"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
)

const usage = `Play the trails in this program on the phone that it runs on, and write a report.

Usage: %[1]s [flags] [trail]...

No trail means all; --list names them.

Examples, at the machine that the phone is connected to:
  adb push %[1]s /data/local/tmp/
  adb shell /data/local/tmp/%[1]s
  adb pull /data/local/tmp/%[1]s-results

Flags:
`

const exits = `
Exit status, as of trailblaze run:
  0  everything passed or was skipped
  1  a trail failed: the app is not as it says
  2  it could not be found out (a deadline, a stop, internal error)
  3  the command line or a file is wrong
`

// options are the flags of a runner.
type options struct {
	list, version bool
	out           string
	retries       int
	screenshots   string
	timeout       time.Duration
	memory        pairs
	secrets       pairs
	trails        []string
}

// pairs are name=value flags.
type pairs map[string]string

// String implements flag.Value.
func (p pairs) String() string { return "" }

// Set implements flag.Value.
func (p pairs) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not name=value", name)
	}
	p[name] = value
	return nil
}

// The exit statuses are those of trailblaze run.
const (
	exitOK     = 0
	exitFailed = 1
	exitBroken = 2
	exitMisuse = 3
)

// Main runs the program and returns its exit status.
func Main(args []string, out, problems io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	status, err := run(ctx, args, out, problems)
	if err != nil {
		_, _ = fmt.Fprintf(problems, "error: %v\n", err)
		if hint := fault.HintOf(err); hint != "" {
			_, _ = fmt.Fprintf(problems, " hint: %s\n", hint)
		}
	}
	return status
}

func run(ctx context.Context, args []string, out, problems io.Writer) (int, error) {
	self, err := proc.Executable()
	if err != nil {
		return exitBroken, err
	}
	o, err := parse(args, filepath.Base(self), problems)
	switch {
	case err == flag.ErrHelp: //nolint:errorlint // the package returns it as it is
		return exitOK, nil
	case err != nil:
		return exitMisuse, fault.Wrap(err, fault.Invalid, "read command line")
	case o.version:
		_, _ = fmt.Fprintln(out, bundle.Version())
		return exitOK, nil
	}
	b, err := bundle.Open(self)
	if err != nil {
		return exitMisuse, err
	}
	defer func() { _ = b.Close() }()
	if o.list {
		for _, t := range b.Trails {
			_, _ = fmt.Fprintln(out, t)
		}
		return exitOK, nil
	}
	if len(o.trails) == 0 {
		o.trails = b.Trails
	}
	for _, t := range o.trails {
		if !slices.Contains(b.Trails, t) {
			return exitMisuse, fault.New(fault.NotFound, "choose trails", "there is no trail %q in this bundle", t).
				WithHint("--list names them.")
		}
	}
	if o.out == "" {
		o.out = self + "-results"
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return exitMisuse, fault.Wrap(err, fault.Invalid, "find folder for results")
	}
	work, err := os.MkdirTemp(filepath.Dir(self), ".trailblaze-")
	if err != nil {
		return exitBroken, fault.New(fault.Unavailable, "make a folder to work in", "%w", err).
			WithHint("The folder of this program must be one that it may write to, such as /data/local/tmp.")
	}
	defer func() { _ = os.RemoveAll(work) }()
	if _, err := os.Stat(os.TempDir()); err != nil { // a phone has no /tmp
		_ = os.Setenv("TMPDIR", work)
	}
	return play(ctx, o, b, work, out, problems)
}

func parse(args []string, name string, problems io.Writer) (options, error) {
	o := options{memory: pairs{}, secrets: secrets(os.Environ())}
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(problems)
	f.Usage = func() {
		_, _ = fmt.Fprintf(problems, usage, name)
		f.PrintDefaults()
		_, _ = fmt.Fprint(problems, exits)
	}
	f.BoolVar(&o.list, "list", false, "name the trails, and play none")
	f.BoolVar(&o.version, "version", false, "print the version")
	f.StringVar(&o.out, "out", "", "`folder` for the report; default: beside the program, its name and -results")
	f.IntVar(&o.retries, "retries", 0, "play a trail that fails up to `n` more times; a later pass is flaky")
	f.StringVar(&o.screenshots, "screenshots", "failure", "take pictures: `failure`, steps or off")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "stop an attempt at a trail after this `time`")
	f.Var(o.memory, "memory", "remember `name=value`; may be repeated")
	f.Var(o.secrets, "secret",
		"remember `name=value` and show it nowhere; "+homedir.EnvSecret+"<name> keeps it out of process lists")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.trails = f.Args()
	if !slices.Contains([]string{"failure", "steps", "off"}, o.screenshots) {
		return o, fmt.Errorf("--screenshots %q is not failure, steps or off", o.screenshots)
	}
	return o, nil
}

// secrets are those of the environment.
func secrets(environ []string) pairs {
	out := pairs{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if name, ok := strings.CutPrefix(name, homedir.EnvSecret); ok && name != "" {
			out[name] = value
		}
	}
	return out
}

// status is the exit status of how a trail ended.
func status(r replay.JobResult) int {
	switch r.Outcome {
	case event.Passed, event.Skipped, event.Flaky:
		return exitOK
	case event.Failed:
		return exitFailed
	case event.Broken:
		wrong := []fault.Kind{fault.Invalid, fault.Unsupported, fault.Denied}
		if f := r.Last().Result.Failure; f != nil && slices.Contains(wrong, f.Kind) {
			return exitMisuse
		}
	}
	return exitBroken
}

// worst is the status of a run with trails of both.
func worst(a, b int) int {
	rank := []int{exitOK, exitFailed, exitMisuse, exitBroken}
	if slices.Index(rank, b) > slices.Index(rank, a) {
		return b
	}
	return a
}
