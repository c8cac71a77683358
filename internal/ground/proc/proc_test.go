//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

func TestMain(m *testing.M) {
	switch os.Getenv("PROC_TEST_ROLE") {
	case "":
	case "echo": // reads descriptor 3, writes to 4 and standard error
		b, _ := io.ReadAll(os.NewFile(3, "in"))
		_, _ = os.NewFile(4, "out").Write(bytes.ToUpper(b))
		_, _ = os.Stderr.WriteString("done\n")
		os.Exit(3)
	case "nest": // leaves a child behind that holds standard output open
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "PROC_TEST_ROLE=hang")
		c.Stdout = os.Stdout
		_ = c.Start()
		_, _ = os.Stdout.WriteString(strconv.Itoa(c.Process.Pid) + "\n")
		if os.Getenv("PROC_TEST_STAY") != "" {
			<-time.After(time.Minute)
		}
		os.Exit(0)
	case "hang":
		<-time.After(time.Minute)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// output is a buffer that can be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func role(name string, more ...string) Spec {
	return Spec{Path: os.Args[0], Env: append(append(os.Environ(), "PROC_TEST_ROLE="+name), more...)}
}

func TestInheritAndExit(t *testing.T) {
	t.Parallel()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr buffer
	s := role("echo")
	s.Stderr, s.Inherit = &stderr, []*os.File{inR, outW}
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = inR.Close(), outW.Close()
	_, _ = inW.WriteString("hello")
	_ = inW.Close()
	got, err := io.ReadAll(outR)
	if err != nil || string(got) != "HELLO" {
		t.Errorf("%q, %v", got, err)
	}
	waittest.Await(t, p.Done(), "the process ends")
	var exit *exec.ExitError
	if !errors.As(p.Err(), &exit) || exit.ExitCode() != 3 || stderr.String() != "done\n" {
		t.Errorf("err %v, stderr %q", p.Err(), &stderr)
	}
	_ = outR.Close()
}

// TestGroup proves that children go with their parent, whether it is killed or ends by itself.
func TestGroup(t *testing.T) {
	t.Parallel()
	for name, stay := range map[string]bool{"leader ends": false, "leader killed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out buffer
			s := role("nest")
			if stay {
				s = role("nest", "PROC_TEST_STAY=1")
			}
			s.Stdout = &out
			p, err := Start(s)
			if err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, func() bool { return strings.Contains(out.String(), "\n") }, "the process says its child")
			if stay {
				p.Kill()
			}
			waittest.Await(t, p.Done(), "the process ends")
			child, err := strconv.Atoi(strings.TrimSpace(out.String()))
			if err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, func() bool { return !running(child) }, "the child ends")
			p.Kill() // idempotent
		})
	}
}

// running says whether a process lives; a zombie that init has not reaped yet does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(b), ") Z ")
}

func TestRunStopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := Run(ctx, role("hang")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > testtime.Within(5*time.Second) {
		t.Errorf("took %v", took)
	}
}

func TestStartMissing(t *testing.T) {
	t.Parallel()
	if _, err := Start(Spec{Path: "/nonexistent/program"}); err == nil {
		t.Error("a missing program started")
	}
}
