package proc

import "os/exec"

// LookPath finds a program by name in PATH. It stands here so that nothing else has a reason to import os/exec.
func LookPath(name string) (string, error) { return exec.LookPath(name) }
