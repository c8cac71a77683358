package clients

import (
	"os"
	"testing"
	"time"
)

// Calls that stand alone leave a client each: of very many, those unused for longest are swept before their week is
// over.
func TestStoredClientsAreBounded(t *testing.T) {
	now := time.Now()
	st := store{dir: t.TempDir(), now: func() time.Time { return now }}
	var first, last string
	for i := range maxStored + 3 {
		last = NewID()
		if i == 0 {
			first = last
		}
		if err := os.WriteFile(st.path(last), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := now.Add(time.Duration(i-maxStored-3) * time.Second)
		if err := os.Chtimes(st.path(last), at, at); err != nil {
			t.Fatal(err)
		}
	}
	st.sweep()
	if left, err := os.ReadDir(st.dir); err != nil || len(left) != maxStored {
		t.Errorf("%d are left, %v", len(left), err)
	}
	if _, err := os.Stat(st.path(first)); err == nil {
		t.Error("the longest unused is left")
	}
	if _, err := os.Stat(st.path(last)); err != nil {
		t.Error("the newest is gone")
	}
}
