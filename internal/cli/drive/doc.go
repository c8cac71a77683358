// Package drive holds the commands that call tools on a device: tool, snapshot and toolbox.
package drive
