// Command trailblaze replays recorded trails on real browsers and devices. All it does is in package cli.
package main

import (
	"context"
	"os"

	"github.com/trailblaze-dev/trailblaze/internal/cli"
	_ "github.com/trailblaze-dev/trailblaze/internal/daemon/ahead" // it comes before the packages that take long
)

func main() {
	os.Exit(cli.Main(context.Background(), cli.System(), os.Args[1:]))
}
