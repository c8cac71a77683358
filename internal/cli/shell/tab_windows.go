package shell

import (
	"os"
	"strconv"
)

// tab names the terminal this process belongs to: the tab of Windows Terminal, else the shell that started it.
func tab() string {
	if tab := os.Getenv("WT_SESSION"); tab != "" {
		return tab
	}
	return strconv.Itoa(os.Getppid())
}
