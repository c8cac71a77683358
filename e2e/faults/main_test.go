package faults

import (
	"flag"
	"os"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var (
	binary string // the product
	long   = flag.Bool("long", false, "also run the tests that take more than half a minute; make faults does")
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(hostileEnv); mode != "" {
		os.Exit(hostileServer(mode))
	}
	os.Exit(housetest.Main(m, map[string]*string{"": &binary}))
}

// longOnly leaves a test that waits out whole deadlines to `make faults`.
func longOnly(t *testing.T) {
	t.Helper()
	if !*long {
		t.Skip("takes long: make faults runs it")
	}
}
