package mcpstdio

import (
	"os"

	"golang.org/x/sys/windows"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func seize() (*os.File, error) {
	out := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "take stdout")
	}
	return out, nil
}
