// Command trailblaze replays recorded trails on real browsers and devices. All it does is in package cli.
package main

import (
	"context"
	"os"

	"github.com/trailblaze-dev/trailblaze/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), cli.System(), os.Args[1:]))
}
