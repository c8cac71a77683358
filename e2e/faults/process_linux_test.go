package faults

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// family lists the processes below pid, from the outside in, with their command lines.
func family(pid int) map[int]string {
	parents, words := map[int]int{}, map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range stats {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		rest := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		parents[id], _ = strconv.Atoi(rest[1])
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		words[id] = strings.ReplaceAll(string(line), "\x00", " ")
	}
	out := map[int]string{}
	for id := range parents {
		for p := id; p > 1; p = parents[p] {
			if p == pid {
				out[id] = words[id]
				break
			}
		}
	}
	return out
}

// crash ends the processes that draw pages, as a lack of memory does.
func (h *house) crash() {
	h.T.Helper()
	n := 0
	for pid, line := range family(h.Boot.PID) {
		if strings.Contains(line, "--type=renderer") && !strings.Contains(line, "--extension-process") {
			if err := syscall.Kill(pid, syscall.SIGKILL); err == nil {
				n++
			}
		}
	}
	if n == 0 {
		h.T.Fatal("no page runs")
	}
}

// zombie says whether a process has ended, all of its threads included.
func zombie(pid int) bool {
	if threads, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task")); err == nil && len(threads) > 1 {
		return false
	}
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || strings.HasPrefix(string(data[strings.LastIndexByte(string(data), ')')+1:]), " Z")
}
