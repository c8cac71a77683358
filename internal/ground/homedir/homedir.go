// Package homedir says where the user's own files are, and names the variables that say where files are. It imports
// little, because package ahead does not wait for more.
package homedir

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The variables of the environment that are read before any setting is.
const (
	Env       = "TRAILBLAZE_HOME"
	EnvConfig = "TRAILBLAZE_CONFIG_DIR" // the folder that holds the workspace's trailblaze.yaml
	EnvSecret = "TRAILBLAZE_SECRET_"    // begins the name of a variable that holds a secret
)

// Of is the folder of the user's own files, absolute. env is os.Getenv's shape.
func Of(env func(string) string) (string, error) {
	const op = "find home"
	dir := env(Env)
	if dir == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return "", fault.New(fault.Invalid, op, "%w", err).WithHint("Set $%s to a folder.", Env)
		}
		dir = filepath.Join(user, ".trailblaze")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, op)
	}
	if info, err := os.Stat(dir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return "", fault.New(fault.Denied, op,
			"other users can write in %s, so that they could plant settings and read sessions", dir).
			WithHint("Close it with `chmod go-w %s`, or set $%s to a folder of your own.", dir, Env)
	}
	return dir, nil
}

const browserEnv = "TRAILBLAZE_BROWSER"

// pathEnv are the variables that hold a path. The browser's may also be a name.
var pathEnv = []string{EnvConfig, "TRAILBLAZE_POLICY", "TRAILBLAZE_LOGS_DIR", "TRAILBLAZE_REPORTS_DIR", browserEnv}

// Absolute makes the relative paths in an environment absolute, for a process in another folder. It changes env and
// returns it.
func Absolute(env []string) []string {
	for i, e := range env {
		name, path, _ := strings.Cut(e, "=")
		if path == "" || !slices.Contains(pathEnv, name) || !strings.ContainsAny(path, `/\`) && name == browserEnv {
			continue
		}
		if abs, err := filepath.Abs(path); err == nil {
			env[i] = name + "=" + abs
		}
	}
	return env
}
