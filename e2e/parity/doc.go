// Package parity calls every tool through every door and compares the replies of the doors and the session's log.
package parity
