// Package e2e tests the built binary from outside: the state that survives when it is killed, how soon it stops when
// asked.
package e2e
