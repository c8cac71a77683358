// Package heal bounds what a model does in place of recorded calls whose element was not found, and measures
// relocation on screens of green runs. The player and the command trailblaze heal call it.
//
// Which element a recorded call means now is the question of screen/identity; here each act of the model is held
// against its answer, before anything is sent. Acting on a wrong element is worse than any failure, so every doubt
// refuses.
//
//	redo := heal.Redo{Wants: []heal.Want{{Target: target}}}
//	if why := redo.Allows(heal.Deed{On: snap, Node: n}); why != "" { return refused(why) }
package heal
