//go:build runner

package workspace

import (
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
)

// makers are those of OnDeviceMakers, and nothing else is linked.
func makers() []source.Maker { return []source.Maker{yamltool.New, script.New} }

func serve(source.Options) func(source.Server) source.Service { return nil }
