//go:build unix

package proc

import (
	"io/fs"
	"os"
	"syscall"
)

// owned says whether a file belongs to this user.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
