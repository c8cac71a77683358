package worker

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

type closing struct{ *testing.M }

func (c closing) Run() int {
	defer Close()
	return c.M.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// silent answers nothing.
type silent struct{}

func (silent) Answer(context.Context, Question) Answer { return Answer{} }
func (silent) Note(string, []byte)                     {}

// only waits until one worker is idle, and gives it.
func only(t *testing.T, p *pool) *worker {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) != 1 {
		t.Fatalf("%d workers are idle", len(p.idle))
	}
	return p.idle[0]
}

// TestWorkerIsBounded: a child has no variables of ours, a bound on memory, and ends with its parent.
func TestWorkerIsBounded(t *testing.T) {
	t.Setenv("TRAILBLAZE_SECRET_PW", "canary-7")
	w, err := start()
	if err != nil {
		t.Fatal(err)
	}
	defer w.end()
	if _, err := w.do(t.Context(), message{Kind: kindJob, ID: 1, Op: Compile, blob: []byte("1")}, silent{}); err != nil {
		t.Fatal(err)
	}
	at := fmt.Sprintf("/proc/%d/", w.proc.PID())
	if limits, err := os.ReadFile(at + "limits"); err == nil {
		if !strings.Contains(strings.Join(strings.Fields(string(limits)), " "), "Max data size 1073741824 1073741824") {
			t.Errorf("its limits are %s", limits)
		}
		if env, err := os.ReadFile(filepath.Join(at, "environ")); err != nil || strings.Contains(string(env), "canary-7") {
			t.Errorf("it sees %s, %v", env, err)
		}
	}
	if err := w.stdin.Close(); err != nil { // as when the parent is gone
		t.Fatal(err)
	}
	waittest.Await(t, w.proc.Done(), "the child ends")
}

// TestWorkerIsReplaced: a child that is killed in the middle of a job, or while it is idle, costs that job at most.
func TestWorkerIsReplaced(t *testing.T) {
	p := &pool{}
	code, err := p.do(t.Context(), Job{Op: Compile, File: "a.ts", Blob: []byte(
		`globalThis.__trailblaze = { spin: () => { for (;;) {} }, say: () => "1" }`)}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	w := only(t, p)
	time.AfterFunc(100*time.Millisecond, w.proc.Kill)
	job := Job{Op: Run, File: "a.ts", Args: Running{Function: "spin"}, Blob: code.Blob}
	if _, err := p.do(t.Context(), job, silent{}); err == nil || !strings.Contains(err.Error(), "a.ts") {
		t.Errorf("it says %v", err)
	}
	job.Args = Running{Function: "say", Plain: true}
	for range 2 {
		end, err := p.do(t.Context(), job, silent{})
		if err != nil || string(end.Blob) != "1" {
			t.Fatalf("%+v, %v", end, err)
		}
		only(t, p).proc.Kill()
	}
	end := only(t, p)
	end.idle.Stop()
	end.end()
}

// TestObedientWorkerIsKept: a script that can be interrupted costs no process.
func TestObedientWorkerIsKept(t *testing.T) {
	p := &pool{}
	code, err := p.do(t.Context(), Job{Op: Compile, Blob: []byte(`globalThis.__trailblaze = { spin: () => { for (;;) {} } }`)},
		silent{})
	if err != nil {
		t.Fatal(err)
	}
	w := only(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err = p.do(ctx, Job{Op: Run, Args: Running{Function: "spin"}, Blob: code.Blob}, silent{})
	if s, is := err.(*Stopped); !is || s.Stack == "" || time.Since(began) > testtime.Within(time.Second) {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if testtime.Factor() < 3 && only(t, p) != w {
		t.Error("its process was ended")
	}
	for _, w := range p.idle {
		w.idle.Stop()
		w.end()
	}
}
