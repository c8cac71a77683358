// Package replay plays trails: the Player carries out one trail's recorded calls in a session and holds each to its
// evidence; a Suite plays many, with repeats, retries, workers and shards. It is a caller of tools like any other:
// every call goes through the dispatcher. No model is ever asked.
//
// The CLI runs Suites; later the agent plays single trails. A Player is safe for concurrent use by different
// sessions.
//
//	p := &replay.Player{Dispatcher: d, Registry: reg}
//	out := p.Play(ctx, sess, t, replay.Attempt{})
//	if out.Outcome != event.Passed { … out.Failure … }
package replay
