// Package metrics counts calls: for operators (Prometheus), for the agent itself and, when
// OpenTelemetry's variables name a collector, as traces. It is a middleware around every call; it
// keeps nothing of a call's arguments, results or texts, so it can leak no secret.
//
//	m := metrics.New(metrics.Options{Client: clientOf, Status: status})
//	dispatch.Options{Middleware: []dispatch.Middleware{m.Middleware()}}
//	mux.Handle("GET /metrics", m.Handler())
//	defer m.Close(ctx)
//
// The formats are written by hand: docs/adr says how much the libraries would have cost every
// command.
package metrics
