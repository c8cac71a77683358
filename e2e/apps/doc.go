// Package apps replays recorded trails on pages nobody here wrote (swagger-ui, TinyMCE, Shoelace), with the built binary,
// many times: `make e2e-apps`. One failure in all of them fails the test.
package apps
