package proc

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

func detach(cmd *exec.Cmd, inherit []*os.File) error {
	attr := &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS,
		HideWindow: true}
	for _, f := range inherit {
		h := syscall.Handle(f.Fd())
		if err := windows.SetHandleInformation(windows.Handle(h), windows.HANDLE_FLAG_INHERIT,
			windows.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
		attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, h)
	}
	cmd.SysProcAttr = attr
	return nil
}

func undeleted(path string) string { return path }
