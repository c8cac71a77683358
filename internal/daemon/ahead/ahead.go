// Package ahead hands commands over to the daemon that runs, before the rest of the program is initialized, which takes
// some 4 ms. Go initializes a package as soon as what it imports is, the first path first, so this package, which
// imports little, comes before the large ones. docs/adr/0014-commands-in-the-daemon.md has the figures.
package ahead

import (
	"os"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

func init() {
	if args := os.Args[min(1, len(os.Args)):]; handover.Takes(args) {
		if status, done := handover.Run(args); done {
			os.Exit(status) //nolint:forbidigo // as main does
		}
	}
}
