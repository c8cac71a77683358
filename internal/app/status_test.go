package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMemoryOf reads the share of a process, in which the pages of its own program hardly count, never its resident size.
func TestMemoryOf(t *testing.T) {
	rollup := filepath.Join(t.TempDir(), "rollup")
	text := "00400000-7fff ---p 00000000 00:00 0    [rollup]\nRss:       9000 kB\nPss:       2240 kB\nPss_Dirty:  1 kB\nAnonymous:  112 kB\n"
	if err := os.WriteFile(rollup, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if m := memoryOf(rollup); m == nil || *m != (Memory{PSS: 2240 << 10, Anonymous: 112 << 10}) {
		t.Errorf("read %+v", m)
	}
	if m := memoryOf(rollup + "2"); m != nil {
		t.Errorf("a system that does not say it gives %+v", m)
	}
}
