// Package editor proves that an editor completes trails and marks mistakes in them: it speaks to the language server
// that editors use for YAML. `make editors` installs that.
package editor
