// Package ahead has the daemon start while the rest of the program is still being initialized. An MCP client waits for
// both processes, and each takes some 4 ms to initialize its packages. Go initializes a package as soon as what it
// imports is, the first path first, so this package, which imports little, comes before the large ones.
// docs/adr/0013-daemon-ahead.md has the figures.
package ahead

import (
	"os"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
)

func init() {
	if len(os.Args) > 1 && os.Args[1] == "mcp" && !slices.ContainsFunc(os.Args[2:], prints) {
		boot.Ahead(os.Environ())
	}
}

// prints reports whether an argument makes trailblaze mcp print something instead of serving a client.
func prints(arg string) bool {
	return arg == "-h" || arg == "--help" || strings.HasPrefix(arg, "--print-config")
}
