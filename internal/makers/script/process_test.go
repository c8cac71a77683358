package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// service is a server that is never started.
type service struct {
	name string
	open map[string]bool
}

func (s service) Origin() string { return s.name }
func (s service) Load(context.Context) ([]tool.Tool, []tool.Problem, error) {
	return nil, nil, nil
}
func (s service) Close() error                                        { delete(s.open, s.name); return nil }
func (s service) Notify(func()) func()                                { return func() {} }
func (s service) Processes(context.Context) ([]source.Process, error) { return nil, nil }
func (s service) Started() string                                     { return "" }
func (s service) Retire()                                             { _ = s.Close() }

// TestCutLoadForgetsNoProcess: a load that is cut short keeps the processes of the files that it does not come to, so
// that Close ends them.
func TestCutLoadForgetsNoProcess(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.ts", "b.ts"} {
		text := "import { trailblaze } from \"@trailblaze/scripting\";\n/** Says it. */\n" +
			"export const say_" + name[:1] + " = trailblaze.tool<{}, string>({ runtime: \"subprocess\" }, async () => \"x\");\n"
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := map[string]bool{}
	h := Processes(source.Options{
		Root: root, Home: t.TempDir(), Folders: []source.Folder{{Dir: "."}}, Env: func(string) string { return "/bin/true" },
		Serve: func(s source.Server) source.Service {
			open[s.Name] = true
			return service{s.Name, open}
		},
	})[0]
	if _, problems, err := h.Load(t.Context()); err != nil || len(problems) > 0 || len(open) != 2 {
		t.Fatalf("%v, %v, and %v are open", problems, err, open)
	}
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := h.Load(cut); !errors.Is(err, context.Canceled) {
		t.Errorf("the cut load says %v", err)
	}
	if err := h.Close(); err != nil || len(open) > 0 {
		t.Errorf("%v, and %v are open", err, open)
	}
}
