package web

import (
	_ "embed"
)

// timersScript reports the timers that a page sets, which only its own world can intercept. An
// action waits for those that the action before it started: see overdue in settle.ts.
//
//go:embed timers.js
var timersScript string
