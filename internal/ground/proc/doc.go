// Package proc is the only package that may start a process. A started process leads its own group (a job object on
// Windows), so that Kill takes its children along, and it is always waited for: a Process whose Done channel is closed
// has left no zombie.
//
// The browser launcher and everything else that needs a program call it. A Process is safe for concurrent use.
//
//	p, err := proc.Start(proc.Spec{Path: "/usr/bin/chromium", Args: args, Stderr: tail})
//	defer p.Kill()
package proc
