// Command gen bundles ../src into ../dist/page.js. Run it with "go generate" in the page folder after every change of a
// .ts file; TestBundleIsCurrent fails when somebody forgot.
package main

import (
	"log/slog"
	"os"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page/gen/bundle"
)

func main() {
	out, err := bundle.Build("src/index.ts")
	if err == nil {
		err = os.WriteFile("dist/page.js", out, 0o644)
	}
	if err != nil {
		slog.Error("bundle page script", "err", err)
		os.Exit(1)
	}
}
