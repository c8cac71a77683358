//go:build unix

package boot

import (
	"io/fs"
	"os"
	"syscall"
)

func isOwn(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

func tooOpen(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
