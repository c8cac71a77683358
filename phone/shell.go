package phone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/trailblaze-dev/trailblaze/phone/adbd"
)

// The exit statuses of a shell for a program that is not there or cannot be run.
const (
	statusFailed    = 1
	statusNotRun    = 126
	statusNotFound  = 127
	statusCancelled = 130
)

// call is one run of a program of the phone's shell.
type call struct {
	context.Context
	*Phone
	args     []string // without the name
	name     string
	dir      string
	env      expand.Environ
	in       io.Reader
	out, err io.Writer
}

func (c *call) printf(format string, args ...any) { _, _ = fmt.Fprintf(c.out, format, args...) }

// fail prints a reason, and returns the status of a failure.
func (c *call) fail(format string, args ...any) int {
	_, _ = fmt.Fprintf(c.err, format+"\n", args...)
	return statusFailed
}

// refuse says that the phone cannot do something which a device could.
func (c *call) refuse(what string) int {
	return c.fail("%s: this phone cannot do that: %s", c.name, what)
}

// at is a path of the phone that the program was given.
func (c *call) at(name string) string {
	if !path.IsAbs(name) {
		name = path.Join(c.dir, name)
	}
	return path.Clean(name)
}

// run runs a command line in the phone's shell. The shell is an interpreter of ours whose programs are functions of
// ours, and whose files are the phone's: no program of this machine is started, and no file of it is read.
func (p *Phone) run(ctx context.Context, cmd adbd.Command) int {
	if cmd.Line == "" {
		return p.interactive(ctx, cmd)
	}
	return p.script(ctx, "sh", strings.NewReader(cmd.Line), nil, cmd.Stdin, cmd.Stdout, cmd.Stderr, nil)
}

// script runs a script. env adds to the environment; args are its parameters.
func (p *Phone) script(ctx context.Context, name string, text io.Reader, args []string, in io.Reader, out,
	errs io.Writer,
	env expand.Environ) int {
	parsed, err := parser().Parse(text, name)
	if err != nil {
		_, _ = fmt.Fprintln(errs, err)
		return statusFailed
	}
	r, err := p.runner(args, in, out, errs, env)
	if err != nil {
		_, _ = fmt.Fprintln(errs, err)
		return statusFailed
	}
	return status(r.Run(ctx, parsed))
}

// interactive runs the lines of the standard input as they come. Its programs have no input: the interpreter would copy
// the whole of it for them, and take the lines that come after from the shell.
func (p *Phone) interactive(ctx context.Context, cmd adbd.Command) int {
	in, prompt := cmd.Stdin, func() {}
	if !cmd.Raw {
		in = &terminal{in: cmd.Stdin, out: cmd.Stdout}
		cmd.Stdout, cmd.Stderr = returns{cmd.Stdout}, returns{cmd.Stderr}
		prompt = func() { _, _ = io.WriteString(cmd.Stdout, "trailblaze:/ $ ") }
	}
	r, err := p.runner(nil, nil, cmd.Stdout, cmd.Stderr, nil)
	if err != nil {
		_, _ = fmt.Fprintln(cmd.Stderr, err)
		return statusFailed
	}
	last := 0
	prompt()
	for list, err := range parser().InteractiveSeq(in) {
		if err != nil {
			if ctx.Err() == nil {
				_, _ = fmt.Fprintln(cmd.Stderr, err)
			}
			break
		}
		for _, s := range list {
			last = status(r.Run(ctx, s))
			if r.Exited() || ctx.Err() != nil {
				return last
			}
		}
		prompt()
	}
	return last
}

// parser reads the dialect of Android's own shell, mksh.
func parser() *syntax.Parser { return syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn)) }

func status(err error) int {
	var exit interp.ExitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, context.Canceled):
		return statusCancelled
	}
	return statusFailed
}

func (p *Phone) runner(args []string, in io.Reader, out, errs io.Writer, env expand.Environ) (*interp.Runner, error) {
	if env == nil {
		env = expand.ListEnviron("PATH=/product/bin:/system/bin:/system/xbin:/vendor/bin", "HOME=/", "SHELL=/system/bin/sh",
			"TMPDIR=/data/local/tmp", "ANDROID_ROOT=/system", "ANDROID_DATA=/data", "EXTERNAL_STORAGE=/sdcard", "USER=shell",
			"LOGNAME=shell", "HOSTNAME=trailblaze", "PWD=/")
	}
	return interp.New(interp.Env(env), interp.Dir("/"), interp.StdIO(in, out, errs),
		interp.Params(append([]string{"--"}, args...)...),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return p.exec }),
		interp.OpenHandler(p.open), interp.StatHandler(p.stat), interp.ReadDirHandler2(p.readDir),
		interp.AccessHandler(p.access))
}

// exec runs one program.
func (p *Phone) exec(ctx context.Context, args []string) error {
	h := interp.HandlerCtx(ctx)
	c := &call{Context: ctx, Phone: p, name: path.Base(args[0]), args: args[1:], dir: h.Dir, env: h.Env,
		in: h.Stdin, out: h.Stdout, err: h.Stderr}
	if c.in == nil {
		c.in = strings.NewReader("")
	}
	if strings.Contains(args[0], "/") && !strings.Contains(path.Dir(args[0]), "bin") {
		text, err := p.read(c.at(args[0]))
		switch {
		case err != nil:
			c.fail("sh: %s: inaccessible or not found", args[0])
			return interp.ExitStatus(statusNotFound)
		case !strings.HasPrefix(string(text), "#!"):
			c.fail("sh: %s: this phone runs scripts and the programs of its shell, no machine code", args[0])
			return interp.ExitStatus(statusNotRun)
		}
		return exit(p.script(ctx, args[0], strings.NewReader(string(text)), c.args, c.in, c.out, c.err, c.env))
	}
	run := programs()[c.name]
	if run == nil {
		c.fail("sh: %s: inaccessible or not found", args[0])
		return interp.ExitStatus(statusNotFound)
	}
	return exit(run(c))
}

func exit(n int) error {
	if n == 0 {
		return nil
	}
	return interp.ExitStatus(uint8(n))
}

// program runs one call and returns its exit status.
type program func(c *call) int

func refused(c *call) int { return c.refuse("it has no " + c.name) }
func nothing(*call) int   { return 0 }

func sh(c *call) int {
	if len(c.args) > 1 && c.args[0] == "-c" {
		name := append(c.args[2:], "sh")[0]
		return c.script(c, name, strings.NewReader(c.args[1]), c.args[min(3, len(c.args)):], c.in, c.out, c.err, c.env)
	}
	if len(c.args) > 0 {
		text, err := c.read(c.at(c.args[0]))
		if err != nil {
			c.fail("sh: %s: No such file or directory", c.args[0])
			return statusNotFound
		}
		return c.script(c, c.args[0], strings.NewReader(string(text)), c.args[1:], c.in, c.out, c.err, c.env)
	}
	return c.script(c, "sh", c.in, nil, strings.NewReader(""), c.out, c.err, c.env)
}

func sleep(c *call) int {
	total := time.Duration(0)
	for _, a := range c.args {
		if !strings.ContainsAny(a[max(0, len(a)-1):], "smh") {
			a += "s"
		}
		d, err := time.ParseDuration(a)
		if err != nil {
			return c.fail("sleep: bad time %q", a)
		}
		total += d
	}
	select {
	case <-time.After(total):
		return 0
	case <-c.Done():
		return statusCancelled
	}
}

// ---- the files that the shell itself opens ----

func (p *Phone) open(ctx context.Context, name string, flag int, perm fs.FileMode) (io.ReadWriteCloser, error) {
	h := interp.HandlerCtx(ctx)
	if !path.IsAbs(name) {
		name = path.Join(h.Dir, name)
	}
	switch name {
	case "/dev/null":
		return null{}, nil
	case "/dev/tty", "/dev/stdout":
		return passed{h.Stdout}, nil
	}
	return p.files.OpenFile(below(name), flag, perm|0o600)
}

func (p *Phone) stat(_ context.Context, name string, follow bool) (fs.FileInfo, error) {
	if follow {
		return p.files.Stat(below(name))
	}
	return p.files.Lstat(below(name))
}

func (p *Phone) readDir(_ context.Context, name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(p.files.FS(), below(name))
}

func (p *Phone) access(ctx context.Context, name string, mode interp.AccessMode) error {
	info, err := p.stat(ctx, name, true)
	if err == nil && mode&interp.AccessExec != 0 && !info.IsDir() && info.Mode()&0o111 == 0 {
		return fs.ErrPermission
	}
	return err
}

// null is /dev/null.
type null struct{}

func (null) Read([]byte) (int, error)    { return 0, io.EOF }
func (null) Write(b []byte) (int, error) { return len(b), nil }
func (null) Close() error                { return nil }

// passed writes to the output of the program that opened it.
type passed struct{ io.Writer }

func (passed) Read([]byte) (int, error) { return 0, io.EOF }
func (passed) Close() error             { return nil }

// below is a path of the phone below its root.
func below(name string) string {
	rel := strings.TrimPrefix(path.Clean("/"+name), "/")
	if rel == "" {
		return "."
	}
	return rel
}

// root is the folder of the phone's files.
func (p *Phone) root() string { return path.Join(p.folder, "files") }

// makeFiles makes the folders that a phone has, and a file for each program.
func (p *Phone) makeFiles() error {
	if err := os.Mkdir(p.root(), 0o700); err != nil {
		return err
	}
	var err error
	if p.files, err = os.OpenRoot(p.root()); err != nil {
		return err
	}
	for _, d := range []string{"sdcard/Download", "sdcard/DCIM", "sdcard/Android/data", "data/local/tmp",
		"data/app", "data/data", "system/bin", "storage/emulated"} {
		if err := p.files.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	if err := p.files.Symlink("../../sdcard", "storage/emulated/0"); err != nil {
		return err
	}
	for name := range programs() {
		if err := p.files.WriteFile("system/bin/"+name, []byte("#!/system/bin/sh\n"), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// read reads a file of the phone.
func (p *Phone) read(name string) ([]byte, error) { return p.files.ReadFile(below(name)) }

// write writes a file of the phone.
func (p *Phone) write(name string, b []byte) error { return p.files.WriteFile(below(name), b, 0o660) }
