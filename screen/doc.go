// Package screen describes the screen of a device: the tree of a capture (Snapshot, Node), how an element is named
// durably (Selector), and how it is found (Find, Locate). It is the floor of three packages: text writes a screen for a
// model, diff compares two captures, identity makes selectors and says whether an element is the recorded one. Package
// words, below it, compares texts.
//
// Drivers make snapshots; tools, the recorder and the player ask them questions. Everything here is pure: no waiting,
// no device. A Snapshot is immutable and safe for concurrent use.
//
//	nodes, err := snap.Find(screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Save"}})
package screen
