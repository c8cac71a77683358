//go:build unix

package shell

import (
	"os"
	"syscall"
)

// IsPrivate reports whether a file belongs to this user, and no other user may look into it.
func IsPrivate(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid() && info.Mode().Perm()&0o077 == 0
}
