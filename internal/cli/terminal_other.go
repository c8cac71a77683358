//go:build !unix

package cli

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

// ours says whether a file belongs to this user. The system's folder for temporary files is the user's own here.
func ours(os.FileInfo) bool { return true }
