//go:build !runner

package workspace

import (
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
)

// makers are the kinds of sources, in the order of precedence: of two tools with one name the earlier stays.
func makers() []source.Maker {
	return []source.Maker{
		yamltool.New,
		script.New,
		script.Processes,
		extern.New,
	}
}

// serve makes the sources of servers that a maker has itself.
func serve(o source.Options) func(source.Server) source.Service { return extern.Serve(o) }

// FileMakers are the makers of tools that are files: they start nothing, so that tools can be looked at.
func FileMakers() []source.Maker { return []source.Maker{yamltool.New, script.New, script.Described} }

// OnDeviceMakers are those that a runner on a phone has: a phone has neither Node nor servers.
func OnDeviceMakers() []source.Maker { return []source.Maker{yamltool.New, script.New} }
