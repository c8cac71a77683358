// Package archtest holds the house rules as tests: which folder may import which, that every package says what it is,
// which names are banned and which words are retired, how long a file may get, and that what documents link to and
// name is there. It has no code of its own; `go test ./internal/ground/archtest` reads the source tree. Change a rule
// that is in the way here, with its reason; never work around it.
package archtest
