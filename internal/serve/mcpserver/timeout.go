package mcpserver

import (
	"io"
	"net/http"
	"time"
)

// clientTimeout limits the time in which a client may leave a message unread. Without a bound a client that hangs
// would hold up its call, and with the call the device.
const clientTimeout = 30 * time.Second

// timedWriter is a response that bounds every write.
type timedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// newTimedWriter bounds the writes of a response. done lifts the bound, for the next request on the
// connection.
func newTimedWriter(w http.ResponseWriter) (p *timedWriter, done func()) {
	p = &timedWriter{w, http.NewResponseController(w)}
	return p, func() { _ = p.control.SetWriteDeadline(time.Time{}) }
}

// Write implements http.ResponseWriter.
func (p *timedWriter) Write(data []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(clientTimeout)) // a writer without deadlines has no connection
	return p.ResponseWriter.Write(data)
}

// Unwrap implements the interface that http.ResponseController looks for.
func (p *timedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// bound limits the time of the next write, when the stream is a connection.
func bound(stream io.Writer) {
	if conn, ok := stream.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = conn.SetWriteDeadline(time.Now().Add(clientTimeout))
	}
}
