package mcp

import (
	"flag"
	"os"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var withClients = flag.Bool("clients", false, "run the scripts of the TypeScript SDK and the Inspector (`make e2e-mcp` installs them), and what takes long")

// ifAsked leaves out a test that takes long, which make e2e-mcp has.
func ifAsked(t *testing.T) {
	t.Helper()
	if !*withClients {
		t.Skip("make e2e-mcp runs this")
	}
}

// current and upgraded are two builds of the product.
var current, upgraded string

func TestMain(m *testing.M) {
	os.Exit(housetest.Main(m, map[string]*string{"v1.0.0": &current, "v2.0.0": &upgraded}))
}
