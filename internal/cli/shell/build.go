package shell

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Version is set by builds of the Makefile and of a release (-ldflags "-X …/internal/cli/shell.Version=1.2.3").
var Version string

// Commit is set as Version is.
var Commit string

type versionDoc struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// BuildVersion asks the linker first, then what the go command stamped into the binary.
func BuildVersion() versionDoc {
	v := versionDoc{
		Schema: "trailblaze.version/1", Version: Version, Commit: Commit,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v.Version == "" && info.Main.Version != "(devel)" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = cmp.Or(v.Commit, s.Value)
			case "vcs.modified":
				v.Dirty = s.Value == "true"
			}
		}
	}
	if v.Version == "" {
		v.Version = "dev"
	}
	return v
}
