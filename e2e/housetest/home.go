package housetest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Home is a user of the program: a folder for the program's own files, a workspace, a folder for temporary files, and
// the environment of a shell in the workspace.
type Home struct {
	T               *testing.T
	Binary          string
	Root            string // of the folders
	Dir, Work, Temp string
	Env             []string
	Boot            Boot // of the daemon that Start has started
}

// NewHome makes a home for a binary, in folders that end with the test, as its daemons do. What the settings say comes
// last in the environment. The folders are open to other users: the program has to close what must be closed.
func NewHome(t *testing.T, binary string, settings ...string) *Home {
	t.Helper()
	root := Root(t, 0o755, "home", "tmp", "work/trails/config")
	h := &Home{
		T: t, Binary: binary, Root: root,
		Dir: filepath.Join(root, "home"), Work: filepath.Join(root, "work"), Temp: filepath.Join(root, "tmp"),
	}
	own := []string{"TRAILBLAZE_HOME=" + h.Dir, "TRAILBLAZE_PORT=0",
		"TRAILBLAZE_CONFIG_DIR=", "NO_COLOR=1", "TMPDIR=" + h.Temp}
	h.Env = slices.Concat(os.Environ(), own, settings)
	t.Cleanup(func() { h.Run("daemon", "stop", "--all") })
	return h
}

// Run runs the program in the workspace, also in the cleanup of a test.
func (h *Home) Run(args ...string) Output {
	h.T.Helper()
	return Run(context.WithoutCancel(h.T.Context()), h.T, h.Binary, h.Work, h.Env, args...)
}

// Start starts the daemon and reads its boot file, as any client of this user can.
func (h *Home) Start() {
	h.T.Helper()
	if s := h.Run("daemon", "start"); s.Code != 0 {
		h.T.Fatalf("daemon start: %s%s", s.Out, s.Err)
	}
	h.Boot = TheBoot(h.T, h.Dir)
}

// Write writes a file of the workspace, whose name has slashes, and returns its path.
func (h *Home) Write(name, text string) string {
	h.T.Helper()
	path := filepath.Join(h.Work, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.T.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.T.Fatal(err)
	}
	return path
}
