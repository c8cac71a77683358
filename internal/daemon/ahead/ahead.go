// Package ahead does what need not wait until the rest of the program is initialized, which takes some 4 ms: it starts
// the daemon for trailblaze mcp, and hands commands over to the daemon that runs. Go initializes a package as soon as
// what it imports is, the first path first, so this package, which imports little, comes before the large ones.
// docs/adr/0013-daemon-ahead.md and 0014-commands-in-the-daemon.md have the figures.
package ahead

import (
	"os"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

func init() {
	switch args := os.Args[min(1, len(os.Args)):]; {
	case handover.Takes(args):
		if status, done := handover.Run(args); done {
			os.Exit(status) //nolint:forbidigo // as main does
		}
	case len(args) > 0 && args[0] == "mcp" && !slices.ContainsFunc(args[1:], prints):
		boot.Ahead(os.Environ())
	}
}

// prints reports whether an argument makes trailblaze mcp print something instead of serving a client.
func prints(arg string) bool {
	return arg == "-h" || arg == "--help" || strings.HasPrefix(arg, "--print-config")
}
