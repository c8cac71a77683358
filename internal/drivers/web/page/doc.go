// Package page is the script that runs inside every frame of a page, and its mirror in Go.
//
// The script (TypeScript under src, bundled into dist/page.js and embedded as Source) runs in an isolated world. It keeps
// state per document: a number for every element it ever showed, never reused in that document; what it computed about
// the element; and what has changed since. A second capture therefore computes and sends only what changed.
//
// Document is the other half: it applies a capture, whole or delta, and holds the frame's tree as screen.Nodes. It is
// not safe for concurrent use; the trees it hands out are. Drivers of browsers use it, nobody else.
//
//	raw := evaluate(page.CaptureCall(doc.Request(nil)))  // a JSON string literal as the browser returned it
//	if err := doc.Apply(raw); err != nil { … }           // page.ErrStale: capture again with doc.Reset()
//	root := doc.Root()
//
// # What the page may not notice
//
// Nothing is written to the page's own world: no attribute, property, style or global. Listeners that page code added
// with addEventListener cannot be seen from an isolated world, so "clickable" rests on what can be seen: the element's
// kind, role, tabindex, onclick and the pointer cursor. A delegated handler with none of these is not noticed.
package page
