//go:build !unix

package shell

import (
	"os"
	"strconv"
)

// terminalKey names the terminal this process belongs to: the tab of Windows Terminal, else the shell that started it.
func terminalKey() string {
	if tab := os.Getenv("WT_SESSION"); tab != "" {
		return tab
	}
	return strconv.Itoa(os.Getppid())
}

// Ours says whether a file belongs to this user. The system's folder for temporary files is the user's own here.
func Ours(os.FileInfo) bool { return true }
