package cli

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is generated, and the expected output of scripts")

const referenceFile = "../../docs/cli.md"

// TestReferenceIsCurrent proves that docs/cli.md says what the commands say.
func TestReferenceIsCurrent(t *testing.T) {
	want := Reference()
	if *update {
		if err := os.WriteFile(referenceFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("docs/cli.md is out of date, run go generate ./internal/cli (-want +got):\n%s", d)
	}
}
