package workspace

import (
	"github.com/trailblaze-dev/trailblaze/internal/extern"
	"github.com/trailblaze-dev/trailblaze/internal/script"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/yamltool"
)

// makers are the kinds of sources, in the order of precedence: of two tools with one name the earlier stays.
func makers() []source.Maker {
	return []source.Maker{
		yamltool.New,
		script.New,
		extern.New,
	}
}
