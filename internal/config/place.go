package config

import (
	"cmp"
	"os"
	"path/filepath"
)

// HomeOf is the folder of the user's sessions, settings and daemon, without reading anything. env is os.Getenv's shape.
func HomeOf(env func(string) string) (string, error) { return home(env) }

// WorkspaceOf is the root of the project that a client in dir works in: what TRAILBLAZE_CONFIG_DIR stands in; else
// the nearest folder above with trails/config/trailblaze.yaml; else the nearest with a .git; else dir itself. A
// client's files are confined to it, so it is never a folder above all of these, and never "" when dir is not.
func WorkspaceOf(dir string, env func(string) string) string {
	if env != nil {
		if set := env(EnvConfigDir); set != "" {
			if root := workspaceOf(set); root != "" {
				return root
			}
		}
	}
	abs, err := filepath.Abs(cmp.Or(dir, "."))
	if err != nil {
		return dir
	}
	for _, mark := range []string{filepath.Join("trails", "config", fileName), ".git"} {
		if root := above(abs, mark); root != "" {
			return root
		}
	}
	return abs
}

// above is the nearest folder, dir or one above it, that holds name.
func above(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// UserFile is the user's own settings file, which may not exist yet.
func (c *Config) UserFile() string { return filepath.Join(c.Home, fileName) }

// WorkspaceFile is the settings file of the workspace, "" outside any.
func (c *Config) WorkspaceFile() string { return c.manifestPath }
