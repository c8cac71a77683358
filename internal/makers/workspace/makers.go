package workspace

import (
	"github.com/trailblaze-dev/trailblaze/internal/makers/extern"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
)

// Makers are the kinds of sources. A program is linked with those kinds alone that it names.
type Makers struct {
	Kinds []source.Maker // in the order of precedence: of two tools with one name the earlier stays
	// Serve makes the sources of servers that a maker has itself; nil: there are none.
	Serve func(source.Options) func(source.Server) source.Service
}

// AllMakers are those of every kind.
func AllMakers() Makers {
	return Makers{Kinds: []source.Maker{yamltool.New, script.New, script.Processes, extern.New}, Serve: extern.Serve}
}

// FileMakers are the makers of tools that are files: they start nothing, so that tools can be looked at.
func FileMakers() Makers {
	return Makers{Kinds: []source.Maker{yamltool.New, script.New, script.Described}}
}

// OnDeviceMakers are those that the runner of a bundle has: a phone has neither Node nor servers.
func OnDeviceMakers() Makers { return Makers{Kinds: []source.Maker{yamltool.New, script.New}} }
