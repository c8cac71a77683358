package cli

import (
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/policy"
)

// loadPolicy reads the policy that holds in a workspace. It is the one place that decides which file that is.
func loadPolicy(cfg *config.Config, workspace string, log *slog.Logger) (*policy.Policy, error) {
	return policy.Load(policyOptions(cfg, workspace, log))
}

// policyOptions say which file. A setting in the project's own file is relative to the project, any other to where it was
// given.
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
