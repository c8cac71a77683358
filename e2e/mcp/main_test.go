package mcp

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var withClients = flag.Bool("clients", false, "run the scripts of the TypeScript SDK and the Inspector (`make e2e-mcp` installs them)")

// current and upgraded are two builds of the product.
var current, upgraded string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "tb-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for version, path := range map[string]*string{"v1.0.0": &current, "v2.0.0": &upgraded} {
		*path = filepath.Join(dir, "trailblaze-"+version)
		cmd := exec.Command("go", "build", "-trimpath", "-o", *path,
			"-ldflags", "-s -w -X github.com/trailblaze-dev/trailblaze/internal/cli.Version="+version, "../../cmd/trailblaze")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}
