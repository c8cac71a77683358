// Package metrics counts what is done: for operators (Prometheus), for the agent itself (R214), and, when somebody asks for
// them, as OpenTelemetry traces. It is a middleware around every call; nothing of a call's arguments, results or texts is
// kept, so there is no secret to leak.
//
//	m := metrics.New(metrics.Options{Seat: handleOf, Status: house})
//	dispatch.Options{Middleware: []dispatch.Middleware{m.Middleware()}}
//	mux.Handle("GET /metrics", m.Handler())
//	defer m.Close(ctx)
//
// The formats are written by hand: see docs/adr for what the libraries would have cost every command.
package metrics
