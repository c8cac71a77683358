// Package extern makes tools of external MCP servers: processes that are started and ended here, spoken to over stdin
// and stdout, and servers that run anyway, spoken to over HTTP. Package workspace calls New with the servers of the
// configuration.
//
// Each server is a tool.Source of its own, so that the problems of one stay with it. A goroutine keeps the server up:
// it starts it, reads its tools and its registry once, starts it again after it has ended, and ends it with Close. The
// list of a process is kept in the user's folder: while nothing has changed that decides it, the process is started by
// the first call. Calls wait while a server starts, and fail at once with its last words when it cannot be started.
//
// Calls overlap, until a process calls back without saying from which call: from then on it gets one at a time. When
// calls of two sessions meet, it is started anew with `--transport http --port <port>`. The output of a server is
// data: it is bounded, checked against the schema that the server declares, and never expanded or executed, except for
// the delegates that it returns, which the dispatcher calls.
//
// A Server is safe for concurrent use.
//
//	for _, s := range extern.New(options) {
//		tools, problems, err := s.Load(ctx)
//		defer s.Close()
//	}
package extern
