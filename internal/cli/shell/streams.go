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
	Dir      string              // working directory; "" means the process's
	Terminal bool                // Out is a terminal: progress may redraw lines
	Color    bool                // colours are wanted
	Ask      bool                // In is a terminal: questions may be asked
}

// System returns the streams of this process. NO_COLOR and TERM=dumb are honoured.
func System() Streams {
	out := terminal(os.Stdout)
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Env: os.Getenv, Environ: os.Environ,
		Terminal: out && os.Getenv("TERM") != "dumb",
		Color:    out && !plain,
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
