package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// house is a home, a workspace, a folder for temporary files and a daemon of their own.
type house struct {
	t                *testing.T
	home, work, temp string
	env              []string
	boot             struct {
		PID    int    `json:"pid"`
		Socket string `json:"socket"`
		Token  string `json:"token"`
	}
}

func newHouse(t *testing.T) *house {
	t.Helper()
	root, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"), temp: filepath.Join(root, "tmp")}
	h.env = append(os.Environ(), "TRAILBLAZE_HOME="+h.home, "TRAILBLAZE_PORT=-1", "TRAILBLAZE_CONFIG_DIR=", "NO_COLOR=1", "TMPDIR="+h.temp)
	for _, dir := range []string{h.home, h.temp, filepath.Join(h.work, "trails")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		h.run("daemon", "stop", "--all")
		if err := os.RemoveAll(root); err != nil {
			t.Log(err)
		}
	})
	return h
}

// start starts the daemon and reads its boot file, as any client of this user can.
func (h *house) start() {
	h.t.Helper()
	if out, code := h.run("daemon", "start"); code != 0 {
		h.t.Fatalf("daemon start: %s", out)
	}
	files, err := filepath.Glob(filepath.Join(h.home, "run", "*", "daemon.json"))
	if err != nil || len(files) != 1 {
		h.t.Fatalf("boot files: %v %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(data, &h.boot)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// log is what the daemon has written to its log.
func (h *house) log() string {
	h.t.Helper()
	files, err := filepath.Glob(filepath.Join(h.home, "run", "*", "daemon.log"))
	if err != nil || len(files) != 1 {
		h.t.Fatalf("logs: %v %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

// run runs the product as a person at a shell does.
func (h *house) run(args ...string) (string, int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = h.env, h.work
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return string(out), exit.ExitCode()
	case err != nil:
		h.t.Errorf("%v: %v", args, err)
		return string(out), -1
	}
	return string(out), 0
}

// answer is what POST /v1/call gave.
type answer struct {
	Result *struct {
		Content []struct{ Type, Text string } `json:"content"`
		IsError bool                          `json:"isError"`
	} `json:"result"`
	Fault    *struct{ Kind, Message, Hint string } `json:"fault"`
	Error    *struct{ Kind, Message, Hint string } `json:"error"` // the door's
	Warnings []string                              `json:"warnings"`

	raw  string
	took time.Duration
}

func (a answer) ok() bool {
	return a.Fault == nil && a.Error == nil && (a.Result == nil || !a.Result.IsError)
}

// call calls a tool through the JSON door.
func (h *house) call(tool string, args map[string]any) answer {
	h.t.Helper()
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", h.boot.Socket)
	}}}
	body, err := json.Marshal(map[string]any{"client": "test", "workspace": h.work, "tool": tool, "args": args})
	if err != nil {
		h.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, "http://trailblaze/v1/call", bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.boot.Token)
	req.Header.Set("Content-Type", "application/json")
	began := time.Now()
	res, err := client.Do(req)
	if err != nil {
		h.t.Fatalf("%s: %v", tool, err)
	}
	defer func() { _ = res.Body.Close() }()
	var text bytes.Buffer
	if _, err := text.ReadFrom(res.Body); err != nil {
		h.t.Fatal(err)
	}
	a := answer{raw: text.String(), took: time.Since(began)}
	if err := json.Unmarshal(text.Bytes(), &a); err != nil {
		h.t.Fatalf("%s: %v: %s", tool, err, a.raw)
	}
	return a
}

// must is call for what has to work, and has to show each of the texts.
func (h *house) must(tool string, args map[string]any, shows ...string) answer {
	h.t.Helper()
	a := h.call(tool, args)
	if !a.ok() {
		h.t.Fatalf("%s %v after %s: %.600s", tool, args, a.took, a.raw)
	}
	for _, s := range shows {
		if !strings.Contains(a.raw, s) {
			h.t.Fatalf("%s %v does not show %q: %.600s", tool, args, s, a.raw)
		}
	}
	return a
}

// served serves pages by path.
func served(t *testing.T, docs map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := docs[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}
