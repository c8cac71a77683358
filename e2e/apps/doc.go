// Package apps replays recorded trails on pages nobody here wrote (swagger-ui, TinyMCE, Shoelace, TodoMVC in many frameworks,
// widget libraries), with the built binary, many times and on harmless variants of the pages: `make e2e-apps`. Flows are performed
// live, as an agent does, and saved by `make record-flows`; no trail of a flow is edited.
//
// Known to be red, and why. On pages whose classes are renamed: fullcalendar (its fingerprint is refused for the class alone,
// though the text is unique), jqueryui-datepicker ("Next" is saved by its class, though its text is unique), quill (its editor has
// neither name nor text), ag-grid (not understood). With one more row: fullcalendar (its neighbour was the day below) and choices
// (saved below the option above it). monaco failed once in three replays below a banner. material cannot be recorded: the label around a form-associated custom element is not its name.
package apps
