// Package archtest holds the house rules as tests: which folder may import which, that every package says what it is,
// which names are banned, how long a file may get, and that what documents link to and name is there. It has no code of its own; `go test ./internal/archtest` reads
// the source tree. A rule that is in the way is changed here, with its reason, never worked around.
package archtest
