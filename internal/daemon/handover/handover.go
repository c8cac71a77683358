// Package handover has the daemon run a command of the shell in place of the process that was started for it, which
// passes on what the command prints and ends with its status. The program takes 4 ms to initialize its packages, and
// the daemon has done so already. docs/adr/0014-commands-in-the-daemon.md has the figures.
//
// A request is an HTTP/1.0 POST of what the command sees of its process. The answer begins when the command does: a
// request without one was not carried out, and the process carries the command out itself. Frames follow, and the end
// of the connection ends the command.
package handover

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
)

// Path is where the daemon takes commands.
const Path = "/v1/command"

// The frames of an answer: a kind, then for output four bytes of length and the output, for the end the status.
const (
	Out  = 'o'
	Err  = 'e'
	End  = 'x'
	Sign = 's' // of life: the command lasts
)

// MaxFrame bounds the output in a frame, and MaxRequest a request: a larger command is carried out by its process.
const (
	MaxFrame   = 32 << 10
	MaxRequest = 1 << 20
	maxFields  = 1 << 14
)

// commands are those that the daemon runs: they call a tool on a device.
var commands = []string{"ask", "snapshot", "step", "tool", "verify"}

// Takes reports whether the daemon runs a command line.
func Takes(args []string) bool {
	i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	return i >= 0 && !slices.Contains(args[:i], "--") && slices.Contains(commands, args[i])
}

// Caller is what a command sees of the process that was started for it.
type Caller struct {
	Dir      string // where it stands
	Temp     string // where its temporary files are
	Tab      string // names the terminal it belongs to, "" when it belongs to none
	Terminal bool   // its output is a terminal: progress may redraw lines
	Color    bool   // colours are wanted
	Ask      bool   // its input is a terminal: questions may be asked
}

// Here is this process. NO_COLOR and TERM=dumb are honoured.
func Here() Caller {
	out, dumb := terminal(os.Stdout), os.Getenv("TERM") == "dumb"
	dir, _ := os.Getwd() // "" means the process's, which tells the error
	return Caller{
		Dir: dir, Temp: os.TempDir(), Tab: tab(),
		Terminal: out && !dumb,
		Color:    out && !dumb && os.Getenv("NO_COLOR") == "",
		Ask:      terminal(os.Stdin) && out,
	}
}

func terminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// Request asks the daemon to run a command.
type Request struct {
	Caller
	Args, Environ []string
}

// Encode writes the texts of a request with a NUL between them, which none of them holds. JSON would change those that
// are not UTF-8.
func (r Request) Encode() []byte {
	texts := append([]string{
		r.Dir, r.Temp, r.Tab, flag(r.Terminal), flag(r.Color), flag(r.Ask), strconv.Itoa(len(r.Args)),
	}, r.Args...)
	return []byte(strings.Join(append(texts, r.Environ...), "\x00"))
}

func flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

// Parse reads a request.
func Parse(data []byte) (r Request, err error) {
	const op, fixed = "read command", 7
	if len(data) > MaxRequest || bytes.Count(data, []byte{0}) >= maxFields {
		return r, fault.New(fault.Invalid, op, "it is too large")
	}
	texts := strings.Split(string(data), "\x00")
	if len(texts) < fixed {
		return r, fault.New(fault.Invalid, op, "it has %d texts of at least %d", len(texts), fixed)
	}
	n, err := strconv.Atoi(texts[fixed-1])
	if rest := texts[fixed:]; err == nil && n >= 0 && n <= len(rest) && Takes(rest[:n]) {
		r.Args, r.Environ = rest[:n], rest[n:]
	} else {
		return r, fault.New(fault.Invalid, op, "it has no arguments of a command that the daemon runs")
	}
	r.Caller = Caller{Dir: texts[0], Temp: texts[1], Tab: texts[2], Terminal: texts[3] == "1", Color: texts[4] == "1",
		Ask: texts[5] == "1"}
	return r, nil
}

// ErrSilent means that the daemon is there and gives no sign of life.
var ErrSilent = errors.New("it gives no sign of life")

// Failure says that the daemon had begun to run the command of this process and gave no answer to the end.
type Failure struct {
	Boot        boot.Boot
	Place       boot.Place
	Err         error // ErrSilent, or that of the connection
	Interrupted bool  // somebody ended the command
}

// Lost is what became of the command of this process, nil when the process is to carry it out.
var Lost *Failure
