package file

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Within opens the workspace for one file of it. Files whose names begin with a dot hold keys and settings of other
// programs, and trails/config says what a session may do: no page talks an agent into these, and no script reads
// or writes them.
func Within(op, root, name string, use func(*os.Root, string) error) error {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return fault.New(fault.Denied, op, "%s leads out of the workspace or to a hidden file", name).
				WithHint("Name a file below the workspace, none of whose folders begins with a dot.")
		}
	}
	if path.IsAbs(clean) || strings.HasPrefix(strings.ToLower(clean)+"/", "trails/config/") {
		return fault.New(fault.Denied, op, "%s is no file for a tool", name).
			WithHint("Name a file below the workspace and outside of trails/config.")
	}
	r, err := os.OpenRoot(cmp.Or(root, "."))
	if err != nil {
		return fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = r.Close() }()
	for at := clean; at != "."; at = path.Dir(at) {
		if info, err := r.Lstat(filepath.FromSlash(at)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fault.New(fault.Denied, op, "%s is a link, which may lead anywhere", at).WithHint("Name the file itself.")
		}
	}
	err = use(r, filepath.FromSlash(clean))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(err, fault.NotFound, op)
	case fault.KindOf(err) == fault.Internal: // what the file system says of a name that cannot be
		return fault.Wrap(err, fault.Invalid, op)
	}
	return fault.Wrap(err, "", op)
}
