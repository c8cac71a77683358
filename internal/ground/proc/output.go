package proc

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// output copies what the process writes. We own the pipes, rather than os/exec, so that the end of the process is seen
// at once and not only when the last grandchild has closed its copy.
type output struct {
	ours, theirs []*os.File
	wg           sync.WaitGroup
}

func newOutput(cmd *exec.Cmd, s Spec) (*output, error) {
	o := &output{}
	var err error
	cmd.Stdout, err = o.pipe(s.Stdout)
	if err == nil && s.Stderr == s.Stdout {
		cmd.Stderr = cmd.Stdout
	} else if err == nil {
		cmd.Stderr, err = o.pipe(s.Stderr)
	}
	if err != nil {
		o.closeTheirs()
		o.drain(0)
		return nil, err
	}
	return o, nil
}

func (o *output) pipe(w io.Writer) (io.Writer, error) {
	if w == nil {
		return nil, nil
	}
	if f, ok := w.(*os.File); ok {
		return f, nil
	}
	r, their, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o.ours, o.theirs = append(o.ours, r), append(o.theirs, their)
	o.wg.Go(func() { _, _ = io.Copy(w, r) })
	return their, nil
}

func (o *output) closeTheirs() {
	for _, f := range o.theirs {
		_ = f.Close()
	}
	o.theirs = nil
}

// drain waits for the rest of the output, at most as long as grace.
func (o *output) drain(grace time.Duration) {
	for _, f := range o.ours {
		if f.SetReadDeadline(time.Now().Add(grace)) != nil {
			_ = f.Close() // no deadlines on this platform's pipes: give up what is left
		}
	}
	o.wg.Wait()
	for _, f := range o.ours {
		_ = f.Close()
	}
	o.ours = nil
}
