package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is set by the release build (-ldflags "-X …/internal/cli.Version=v1.2.3").
var Version = ""

type versionDoc struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

type versionCmd struct{ *app }

func newVersion(a *app) *cobra.Command {
	c := &versionCmd{a}
	return &cobra.Command{
		Use: "version", Short: "Print the version", GroupID: "setup",
		Example: "  trailblaze version --json",
		Args:    exactly(0, "no arguments"),
		RunE:    work(c.Run),
	}
}

// Run prints the version.
func (c *versionCmd) Run(context.Context, []string) error {
	v := buildVersion()
	if c.json {
		return c.printJSON(v)
	}
	c.printf("trailblaze %s", v.Version)
	if v.Commit != "" {
		c.printf(" (%.12s)", v.Commit)
	}
	c.printf(" %s %s/%s\n", v.Go, v.OS, v.Arch)
	return nil
}

// buildVersion asks the linker first, then what the go command stamped into the binary.
func buildVersion() versionDoc {
	v := versionDoc{
		Schema: "trailblaze.version/1", Version: Version,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v.Version == "" && info.Main.Version != "(devel)" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
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
