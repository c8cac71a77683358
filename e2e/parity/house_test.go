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
	*housetest.Home
	url string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{housetest.NewHome(t, binary, "TRAILBLAZE_TRUST=1", "TRAILBLAZE_SECRET_"+secretName+"="+secretValue), pages(t)}
	if err := os.CopyFS(h.Work, os.DirFS("workspace")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil { // what runs in a process of its own needs one
		t.Log("there is no node on PATH: the tools in TypeScript that run on it are left out")
		if err := os.Remove(filepath.Join(h.Work, "trails/config/tools/apart.ts")); err != nil {
			t.Fatal(err)
		}
	}
	h.Write("note.txt", "a note")
	server := "mcpServers:\n  - name: acme\n    command: " + os.Args[0] + "\n    env: { " + serverEnv + ": \"1\" }\n"
	h.Write("trailblaze.yaml", server)
	h.Start()
	return h
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
	h.T.Helper()
	env := func(name string) string {
		return map[string]string{"TRAILBLAZE_HOME": filepath.Join(h.Dir, "run"), "TRAILBLAZE_TRUST": "1"}[name]
	}
	cfg, err := config.Load(config.Sources{Dir: h.Work, Env: env})
	if err != nil {
		h.T.Fatal(err)
	}
	pol, err := app.NewWorkspace(h.Work, cfg, nil).Policy.Current()
	if err != nil {
		h.T.Fatal(err)
	}
	back := callback.New(callback.Options{})
	tools, err := app.Tools(app.ToolOptions{
		Root: h.Work, Home: cfg.Home, Env: env, Trust: true, Callback: back, Log: slog.New(slog.DiscardHandler),
		Config: func() (*config.Config, error) { return cfg, nil },
	})
	if err != nil {
		h.T.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.T.Context(), time.Minute)
	defer cancel()
	if err := tools.Wait(ctx); err != nil {
		h.T.Fatal(err)
	}
	for _, p := range tools.Problems() {
		h.T.Errorf("%v", p)
	}
	r := app.NewRunner(app.RunnerOptions{
		Tools: tools, Callback: back, Device: devices.Spec{ID: "web", Workspace: h.Work}, Sessions: cfg.Sessions(),
		Devices: app.NewDevices(app.DeviceOptions{
			Config: cfg, Keep: true, Policy: func(string) (*policy.Policy, error) { return pol, nil },
		}),
		Middleware: []dispatch.Middleware{pol.Middleware()}, Version: "parity",
	})
	h.T.Cleanup(func() { r.Close(context.Background()) })
	if r.Registry, err = r.Registry.With(goTool()); err != nil {
		h.T.Fatal(err)
	}
	r.Dispatcher = dispatch.New(dispatch.Options{Registry: r.Registry, Middleware: r.Middleware})
	back.Bind(r.Dispatcher)
	return r
}

// session opens a device of the runner.
func (h *house) session(r *app.Runner, title string) *session.Session {
	h.T.Helper()
	mem := memory.New()
	mem.SetSecret(secretName, secretValue)
	s, end, err := r.Session(h.T.Context(), title, mem, nil, true)
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { end(context.Background(), event.Passed, nil) })
	return s
}

// logOf reads what the daemon has logged of a device.
func (h *house) logOf(device string) func() ([]event.Event, error) {
	return func() ([]event.Event, error) {
		dirs, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*"))
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
