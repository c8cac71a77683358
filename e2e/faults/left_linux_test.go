package faults

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// The next daemon removes the temporary folders of a killed one. Folders of living processes and of other programs
// stay.
func TestKilledDaemonLeavesNothing(t *testing.T) {
	h := newHouse(t)
	h.Start()
	url := served(t, map[string]string{"/": `<input type=file aria-label="Paper">`})
	if err := os.WriteFile(filepath.Join(h.Work, "paper.txt"), []byte("paper"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("web_navigate", map[string]any{"url": url}, "Paper")
	h.must("web_uploadFile", map[string]any{"nodeSelector": map[string]any{"web": map[string]any{"cssSelector": "input"}}, "paths": []string{"paper.txt"}})
	held := strings.Join(h.temporary(), " ")
	for _, kind := range []string{"trailblaze-browser-", "trailblaze-upload-", "trailblaze-downloads-"} {
		if !strings.Contains(held, kind) {
			t.Fatalf("there is no %s among %s", kind, held)
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	foreign := []string{"trailblaze-browser-" + host + "-1-x", "trailblaze-mine", "org.chromium.Chromium.other"}
	for _, name := range foreign {
		if err := os.Mkdir(filepath.Join(h.Temp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	browsers := family(h.Boot.PID)
	if err := syscall.Kill(h.Boot.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for pid := range browsers { // they die with the daemon
		waittest.Until(t, func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) }, "the browser of a dead daemon ends")
	}
	h.Start()
	h.must("device", map[string]any{"action": "LIST"})
	if left := h.temporary(); strings.Join(left, " ") != "org.chromium.Chromium.other trailblaze-browser-"+host+"-1-x trailblaze-mine" {
		t.Errorf("left: %s", strings.Join(left, "\n"))
	}
}

// temporary lists the folder for temporary files.
func (h *house) temporary() (names []string) {
	h.T.Helper()
	entries, err := os.ReadDir(h.Temp)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
