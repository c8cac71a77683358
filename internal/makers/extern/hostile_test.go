package extern_test

import (
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// serveFixture runs the fixture as a server that is none of ours.
func serveFixture(t *testing.T) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	p, err := proc.Start(proc.Spec{
		Path: os.Args[0], Args: []string{"--transport", "http", "--port", port}, Env: append(os.Environ(), fixtureEnv+"="),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
			return port
		}
	}
}

// hurry makes a server that hangs in its handshake be given up soon.
func hurry(o *source.Options) {
	o.Env = func(name string) string {
		if name == extern.EnvStart {
			return "400"
		}
		return ""
	}
}

// What is wrong with a server when it starts is told within its deadline, with the last that it wrote.
func TestHostileStarts(t *testing.T) {
	missing := acme("")
	missing.Command = "no-such-program-anywhere"
	for name, c := range map[string]struct {
		server source.Server
		want   []string
	}{
		"dies":          {acme("dies"), []string{"exit status 3", "No module named 'acme'"}},
		"hangs":         {acme("hangs"), []string{"has not answered in time", "waiting for a licence server"}},
		"garbage":       {acme("garbage"), []string{"stdout what is not MCP", "stdout: Compiling acme-tools"}},
		"big message":   {acme("big-handshake"), []string{"more than 16 MiB"}},
		"not installed": {missing, []string{"no-such-program-anywhere", "executable file not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			o := options{servers: []source.Server{c.server}}
			if name == "hangs" {
				o.change = hurry
			}
			r := startWith(t, o)
			_, _, err := r.sources[0].Load(t.Context())
			if err == nil {
				t.Fatal("it loaded")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if took := time.Since(began); took > testtime.Within(6*time.Second) {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// Chatter on stdout and a flood on stderr disturb nothing.
func TestNoise(t *testing.T) {
	r := start(t, acme("chatty,floods"))
	for range 20 {
		r.must("acme_say", `{"text":"hello"}`)
	}
}

// A server that dies in a call fails that call with its last words, and the next call works: it was started again.
func TestDeathInMidCall(t *testing.T) {
	r := start(t, acme(""))
	err := r.fails("acme_die", `{}`, "exit status 7", "the database is gone")
	if fault.KindOf(err) != fault.Unavailable {
		t.Errorf("kind %s", fault.KindOf(err))
	}
	r.must("acme_say", `{"text":"hello"}`)
	if calls := r.calls(); len(calls) != 2 || calls[0].Error == nil {
		t.Errorf("events: %+v", calls)
	}
}

// A call that fails tells what the server wrote while it ran, and nothing from before.
func TestWordsOfAFailedCall(t *testing.T) {
	r := start(t, acme(""))
	r.fails("acme_mute", `{"key":"first"}`, "Error executing tool acme_mute", "KeyError: first")
	if err := r.fails("acme_mute", `{"key":"second"}`, "KeyError: second"); strings.Contains(err.Error(), "first") {
		t.Errorf("it tells of the call before: %v", err)
	}
}

// A server that runs anyway is found at /mcp when its address has no path.
func TestAddressWithoutPath(t *testing.T) {
	port := serveFixture(t)
	for _, path := range []string{"", "/", "/mcp"} {
		r := start(t, source.Server{Name: "team", Transport: source.HTTP, URL: "http://127.0.0.1:" + port + path})
		r.must("acme_say", `{"text":"hello"}`)
	}
	src := startWith(t, options{servers: []source.Server{
		{Name: "team", Transport: source.HTTP, URL: "http://127.0.0.1:" + port + "/elsewhere"},
	}}).sources[0]
	if _, _, err := src.Load(t.Context()); err == nil || strings.Contains(err.Error(), "nor is it at") {
		t.Errorf("an address with a path was tried elsewhere: %v", err)
	}
}

// A result beyond all bounds fails the call; the session goes on.
func TestHugeResult(t *testing.T) {
	r := start(t, acme(""))
	r.fails("acme_huge", `{"mb":20}`, "more than 16 MiB")
	r.must("acme_say", `{"text":"hello"}`)
}

// A call that never ends is given up at its deadline. A server that is stuck in it is ended and started again; one that
// minds the cancellation is not.
func TestEndlessCall(t *testing.T) {
	slow := acme("")
	slow.Timeout = 300 * time.Millisecond
	r := start(t, slow)
	pid := r.must("acme_echo", `{}`)["pid"]
	err := r.fails("acme_wait", `{"ms":60000}`, "it took longer than 300ms")
	if fault.KindOf(err) != fault.Timeout || !strings.Contains(fault.HintOf(err), "timeoutMs") {
		t.Errorf("%s, hint %q", fault.KindOf(err), fault.HintOf(err))
	}
	if again := r.must("acme_echo", `{}`)["pid"]; again != pid {
		t.Error("a server that minds its cancellations was started again")
	}
}

// A tool that calls itself back is stopped at the bound of nesting, and the session goes on.
func TestCallsItselfBack(t *testing.T) {
	r := start(t, acme(""))
	r.fails("acme_again", `{}`, "nested 16 deep")
	r.must("acme_say", `{"text":"hello"}`)
}

// Invalid UTF-8 in a result is replaced.
func TestInvalidUTF8(t *testing.T) {
	r := start(t, acme(""))
	r.must("acme_result", `{"result":{"content":[{"type":"text","text":"\ud800 half a character"}]}}`)
}

// R63, R88: what was started ends with the source, also while a call runs, and with our process.
func TestClose(t *testing.T) {
	r := start(t, acme(""))
	out := r.must("acme_echo", `{}`)
	pid, _ := out["pid"].(float64)
	for _, src := range r.sources {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
	if alive(int(pid)) {
		t.Errorf("process %v is still there", pid)
	}
	r.fails("acme_echo", `{}`, "closed")
}

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}
