// Package local reaches the programs, files and sockets of the phone that this program runs on, as package adb does for
// a phone behind the adb server. The runner of a bundle gives a Phone to the driver; it is safe for concurrent use.
//
//	dev, err := android.Open(ctx, android.Options{ID: "android", Own: local.Phone{}})
package local

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// Phone is the phone that this program runs on, as the user who runs it: adb's shell may do what a phone needs.
type Phone struct{}

var _ adb.Device = Phone{}

const (
	op        = "run a command on the phone"
	maxOutput = 16 << 20
)

// start starts a line in the phone's shell. Its programs need the variables that the system gives every process, and
// not those that are for trailblaze, which may be secrets.
func start(line string, in io.Reader, out, problems io.Writer) (*proc.Process, error) {
	sh, err := proc.LookPath("sh")
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	env := proc.Env(os.Environ(), func(name string) bool { return !strings.HasPrefix(name, "TRAILBLAZE_") })
	return proc.Start(proc.Spec{Path: sh, Args: []string{"-c", line}, Env: env, Stdin: in, Stdout: out, Stderr: problems})
}

// Shell implements adb.Device.
func (Phone) Shell(ctx context.Context, cmd adb.Command) (*adb.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.Wrap(context.Cause(ctx), "", op)
	}
	if cmd.Max == 0 {
		cmd.Max = maxOutput
	}
	out, problems := &bounded{most: cmd.Max}, &bounded{most: cmd.Max}
	stdout := io.Writer(out)
	if cmd.Out != nil {
		stdout = cmd.Out
	}
	in, feed, err := os.Pipe() // a file, so that the end of the program is seen while its input goes on
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = feed.Close() }()
	p, err := start(cmd.Line, in, stdout, problems)
	_ = in.Close()
	if err != nil {
		return nil, err
	}
	if cmd.Stdin == nil {
		_ = feed.Close()
	} else {
		go func() { // it ends with its source, which outlives no caller
			_, _ = io.Copy(feed, cmd.Stdin)
			_ = feed.Close()
		}()
	}
	err = p.Wait(ctx)
	var ended interface{ ExitCode() int }
	switch {
	case ctx.Err() != nil:
		return nil, fault.Wrap(context.Cause(ctx), "", op)
	case out.over || problems.over:
		return nil, fault.New(fault.Invalid, op, "it printed more than %d bytes", cmd.Max).
			WithHint("Have it print less, or write to a file and read that.")
	case errors.As(err, &ended) && ended.ExitCode() >= 0:
		return &adb.Result{Stdout: out.Bytes(), Stderr: problems.Bytes(), Exit: ended.ExitCode()}, nil
	case err != nil:
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	return &adb.Result{Stdout: out.Bytes(), Stderr: problems.Bytes()}, nil
}

// bounded keeps the first bytes of what a program prints.
type bounded struct {
	bytes.Buffer
	most int
	over bool
}

// Write implements io.Writer.
func (b *bounded) Write(data []byte) (int, error) {
	if b.Len()+len(data) > b.most {
		b.over = true
		return len(data), nil
	}
	return b.Buffer.Write(data)
}

// Stream implements adb.Device. What the line says of problems is dropped, as adb's exec service has it.
func (Phone) Stream(ctx context.Context, line string) (io.ReadCloser, error) {
	r, w := io.Pipe()
	p, err := start(line, nil, w, nil)
	if err != nil {
		return nil, err
	}
	s := &stream{PipeReader: r, program: p, stop: context.AfterFunc(ctx, p.Kill)}
	go func() {
		<-p.Done()
		_ = w.Close()
	}()
	return s, nil
}

// stream is the output of a program that ends with it.
type stream struct {
	*io.PipeReader
	program *proc.Process
	stop    func() bool
}

// Close implements io.Closer.
func (s *stream) Close() error {
	s.stop()
	_ = s.PipeReader.Close()
	s.program.Kill()
	<-s.program.Done()
	return nil
}

// Dial implements adb.Device for local sockets.
func (Phone) Dial(ctx context.Context, socket string) (io.ReadWriteCloser, error) {
	name, ok := strings.CutPrefix(socket, "localabstract:")
	if !ok {
		return nil, fault.New(fault.Unsupported, "connect to "+socket, "only localabstract: is in reach on the phone itself")
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", "@"+name)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "connect to "+socket)
	}
	context.AfterFunc(ctx, func() { _ = c.Close() })
	return c, nil
}

// Stat implements adb.Device.
func (Phone) Stat(_ context.Context, path string) (adb.File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return adb.File{}, nil
	}
	if err != nil {
		return adb.File{}, fault.Wrap(err, fault.Unavailable, "look at "+path)
	}
	const regular = 0o100000    // as Unix has it
	size := uint32(info.Size()) //nolint:gosec // see File
	return adb.File{Mode: regular | uint32(info.Mode().Perm()), Size: size, Modified: info.ModTime()}, nil
}

// Push implements adb.Device.
func (Phone) Push(_ context.Context, path string, mode fs.FileMode, data io.Reader) error {
	b, err := io.ReadAll(data)
	if err == nil {
		err = os.WriteFile(path, b, mode.Perm())
	}
	return fault.Wrap(err, fault.Unavailable, "write "+path)
}
