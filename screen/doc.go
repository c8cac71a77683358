// Package screen is what a device shows: the tree of a capture (Snapshot, Node), how to name an element durably
// (Selector, Fingerprint), how to find it again (Find), how a model reads it (Text) and what changed (Diff).
//
// Drivers make snapshots; tools, the recorder and the player ask them questions. Everything here is pure: no waiting,
// no device. A Snapshot is immutable and safe for concurrent use.
//
//	nodes, err := snap.Find(screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Save"}})
package screen
