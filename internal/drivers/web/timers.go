package web

import _ "embed"

// timersScript runs in the page's own world, for only there the timers that a page sets can be heard. An action waits for
// those that the action before it started: see overdue in settle.ts.
//
//go:embed timers.js
var timersScript string
