package mcpserver

import (
	"io"
	"net/http"
	"time"
)

// clientPatience is how long a client may leave what we send it unread. Without a bound one that hangs would hold up its
// call, and with the call the device.
const clientPatience = 30 * time.Second

// patient is a response whose every write has a bound.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// newPatient bounds the writes of a response. done lifts the bound, for what is next on the same connection.
func newPatient(w http.ResponseWriter) (p *patient, done func()) {
	p = &patient{w, http.NewResponseController(w)}
	return p, func() { _ = p.control.SetWriteDeadline(time.Time{}) }
}

// Write implements http.ResponseWriter.
func (p *patient) Write(data []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(clientPatience)) // a writer that knows no deadlines has no connection
	return p.ResponseWriter.Write(data)
}

// Unwrap lets http.ResponseController find what is behind.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// bound gives the next write of a stream a bound, when it is a connection.
func bound(stream io.Writer) {
	if conn, ok := stream.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = conn.SetWriteDeadline(time.Now().Add(clientPatience))
	}
}
