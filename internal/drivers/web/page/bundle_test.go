package page_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page/gen/bundle"
)

// TestBundleIsCurrent proves that the embedded script is what src says.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := bundle.Build("src/index.ts")
	if err != nil {
		t.Fatal(err)
	}
	if page.Source != string(want) {
		t.Error("dist/page.js is out of date; run go generate ./internal/drivers/web/page")
	}
}
