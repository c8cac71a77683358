package file

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Plain is the name of a file below a workspace that a page or a script may ask for. Files
// whose names begin with a dot hold keys and settings of other programs, trails/config says what a session may do, and a
// link may lead anywhere: these are refused.
func Plain(op string, root *os.Root, name string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return "", fault.New(fault.Denied, op, "%s leads out of the workspace or to a hidden file", name).
				WithHint("Name a file below the workspace, none of whose folders begins with a dot.")
		}
	}
	if path.IsAbs(clean) || strings.HasPrefix(strings.ToLower(clean)+"/", "trails/config/") {
		return "", fault.New(fault.Denied, op, "%s is no file for a tool", name).
			WithHint("Name a file below the workspace and outside of trails/config.")
	}
	for at := clean; at != "."; at = path.Dir(at) {
		if info, err := root.Lstat(filepath.FromSlash(at)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fault.New(fault.Denied, op, "%s is a link, which may lead anywhere", at).
				WithHint("Name the file itself.")
		}
	}
	return filepath.FromSlash(clean), nil
}
