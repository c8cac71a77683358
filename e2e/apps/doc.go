// Package apps replays recorded trails on pages nobody here wrote (swagger-ui, TinyMCE, Shoelace, TodoMVC in many frameworks,
// widget libraries), with the built binary, many times and on harmless variants of the pages: `make e2e-apps`. Flows are performed
// live, as an agent does, and saved by `make record-flows`; no trail of a flow is edited.
package apps
