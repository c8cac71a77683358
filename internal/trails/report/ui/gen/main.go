// Command gen bundles ../src into ../dist. Run it with "go generate" in the report folder after every change of a
// source file; TestBundleIsCurrent fails when somebody forgot.
package main

import (
	"log/slog"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/internal/trails/report/ui/gen/bundle"
)

func main() {
	files, err := bundle.Build("ui")
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join("ui", "dist", name), data, 0o644)
		}
	}
	if err != nil {
		slog.Error("bundle report page", "err", err)
		os.Exit(1)
	}
}
