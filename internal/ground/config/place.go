package config

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

// WorkspaceOf returns the root of the project that a client in dir works in: the parent of TRAILBLAZE_CONFIG_DIR; else
// the nearest folder above with trails/config or trailblaze.yaml; else the nearest with a .git; else dir itself. A
// client's files are confined to it, so it is never a folder above all of these, and never "" when dir is not.
func WorkspaceOf(dir string, env func(string) string) string {
	if env == nil {
		env = func(string) string { return "" }
	}
	if set := env(homedir.EnvConfig); set != "" {
		if root := workspaceOf(set); root != "" {
			return root
		}
	}
	abs, err := filepath.Abs(cmp.Or(dir, "."))
	if err != nil {
		return dir
	}
	c := &Config{}
	c.Home, _ = homedir.Of(env)
	for _, is := range []func(string) bool{
		c.isWorkspace, func(dir string) bool { return exists(filepath.Join(dir, ".git")) },
	} {
		if root := above(abs, is); root != "" {
			return root
		}
	}
	return abs
}

// isWorkspace reports whether a folder is the root of a project: it holds its settings or its tools.
func (c *Config) isWorkspace(dir string) bool {
	return exists(filepath.Join(dir, "trails", "config")) || c.isRoot(dir)
}

// isRoot reports whether a folder is a project by a trailblaze.yaml directly in it. One in trails/config belongs to
// the folder above, one in the home folder to the user; and old trails have that name too.
func (c *Config) isRoot(dir string) bool {
	path := filepath.Join(dir, fileName)
	return exists(path) && workspaceOf(dir) == "" && dir != c.Home && !isTrail(path)
}

// isTrail looks for the beginning of an old trail: a list, or the keys of a trail at the top.
func isTrail(path string) bool {
	data, err := file.Read(path, maxFile)
	if err != nil {
		return false
	}
	first := true
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		text := strings.TrimSpace(line)
		if text == "" || text == "---" || text[0] == '#' {
			continue
		}
		if first && strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "trail:") ||
			strings.HasPrefix(line, "trailhead:") {
			return true
		}
		first = false
	}
	return false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// above is the nearest folder, dir or one above it, of which is holds.
func above(dir string, is func(dir string) bool) string {
	for {
		if is(dir) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// WorkspaceFile is the settings file of the workspace that wins over the other, and that changes are written to: the
// one in trails/config, unless there is only the one in the root folder. "" outside any workspace.
func (c *Config) WorkspaceFile() string {
	if c.rootPath != "" && !exists(c.manifestPath) {
		return c.rootPath
	}
	return c.manifestPath
}

// TrailsDir is the folder of the project's trails, "" outside any workspace.
func (c *Config) TrailsDir() string {
	dir := filepath.FromSlash(c.String("trails-dir"))
	if c.Workspace == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(c.Workspace, dir)
}
