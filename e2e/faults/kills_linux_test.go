package faults

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

var (
	kills = flag.Int("kills", 20, "how many processes TestRandomKills kills")
	seed  = flag.Uint64("seed", 0, "of the moments at which TestRandomKills kills; 0: another each time")
)

// Whichever process dies at whichever moment: a call that was answered as done stands in the session's log, the next
// call works, sessions can be listed, and once the next daemon runs no process and no file of the dead is left.
func TestRandomKills(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano()) //nolint:gosec // any number
	}
	t.Logf("%d kills, -seed %d", *kills, *seed)
	r := &reaper{house: newHouse(t), rand: rand.New(rand.NewPCG(*seed, 0)), killed: map[string]int{}, told: map[string]bool{}} //nolint:gosec // moments
	r.url = served(t, map[string]string{"/": "<h1>Hello</h1>"})
	r.writeTrail()
	r.Start()
	r.open()
	defer func() { r.front.end() }()
	for range *kills {
		r.kill([]string{"daemon", "browser", "tab", "tab", "front", "run"}[r.rand.IntN(6)])
		if t.Failed() {
			break
		}
	}
	t.Logf("killed %v; %d calls were done", r.killed, len(r.told))
	r.front.end()
	r.nothingLost()
	everybody := family(r.Boot.PID)
	if out, code := r.run("daemon", "stop"); code != 0 {
		t.Error(out)
	}
	r.dead(everybody)
	if left := r.temporary(); len(left) > 0 {
		t.Errorf("left in the end: %v", left)
	}
}

// reaper kills processes of a house while they work.
type reaper struct {
	*house
	rand   *rand.Rand
	url    string
	front  *front
	calls  int
	told   map[string]bool // marks of the calls that were answered as done
	killed map[string]int
}

// kill kills one process while calls run, and looks whether everything goes on.
func (r *reaper) kill(victim string) {
	r.T.Helper()
	r.killed[victim]++
	moment := time.After(time.Duration(r.rand.IntN(150)) * time.Millisecond)
	if victim == "run" {
		r.killRun(moment)
		return
	}
	ask := r.ask
	if victim == "front" || r.rand.IntN(2) == 0 {
		ask = r.front.ask
	}
	stop, done := make(chan struct{}), make(chan []string, 1)
	first := r.calls
	go func() {
		var marks []string
		for n := first; ; n++ {
			mark := fmt.Sprintf("mark-%d.", n)
			if ask("web_navigate", map[string]any{"url": r.url + "/?" + mark}) == nil {
				marks = append(marks, mark)
			}
			select {
			case <-stop:
				done <- append(marks, fmt.Sprint(n+1))
				return
			default:
			}
		}
	}()
	<-moment
	family := family(r.Boot.PID)
	switch victim {
	case "daemon":
		r.end(r.Boot.PID)
	case "front":
		r.end(r.front.cmd.Process.Pid)
	case "browser":
		for pid, line := range family {
			if strings.Contains(line, "--remote-debugging-pipe") && !strings.Contains(line, "--type=") {
				r.end(pid)
			}
		}
	case "tab":
		for pid, line := range family {
			if strings.Contains(line, "--type=renderer") {
				r.end(pid)
			}
		}
	}
	close(stop)
	select {
	case marks := <-done:
		last := len(marks) - 1
		_, _ = fmt.Sscan(marks[last], &r.calls)
		for _, m := range marks[:last] {
			r.told[m] = true
		}
	case <-time.After(2 * time.Minute):
		r.T.Fatalf("after the %s was killed a call has no answer", victim)
	}
	switch victim {
	case "daemon":
		r.dead(family)
		r.Start()
		r.must("device", map[string]any{"action": "LIST"})
		r.clean()
	case "front":
		r.front.end()
		r.open()
	case "browser":
		r.dead(family, r.Boot.PID)
	}
	r.works()
}

// works makes a call that has to be done. The first after a kill may be told of the loss.
func (r *reaper) works() {
	r.T.Helper()
	var err error
	for range 3 {
		r.calls++
		mark := fmt.Sprintf("mark-%d.", r.calls)
		if err = r.ask("web_navigate", map[string]any{"url": r.url + "/?" + mark}); err == nil {
			r.told[mark] = true
			return
		}
	}
	r.T.Fatalf("no call works any more: %v", err)
}

// ask makes a call. The error is that it was not done.
func (r *reaper) ask(tool string, args map[string]any) error {
	a, err := r.send("test", tool, args)
	if err == nil && !a.ok() {
		err = errors.New(a.raw)
	}
	return err
}

func (r *reaper) end(pid int) {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		r.T.Errorf("kill %d: %v", pid, err)
	}
}

// dead waits for processes to end, all but some.
func (r *reaper) dead(all map[int]string, but ...int) {
	r.T.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	late := time.After(time.Minute)
	for pid, line := range all {
		for len(but) == 0 || pid != but[0] {
			if syscall.Kill(pid, 0) != nil || zombie(pid) {
				break
			}
			select {
			case <-look.C:
			case <-late:
				r.T.Fatalf("process %d lives: %.200s", pid, line)
			}
		}
	}
}

// clean looks for what dead processes left, once a daemon runs.
func (r *reaper) clean() {
	r.T.Helper()
	own := fmt.Sprintf("-%d-", r.Boot.PID) // the front may have had the daemon begin to open a browser by now
	left := slices.DeleteFunc(r.temporary(), func(name string) bool { return strings.Contains(name, own) })
	if len(left) > 0 {
		r.T.Errorf("left behind by others than the daemon %d: %v", r.Boot.PID, left)
	}
	for pid, line := range family(r.Boot.PID) {
		if pid != r.Boot.PID && zombie(pid) {
			r.T.Errorf("process %d is a zombie: %.100s", pid, line)
		}
	}
	_ = filepath.WalkDir(r.Dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") {
			r.T.Errorf("left behind: %s", path)
		}
		return nil
	})
}

var marks = regexp.MustCompile(`mark-\d+\.`)

// nothingLost reads the logs of all sessions: they are whole, and hold every call that was answered as done.
func (r *reaper) nothingLost() {
	r.T.Helper()
	logs, err := filepath.Glob(filepath.Join(r.Dir, "sessions", "*", event.File))
	if err != nil || len(logs) == 0 {
		r.T.Fatalf("no sessions: %v", err)
	}
	kept := map[string]bool{}
	for _, log := range logs {
		for e, err := range event.Read(filepath.Dir(log)) {
			if err != nil || e.Type == event.Damaged {
				r.T.Errorf("%s: %s %v", log, e.Type, err)
				break
			}
			if e.Type == event.ToolCall && e.Call != nil && !e.Call.IsError {
				kept[marks.FindString(string(e.Call.Args))] = true
			}
		}
	}
	for mark := range r.told {
		if !kept[mark] {
			r.T.Errorf("the call with %s was answered as done and stands in no log", mark)
		}
	}
	out, code := r.run("session", "list")
	if code != 0 || strings.Contains(out, "damaged") {
		r.T.Errorf("session list ends with %d: %s", code, out)
	}
}

func (r *reaper) writeTrail() {
	r.T.Helper()
	var steps strings.Builder
	for i := range 6 {
		fmt.Fprintf(&steps, "  - step: Open page %d\n    recording:\n      web:\n        - web_navigate: {url: %q}\n", i, fmt.Sprintf("%s/?page=%d", r.url, i))
	}
	text := "config:\n  id: kills\n  title: Kills\ntrail:\n" + steps.String()
	if err := os.WriteFile(filepath.Join(r.Work, "trails", "kills.trail.yaml"), []byte(text), 0o600); err != nil {
		r.T.Fatal(err)
	}
}

// killRun kills a `trailblaze run`, which needs no daemon. The daemon's next start removes what it left.
func (r *reaper) killRun(moment <-chan time.Time) {
	r.T.Helper()
	cmd := exec.CommandContext(r.T.Context(), binary, "run", filepath.Join("trails", "kills.trail.yaml"), "--no-report")
	cmd.Env, cmd.Dir = r.Env, r.Work
	if err := cmd.Start(); err != nil {
		r.T.Fatal(err)
	}
	more := time.After(time.Duration(r.rand.IntN(1500)) * time.Millisecond) // a browser takes its time to start
	<-moment
	<-more
	browsers := family(cmd.Process.Pid)
	r.end(cmd.Process.Pid)
	_ = waittest.Ended(r.T, cmd.Wait, "the killed run ends")
	delete(browsers, cmd.Process.Pid)
	r.dead(browsers)
	if out, code := r.house.run("daemon", "stop"); code != 0 {
		r.T.Fatal(out)
	}
	r.Start()
	r.must("device", map[string]any{"action": "LIST"})
	r.clean()
	r.works()
}

// front is a `trailblaze mcp` and the client at its other end.
type front struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	id  int
}

// open starts a front.
func (r *reaper) open() {
	r.T.Helper()
	f := &front{cmd: exec.CommandContext(r.T.Context(), binary, "mcp")}
	f.cmd.Env, f.cmd.Dir = r.Env, r.Work
	in, err := f.cmd.StdinPipe()
	if err != nil {
		r.T.Fatal(err)
	}
	out, err := f.cmd.StdoutPipe()
	if err == nil {
		err = f.cmd.Start()
	}
	if err != nil {
		r.T.Fatal(err)
	}
	f.in, f.out = in, bufio.NewScanner(out)
	f.out.Buffer(nil, 1<<20)
	r.front = f
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}}
	if err := f.request("initialize", hello); err != nil {
		r.T.Fatal(err)
	}
	_, _ = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
}

func (f *front) end() {
	_ = f.in.Close()
	for f.out.Scan() { // to its end
		continue
	}
	_ = f.cmd.Wait()
}

// ask makes a call through the front. The error is that it was not done.
func (f *front) ask(tool string, args map[string]any) error {
	return f.request("tools/call", map[string]any{"name": tool, "arguments": args})
}

func (f *front) request(method string, params any) error {
	f.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": f.id, "method": method, "params": params})
	if err == nil {
		_, err = f.in.Write(append(line, '\n'))
	}
	for err == nil && f.out.Scan() {
		var m struct {
			ID     int
			Error  json.RawMessage
			Result struct{ IsError bool }
		}
		switch err = json.Unmarshal(f.out.Bytes(), &m); {
		case err != nil || m.ID != f.id:
		case m.Error != nil || m.Result.IsError:
			return errors.New(f.out.Text())
		default:
			return nil
		}
	}
	return errors.Join(err, f.out.Err(), io.ErrUnexpectedEOF)
}
