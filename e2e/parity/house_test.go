package parity

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/policy"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// house is a workspace with tools of each kind, a daemon for it, and a page to call them on.
type house struct {
	t    *testing.T
	home string
	work string
	url  string
	env  []string
	boot housetest.Boot
}

func newHouse(t *testing.T) *house {
	t.Helper()
	root := housetest.Root(t, 0o700, "home")
	h := &house{t: t, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"), url: pages(t)}
	if err := os.CopyFS(h.work, os.DirFS("workspace")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil { // what runs in a process of its own needs one
		t.Log("there is no node on PATH: the tools in TypeScript that run on it are left out")
		if err := os.Remove(filepath.Join(h.work, "trails/config/tools/apart.ts")); err != nil {
			t.Fatal(err)
		}
	}
	h.write("note.txt", "a note")
	server := "mcpServers:\n  - name: acme\n    command: " + os.Args[0] + "\n    env: { " + serverEnv + ": \"1\" }\n"
	h.write("trailblaze.yaml", server)
	h.env = append(os.Environ(), "TRAILBLAZE_HOME="+h.home, "TRAILBLAZE_PORT=0", "TRAILBLAZE_CONFIG_DIR=", "NO_COLOR=1",
		"TRAILBLAZE_TRUST=1", "TRAILBLAZE_SECRET_"+secretName+"="+secretValue)
	t.Cleanup(func() { h.run(t, "daemon", "stop", "--all") })
	h.run(t, "daemon", "start")
	h.boot = housetest.TheBoot(t, h.home)
	return h
}

func (h *house) write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.work, name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) run(t *testing.T, args ...string) {
	t.Helper()
	if s := housetest.Run(context.WithoutCancel(t.Context()), t, binary, h.work, h.env, args...); s.Code != 0 {
		t.Errorf("%v: %s%s", args, s.Out, s.Err)
	}
}

// pages serves the page that the table of calls is for.
func pages(t *testing.T) string {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(os.DirFS(filepath.Join("..", "mcp", "pages"))))
	mux.HandleFunc("/report.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=report.csv")
		_, _ = w.Write([]byte("a,b\n1,2\n"))
	})
	mux.HandleFunc("/beacon", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// runner wires the workspace as `trailblaze run` does, in this process.
func (h *house) runner() *app.Runner {
	h.t.Helper()
	env := func(name string) string {
		return map[string]string{"TRAILBLAZE_HOME": filepath.Join(h.home, "run"), "TRAILBLAZE_TRUST": "1"}[name]
	}
	cfg, err := config.Load(config.Sources{Dir: h.work, Env: env})
	if err != nil {
		h.t.Fatal(err)
	}
	pol, err := app.NewWorkspace(h.work, cfg, nil).Policy.Current()
	if err != nil {
		h.t.Fatal(err)
	}
	back := callback.New(callback.Options{})
	tools, err := app.Tools(app.ToolOptions{
		Root: h.work, Home: cfg.Home, Env: env, Trust: true, Callback: back, Log: slog.New(slog.DiscardHandler),
		Config: func() (*config.Config, error) { return cfg, nil },
	})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	if err := tools.Wait(ctx); err != nil {
		h.t.Fatal(err)
	}
	for _, p := range tools.Problems() {
		h.t.Errorf("%v", p)
	}
	r := app.NewRunner(app.RunnerOptions{
		Tools: tools, Callback: back, Device: devices.Spec{ID: "web", Workspace: h.work}, Sessions: cfg.Sessions(),
		Devices: app.NewDevices(app.DeviceOptions{
			Config: cfg, Keep: true, Policy: func(string) (*policy.Policy, error) { return pol, nil },
		}),
		Middleware: []dispatch.Middleware{pol.Middleware()}, Version: "parity",
	})
	h.t.Cleanup(func() { r.Close(context.Background()) })
	if r.Registry, err = r.Registry.With(goTool()); err != nil {
		h.t.Fatal(err)
	}
	r.Dispatcher = dispatch.New(dispatch.Options{Registry: r.Registry, Middleware: r.Middleware})
	back.Bind(r.Dispatcher)
	return r
}

// session opens a device of the runner.
func (h *house) session(r *app.Runner, title string) *session.Session {
	h.t.Helper()
	mem := memory.New()
	mem.SetSecret(secretName, secretValue)
	s, end, err := r.Session(h.t.Context(), title, mem, nil, true)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { end(context.Background(), event.Passed, nil) })
	return s
}

// logOf reads what the daemon has logged of a device.
func (h *house) logOf(device string) func() ([]event.Event, error) {
	return func() ([]event.Event, error) {
		dirs, err := filepath.Glob(filepath.Join(h.home, "sessions", "*"))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			first, _, err := event.Ends(dir)
			if err != nil || first.Session == nil || first.Session.Device != device {
				continue
			}
			var all []event.Event
			for e, err := range event.Read(dir) {
				if err != nil {
					return nil, err
				}
				all = append(all, e)
			}
			return all, nil
		}
		return nil, fault.New(fault.NotFound, "read log", "no session on %s", device)
	}
}
