package shell

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// Streams is all that a command sees of its terminal and its environment.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Env      func(string) string // os.Getenv's shape
	Environ  func() []string     // os.Environ's shape
	Dir      string              // the working directory; "": that of the process
	Tab      string              // names the terminal that the process belongs to, "" when it belongs to none
	Terminal bool                // the output is a terminal: progress may redraw lines
	Color    bool                // colours are wanted
	Ask      bool                // the input is a terminal: questions may be asked
}

// System returns the streams of this process. NO_COLOR and TERM=dumb are honoured.
func System() Streams {
	out, dumb := terminal(os.Stdout), os.Getenv("TERM") == "dumb"
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Environ: os.Environ, Tab: tab(),
		Terminal: out && !dumb,
		Color:    out && !dumb && os.Getenv("NO_COLOR") == "",
		Ask:      terminal(os.Stdin) && out,
	}
}

func terminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// WorkingDir is the directory that relative paths are taken from.
func (s Streams) WorkingDir() (string, error) {
	if s.Dir != "" {
		return s.Dir, nil
	}
	return os.Getwd()
}
