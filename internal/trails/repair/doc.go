// Package repair makes lasting what a run found out: it saves what a model did into the trails, and proposes repairs of
// those that were healed. Nothing is saved or proposed that does not replay on a fresh device without the model.
//
// The command line calls it after a run; it asks no model and prints nothing. A Room is used by one goroutine.
//
//	room := repair.Room{Suite: suite, Tools: registry, Classifiers: classifiers}
//	saved, notes := room.Blaze(ctx, played)
//	proposal, notes := room.Propose(ctx, runID, played)
package repair
