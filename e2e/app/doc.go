// Package app drives the viewer of the built binary with the built binary, as a person with a mouse, with a keyboard
// and with a screen reader would, and holds it to what it promises of time and of tested pages. The trails are in
// trails/app.
package app
