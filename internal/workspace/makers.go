package workspace

import (
	"github.com/trailblaze-dev/trailblaze/internal/script"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
)

// makers are the kinds of sources, in the order of precedence: of two tools with one name the earlier stays.
func makers() []source.Maker {
	return []source.Maker{
		script.New,
	}
}
