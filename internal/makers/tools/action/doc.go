// Package action carries out one action of a tool: it finds the element, sends the action once, checks its effect, and
// reports that in words and as evidence. It also makes the durable form of the call for a recording.
//
// Tools that act call it; it keeps no state and is safe for concurrent use.
package action
