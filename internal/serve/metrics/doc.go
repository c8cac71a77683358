// Package metrics counts calls, for operators (Prometheus) and for the agent itself. It sees every call
// when it is over, and keeps nothing of a call's arguments, results or texts, so it can leak no secret.
//
//	m := metrics.New(metrics.Options{Client: clientOf, Status: status})
//	dispatch.Options{Counter: m.Count}
//	mux.Handle("GET /metrics", m.Handler())
//
// The format is written by hand: docs/adr/0006-metrics-by-hand.md says how much the library would have cost every
// command.
package metrics
