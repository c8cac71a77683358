//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestRecordByHand has a person act in the browsers of trailblaze record with the mouse and the keyboard of a display: what
// they did is saved when it can be replayed, and kept beside when it cannot; a password is in no file.
func TestRecordByHand(t *testing.T) {
	webtest.NeedsDisplay(t)
	end, err := webtest.Display()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	t.Run("interrupt", func(t *testing.T) {
		r := recordIn(t, `<form onsubmit="event.preventDefault();document.body.textContent='Welcome'">
			<label>Password <input type=password autofocus></label><button>Sign in</button></form>`)
		r.xdotool("type", "--delay", "15", "green-heron-17")
		r.xdotool("key", "Return")
		r.says("Pressed Enter")
		if err := r.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		text := r.ends(0, "trails/tea.trail.yaml")
		for _, want := range []string{"Type {{memory.password}} into “Password”", "Press Enter in “Password”"} {
			if !strings.Contains(text, want) {
				t.Errorf("the trail does not say %q:\n%s", want, text)
			}
		}
		if err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if bytes.Contains(data, []byte("green-heron-17")) {
				t.Errorf("%s holds the password", path)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	})
	t.Run("a file from elsewhere", func(t *testing.T) {
		r := recordIn(t, `<input type=file style="position:fixed;inset:0" onchange="document.title='Tea: '+this.files[0].name">`)
		file := filepath.Join(t.TempDir(), "note.txt")
		if err := os.WriteFile(file, []byte("a note"), 0o600); err != nil {
			t.Fatal(err)
		}
		r.xdotool("click", "1")
		r.xdotool("search", "--sync", "--onlyvisible", "--name", "^Open File", "windowfocus", "--sync")
		r.xdotool("type", "--delay", "15", file)
		r.xdotool("key", "alt+o")
		r.xdotool("search", "--sync", "--onlyvisible", "--name", "^Tea: note.txt")
		if err := r.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if text := r.ends(0, "trails/tea.trail.yaml"); strings.Contains(text, "note.txt") {
			t.Errorf("the trail has a file that it would not find:\n%s", text)
		}
		if want := `Not recorded: record upload: "note.txt", which was chosen, is not in ` + r.Dir + ". Copy it there"; !strings.Contains(r.warned.String(), want) {
			t.Errorf("the command does not say %q: %s", want, r.warned.String())
		}
	})
	t.Run("the place is taken meanwhile", func(t *testing.T) {
		r := recordIn(t, `<button style="position:fixed;inset:0" onclick="this.textContent='Bought'">Buy</button>`)
		r.xdotool("click", "1")
		r.says(`Clicked button "Buy"`)
		const other = "trail:\n  - step: Look\n    recording: {web: [{web_verifyTextVisible: {text: x}}]}\n"
		if err := os.WriteFile(filepath.Join(r.Dir, "trails", "tea.trail.yaml"), []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if text := r.ends(3, "trails/tea.draft.yaml"); !strings.HasPrefix(text, "# This recording was not saved: ") ||
			!strings.Contains(text, "Click the button “Buy”") {
			t.Errorf("the draft does not say so, or what was done:\n%s", text)
		}
	})
	t.Run("close, and no way back", func(t *testing.T) {
		r := recordIn(t, `<button style="position:fixed;inset:0" onclick="fetch('/sold').then(()=>{this.textContent='Sold'})">Buy</button>`)
		r.xdotool("click", "1")
		r.says(`Clicked button "Buy"`)
		r.xdotool("key", "ctrl+w")
		text := r.ends(1, "trails/tea.draft.yaml")
		if !strings.HasPrefix(text, "# The replay of this recording did not pass: step 2, \"Click the button “Buy”\"") {
			t.Errorf("the draft does not say what differed:\n%s", text)
		}
	})
}

// recording is trailblaze record with a page on which the mouse and the focus are.
type recording struct {
	*exec.Cmd
	t      *testing.T
	lines  *bufio.Scanner
	said   strings.Builder
	warned bytes.Buffer
}

// recordIn begins to record in a page, which has nothing in it after a request for /sold.
func recordIn(t *testing.T, body string) *recording {
	t.Helper()
	mux := http.NewServeMux()
	sold := make(chan struct{})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		shown := body
		select {
		case <-sold:
			shown = "Sold out"
		default:
		}
		_, _ = fmt.Fprintf(w, "<title>Tea</title>%s", shown)
	})
	mux.HandleFunc("/sold", func(http.ResponseWriter, *http.Request) { close(sold) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "trails"), 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{"record", s.URL}
	if path, err := exec.LookPath("chromium"); err == nil { // the headless shell has no window
		args = append(args, "--browser", path)
	}
	r := &recording{Cmd: ours(t, filepath.Join(dir, "home"), args...), t: t}
	r.Dir = dir
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Stderr = &r.warned
	r.lines = bufio.NewScanner(out)
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	r.says("Act in the browser")
	r.xdotool("search", "--sync", "--onlyvisible", "--name", "^Trailblaze: recording")
	r.xdotool("search", "--sync", "--onlyvisible", "--name", "^Tea", "windowfocus", "--sync", "mousemove", "--window", "%1", "600", "500")
	return r
}

func (r *recording) xdotool(args ...string) {
	r.t.Helper()
	if out, err := exec.CommandContext(r.t.Context(), "xdotool", args...).CombinedOutput(); err != nil {
		r.t.Fatalf("xdotool %q: %v %s", args, err, out)
	}
}

// says waits until the command writes a text.
func (r *recording) says(text string) {
	r.t.Helper()
	for r.lines.Scan() {
		r.said.WriteString(r.lines.Text() + "\n")
		if strings.Contains(r.lines.Text(), text) {
			return
		}
	}
	_ = r.Wait()
	r.t.Fatalf("%q was not said: %s%s", text, r.said.String(), r.warned.String())
}

// ends waits for the end of the command, and returns the file that it wrote.
func (r *recording) ends(status int, file string) string {
	r.t.Helper()
	for r.lines.Scan() {
		r.said.WriteString(r.lines.Text() + "\n")
	}
	_ = waittest.Ended(r.t, r.Wait, "the command ends")
	text, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(file)))
	if got := r.ProcessState.ExitCode(); got != status || err != nil {
		r.t.Errorf("exit status %d, want %d: %v\n%s%s", got, status, err, r.said.String(), r.warned.String())
	}
	return string(text)
}
