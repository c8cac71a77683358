package handover

import (
	"os"
	"strconv"
)

// Run leaves every command to its process: sockets need package net here.
func Run([]string) (status int, done bool) { return 0, false }

// tab names the terminal this process belongs to: the tab of Windows Terminal, else the shell that started it.
func tab() string {
	if tab := os.Getenv("WT_SESSION"); tab != "" {
		return tab
	}
	return strconv.Itoa(os.Getppid())
}
