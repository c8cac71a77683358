package app

import (
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
)

// policyOptions name the policy file of a workspace. A setting in the project's own file is relative to the project,
// any other to the working directory.
func policyOptions(cfg *config.Config, workspace string, log *slog.Logger) policy.Options {
	o := policy.Options{Workspace: workspace, Log: log}
	if s, err := cfg.Get("policy"); err == nil && s.Value != "" {
		o.File = s.Value
		if !filepath.IsAbs(o.File) && s.Source != "flag" && !strings.HasPrefix(s.Source, "$") {
			o.File = filepath.Join(workspace, o.File)
		}
	}
	if url := cfg.String("base-url"); url != "" {
		o.Base = []string{url}
	}
	return o
}
