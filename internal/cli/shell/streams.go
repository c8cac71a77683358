package shell

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

// Streams is all that a command sees of its terminal and its environment.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string // os.Getenv's shape
	Environ  func() []string     // os.Environ's shape
	handover.Caller

	Host *daemon.Command   // the daemon runs the command in place of its process; nil: it does not
	Lost *handover.Failure // the daemon has begun to run the command, and did not finish; nil: it has not
}

// System returns the streams of this process.
func System() Streams {
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Environ: os.Environ, Caller: handover.Here(),
		Lost: handover.Lost,
	}
}

// Hosted returns the streams of a command that the daemon runs in place of its process.
func Hosted(c *daemon.Command) Streams {
	env := map[string]string{}
	for _, e := range slices.Backward(c.Environ) { // the first one counts
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	return Streams{
		In: strings.NewReader(""), Out: c.Out(), Err: c.Err(), Env: func(name string) string { return env[name] },
		Environ: func() []string { return c.Environ }, Caller: c.Caller, Host: c,
	}
}

// WorkingDir is the directory that relative paths are taken from.
func (s Streams) WorkingDir() (string, error) {
	if s.Dir != "" {
		return s.Dir, nil
	}
	return os.Getwd()
}
