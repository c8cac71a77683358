//go:build windows

package proc

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object that kills everything in it when its last handle closes, so also when we die.
type group struct {
	mu  sync.Mutex
	job windows.Handle
}

func (*group) prepare(cmd *exec.Cmd, inherit []*os.File) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	for _, f := range inherit {
		h := syscall.Handle(f.Fd())
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, h)
	}
	return nil
}

func (g *group) adopt(p *os.Process) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return err
	}
	g.mu.Lock()
	g.job = job
	g.mu.Unlock()
	return nil
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(job, h)
}

func (g *group) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

func (g *group) killGroup(leader *os.Process) {
	g.mu.Lock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	g.mu.Unlock()
	if leader != nil {
		_ = leader.Kill()
	}
}

// HandleOf returns the number by which the process will know an inherited file.
func HandleOf(f *os.File, _ int) uint64 { return uint64(f.Fd()) }

// Bound does nothing: the bounds of a process are set by its parent here.
func Bound(uint64) error { return nil }

// AdoptOrphans does nothing: only Linux hands the processes that a child leaves behind to the child's parent.
func AdoptOrphans() (end func()) { return func() {} }
