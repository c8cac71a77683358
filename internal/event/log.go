package event

// Log appends the events of one session.
type Log struct {
	dir string
}
