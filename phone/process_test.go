package phone

import (
	"os"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// A process that writes no frames, as when the virtual machine prints among them, is ended: the phone starts another one.
func TestGarbledFrames(t *testing.T) {
	shell, err := proc.LookPath("sh")
	if err != nil {
		t.Skip("left out: no sh")
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{pending: map[int64]chan<- answer{}}
	p.proc, err = proc.Start(proc.Spec{Path: shell, Args: []string{"-c", "echo warning; exec sleep 60"}, Stdout: out})
	if err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	p.read(from, func(event) {})
	select {
	case <-p.proc.Done():
	case <-time.After(20 * time.Second):
		t.Error("the process runs on")
		p.proc.Kill()
	}
	if _, err := p.ask(t.Context(), request{"do": "state"}, nil); err == nil {
		t.Error("it is asked")
	}
}
