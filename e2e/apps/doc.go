// Package apps replays recorded trails on foreign pages (swagger-ui, TinyMCE, Shoelace, TodoMVC in many frameworks,
// widget libraries), with the built binary, many times and on harmless variants of the pages: `make e2e-apps`. Flows
// are performed live, as an agent does, and saved by `make record-flows`; no trail of a flow is edited.
//
// A variant has to be harmless: names that a library uses for its own tags, roles or strings are no ids and classes,
// and renaming them breaks the app itself. Red now and then: monaco, whose first click goes to the word "return",
// which is not always an element of its own; one of 30 replays on a loaded machine found no such word within its time.
package apps
