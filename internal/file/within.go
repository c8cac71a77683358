package file

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Within opens the workspace for one Plain file of it.
func Within(op, root, name string, use func(*os.Root, string) error) error {
	r, err := os.OpenRoot(cmp.Or(root, "."))
	if err != nil {
		return fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = r.Close() }()
	clean, err := Plain(op, r, name)
	if err != nil {
		return err
	}
	err = use(r, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Wrap(err, fault.NotFound, op)
	case fault.KindOf(err) == fault.Internal: // what the file system says of a name that cannot be
		return fault.Wrap(err, fault.Invalid, op)
	}
	return fault.Wrap(err, "", op)
}
