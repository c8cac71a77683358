package worker

import "golang.org/x/sys/unix"

// limit bounds the memory of the process: what is beyond ends it. It leaves no core behind.
func limit() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: hardMemory, Max: hardMemory})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
