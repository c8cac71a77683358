//go:build !unix

package shell

import "os"

// Ours reports whether a file belongs to this user. The system's folder for temporary files is the user's own here.
func Ours(os.FileInfo) bool { return true }
