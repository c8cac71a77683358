// Package page is the script that runs inside every frame of a page, and its mirror in Go.
//
// The script (TypeScript under src, bundled into dist/page.js and embedded as Source) runs in an isolated world. It
// keeps state per document: a number for every element it ever showed, never reused in that document; the facts
// computed about the element; and the changes since. A second capture therefore computes and sends only the
// changes.
//
// Document is the other half: it applies a capture, whole or delta, and holds the frame's tree as screen.Nodes. It
// is not safe for concurrent use; the trees it hands out are. Only drivers of browsers use it.
//
//	result := evaluate(Global + ".capture(" + doc.Request(nil, false).String() + ")") // in the isolated world; a string
//	if err := doc.Apply(result); errors.Is(err, page.ErrStale) {
//		doc.Reset() // and capture again
//	}
//	root := doc.Tree()
//
// # How a capture works
//
// One record per element of the flat tree (src/tree.ts) keeps the facts known about it. Mutations and events mark
// records (src/dirty.ts); a capture brings structure and style up to date, recomputes marked facts (src/facts.ts),
// reads all boxes in one pass (src/geometry.ts), tests which are covered (src/cover.ts) and writes the difference
// (src/emit.ts, src/wire.ts). When the reach of a change is in doubt, everything is marked. Two things are not
// noticed until something else changes the same part, or a full capture is asked for: a declaration edited in place
// through the CSSOM, and a media query that turns without a resize.
//
// # Keeping it from the page
//
// No attribute, property, style or global is written to the page's own world. "Clickable" rests on the element's
// kind, role, tabindex, on… attributes and cursor, and on its event listeners. Listeners can be read only in the
// page's own world: handlers.js runs there before any script of the page, keeps the browser's functions it needs,
// and answers over a node that is in no document. New elements are asked about at once, all of them again when that
// costs little enough. A delegated handler is noticed where the framework (React, Solid, Svelte, jQuery) marks the
// element it is for. Declarations of a custom element through ElementInternals are read there too, where it keeps
// them in a property (a private field cannot be read).
package page
