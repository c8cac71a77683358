//go:build unix

package proc

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
)

func detach(cmd *exec.Cmd, inherit []*os.File) error {
	cmd.ExtraFiles = inherit
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return nil
}

// undeleted undoes what Linux says of a program whose file was replaced while it ran.
func undeleted(path string) string { return strings.TrimSuffix(path, " (deleted)") }
