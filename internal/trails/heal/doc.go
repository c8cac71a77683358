// Package heal finds the element of a recorded step again after its page has changed, without a model.
//
// The player asks it when a step finds nothing that it may act on. The facts known of the element (its fingerprint,
// and its surroundings on screens of earlier green runs) are compared with each element of the live screen. One
// element must win by a margin, by rules that a wrong element hardly meets; otherwise the answer is to decline. Acting
// on a wrong element is worse than any failure, so every doubt declines.
//
// Everything here is a pure function of snapshots, and safe for concurrent use.
//
//	v := heal.Target{Selector: sel, Print: fingerprint, Past: green}.Relocate(snap)
//	if v.Node == nil { return v.Declined }
package heal
