// Package parity calls every tool through every door and compares what each door says and what the session's log keeps.
package parity
