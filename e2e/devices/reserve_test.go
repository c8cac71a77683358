package devices

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/client"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

var sdkDir = flag.String("sdk", "", "folder of the projects that `make sdk` installs the SDKs into")

// answer is the reply of a door to a reservation: the sentence about it, or the failure.
type answer struct {
	Done                string
	Kind, Message, Hint string
}

// door is a way to reserve a phone. call makes a call of the tool device; waits takes what it is told meanwhile.
type door struct {
	name, label string
	call        func(ctx context.Context, args map[string]any, waits func(string)) answer
}

// What all doors say, with the id of the client and the time left out.
const (
	taken = "android/p0 is reserved by holder (client ID) for TIME now, until it makes no call for 10 min"
	given = "Reserved android/p0. This session's calls go there, and those of others are refused, until you " +
		"disconnect it or make no call on it for 10 min."
	hint = "Wait for longer, or have one of these clients disconnect its device."
)

var changing = regexp.MustCompile(`\(client \S+\) for [0-9].*? now`)

func same(text string) string { return changing.ReplaceAllString(text, "(client ID) for TIME now") }

// TestReservingByAllDoors: a client that asks for a phone of another one waits no longer than it says. All doors name the
// holder, the time since when and the time left in the same words, and give the phone when it is given back.
func TestReservingByAllDoors(t *testing.T) {
	h := withPhones(t, 1)
	h.setEnv()
	h.Start()
	holder, other := h.dial("holder", ""), h.dial("other", "android/p0")
	for _, d := range h.doors(t) {
		t.Run(d.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			device(t, holder, "RESERVE")
			brief := map[string]any{"action": "RESERVE", "deviceId": "android/p0", "timeoutMs": 1}
			want := answer{Kind: "busy", Message: "reserve device: no device for android/p0 is free: " + taken, Hint: hint}
			if got := d.call(ctx, brief, func(string) {}); cmp.Diff(want, got.same()) != "" {
				t.Errorf("no longer than asked: %s", cmp.Diff(want, got.same()))
			}
			long := map[string]any{"action": "RESERVE", "deviceId": "android/p0", "timeoutMs": 60_000}
			waits, done := make(chan string, 100), make(chan answer, 1)
			go func() { done <- d.call(ctx, long, func(text string) { waits <- text }) }()
			if got := same(waittest.Await(t, waits, "it waits")); got != "waiting for a device: "+taken {
				t.Errorf("while it waits: %s", got)
			}
			device(t, holder, "DISCONNECT")
			if d := cmp.Diff(answer{Done: given}, waittest.Await(t, done, "it gets the phone").same()); d != "" {
				t.Error(d)
			}
			refused(t, other, d.label, "it makes no call for 10 min")
			if list := device(t, holder, "LIST"); !strings.Contains(list, "reserved by "+d.label+" for ") {
				t.Errorf("the list says %s", list)
			}
			if got := d.call(ctx, map[string]any{"action": "DISCONNECT", "deviceId": "android/p0"}, func(string) {}); got.Kind != "" {
				t.Errorf("given back: %+v", got)
			}
		})
	}
	t.Run("run", func(t *testing.T) {
		h.phones[0].Show(androidtest.Label("Wait"))
		h.Write("wait.trail.yaml", "trail:\n  - verify: It goes on\n    recording:\n      android:\n"+
			"        - assertVisible: { text: Go on, timeoutMs: 60000 }\n")
		device(t, holder, "RESERVE")
		waits, done := make(chan string, 100), make(chan answer, 1)
		run := h.command("run", "wait.trail.yaml", "--device", "android/p0", "--no-report", "--json")
		go func() { done <- answerOf(run(t.Context(), func(text string) { waits <- text })) }()
		if got := same(waittest.Await(t, waits, "it waits")); got != "reserve device: no device for android/p0 is free: "+taken+": the run waits for it" {
			t.Errorf("while it waits: %s", got)
		}
		device(t, holder, "DISCONNECT")
		waittest.Until(t, func() bool { return strings.Contains(device(t, holder, "LIST"), "reserved by run for ") }, "run has the phone")
		refused(t, other, "run", "its work ends")
		h.phones[0].Show(androidtest.Label("Go on"))
		if got := waittest.Await(t, done, "it ends"); got.Kind != "" {
			t.Errorf("%+v", got)
		}
		if list := device(t, holder, "LIST"); strings.Contains(list, "reserved") {
			t.Errorf("after the run: %s", list)
		}
	})
}

func (a answer) same() answer {
	a.Message = same(a.Message)
	return a
}

// device makes a call of the tool device about the phone, and returns its text.
func device(t *testing.T, tb *client.Client, action string) string {
	t.Helper()
	args := map[string]any{"action": action, "deviceId": "android/p0"}
	r, err := tb.CallTool(t.Context(), "device", args)
	if err != nil {
		t.Fatalf("%s: %v", action, err)
	}
	return r.Text
}

// refused has a client call the phone that somebody else has.
func refused(t *testing.T, by *client.Client, label, until string) {
	t.Helper()
	_, err := by.CallTool(t.Context(), "assertVisible", map[string]any{"text": "Save"})
	want := "use device: " + strings.ReplaceAll(strings.ReplaceAll(taken, "holder", label), "it makes no call for 10 min", until)
	if f := fault.FailureOf(err); f == nil || f.Kind != fault.Busy || same(f.Message) != want {
		t.Errorf("another client's call: %v, want %s", err, want)
	}
}

func (h *house) doors(t *testing.T) []door {
	tb := h.dial("gopher", "")
	doors := []door{
		{"go", "gopher", func(ctx context.Context, args map[string]any, waits func(string)) answer {
			r, err := tb.WatchTool(ctx, "device", args, func(p *pb.Progress) { waiting(p.GetEvent(), p.GetMessage(), waits) })
			if f := fault.FailureOf(err); f != nil {
				return answer{Kind: string(f.Kind), Message: f.Message, Hint: f.Hint}
			}
			return answerOf(r.Value, 0)
		}},
		{"mcp", "agent", h.agent(t)},
		{"cli", "cli", func(ctx context.Context, args map[string]any, waits func(string)) answer {
			line := []string{"device", strings.ToLower(args["action"].(string)), "android/p0", "--json"}
			if ms, ok := args["timeoutMs"].(int); ok {
				line = append(line, "--within", (time.Duration(ms) * time.Millisecond).String())
			}
			return answerOf(h.command(line...)(ctx, waits))
		}},
	}
	if *sdkDir == "" {
		return doors
	}
	at := func(name string) string {
		path, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.Symlink(at(*sdkDir+"/build/acme/node_modules"), filepath.Join(h.Work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/reserve.mjs")
	if err != nil {
		t.Fatal(err)
	}
	return append(doors,
		door{"typescript", "typescript", h.program(t, "node", h.Write("reserve.mjs", string(script)))},
		door{"python", "python", h.program(t, at("../../examples/acme-python/.venv/bin/python"), at("testdata/reserve.py"))})
}

// waiting passes on what a call waits for, among the signs of its progress.
func waiting(event, text string, waits func(string)) {
	if event == "waiting" || event == "" && strings.HasPrefix(text, "waiting ") {
		waits(text)
	}
}

// answerOf reads what the tool gives or, with an exit status other than 0, why a command failed.
func answerOf(out []byte, code int) (a answer) {
	var said struct {
		Done  string
		Error struct{ Kind, Message, Hint string }
	}
	switch err := json.Unmarshal(out, &said); {
	case err != nil:
		return answer{Kind: "output", Message: err.Error() + ": " + string(out)}
	case code != 0 && said.Error.Kind == "":
		return answer{Kind: "exit", Message: string(out)}
	}
	return answer{Done: said.Done, Kind: said.Error.Kind, Message: said.Error.Message, Hint: said.Error.Hint}
}

// agent is a client of MCP.
func (h *house) agent(t *testing.T) func(context.Context, map[string]any, func(string)) answer {
	t.Helper()
	var mu sync.Mutex
	told := func(string) {}
	cmd := exec.Command(h.Binary, "mcp")
	cmd.Env, cmd.Dir = h.Env, h.Work
	c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			waiting("", r.Params.Message, told)
		},
	})
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return func(ctx context.Context, args map[string]any, waits func(string)) answer {
		mu.Lock()
		told = waits
		mu.Unlock()
		p := &mcp.CallToolParams{Name: "device", Arguments: args}
		p.SetProgressToken("reserve")
		r, err := s.CallTool(ctx, p)
		if err != nil {
			return answer{Kind: "protocol", Message: err.Error()}
		}
		if text, ok := r.Content[0].(*mcp.TextContent); ok && !r.IsError {
			done, _, _ := strings.Cut(text.Text, "\n")
			return answer{Done: done}
		}
		var said struct{ Fault *fault.Failure }
		meta, _ := json.Marshal(r.Meta["trailblaze"])
		if err := json.Unmarshal(meta, &said); err != nil || said.Fault == nil {
			return answer{Kind: "protocol", Message: string(meta)}
		}
		return answer{Kind: string(said.Fault.Kind), Message: said.Fault.Message, Hint: said.Fault.Hint}
	}
}

// command runs the product, and passes on each line that it writes beside its output.
func (h *house) command(args ...string) func(context.Context, func(string)) (out []byte, code int) {
	return func(ctx context.Context, waits func(string)) ([]byte, int) {
		cmd := exec.CommandContext(ctx, h.Binary, args...)
		cmd.Env, cmd.Dir = append(h.Env, "TRAILBLAZE_SESSION=doors"), h.Work
		var out strings.Builder
		cmd.Stdout = &out
		stderr, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			return []byte(err.Error()), -1
		}
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			waits(lines.Text())
		}
		_ = cmd.Wait() // the exit status says it
		return []byte(out.String()), cmd.ProcessState.ExitCode()
	}
}

// program is a program with an SDK: it makes the calls that it reads, a line each, and writes the messages of each.
func (h *house) program(t *testing.T, command, script string) func(context.Context, map[string]any, func(string)) answer {
	t.Helper()
	cmd := exec.Command(command, script)
	cmd.Env, cmd.Dir, cmd.Stderr = h.Env, h.Work, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", command, err)
		}
	})
	lines := bufio.NewReader(out)
	return func(_ context.Context, args map[string]any, waits func(string)) answer {
		call, _ := json.Marshal(args)
		if _, err := io.WriteString(in, string(call)+"\n"); err != nil {
			return answer{Kind: "program", Message: err.Error()}
		}
		for {
			line, err := lines.ReadBytes('\n')
			var said struct {
				Progress *struct{ Event, Message string }
				Result   struct {
					Result struct{ Value json.RawMessage }
				}
				Failure *answer
			}
			if bad := json.Unmarshal(line, &said); err != nil || bad != nil {
				return answer{Kind: "program", Message: string(line)}
			}
			switch {
			case said.Progress != nil:
				waiting(said.Progress.Event, said.Progress.Message, waits)
			case said.Failure != nil:
				return *said.Failure
			default:
				return answerOf(said.Result.Result.Value, 0)
			}
		}
	}
}
