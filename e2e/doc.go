// Package e2e looks at the built binary from outside: what survives when it is killed, how soon it stops when asked.
package e2e
