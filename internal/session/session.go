// Package session is one sitting with one device: its lease, its memory, its event log and its directory. The dispatcher
// runs calls in it; cli, daemon and transports open and close it. A Session is safe for concurrent use.
package session

import (
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Session is one sitting with one device. Fields are set by Open and never change.
type Session struct {
	ID     string
	Dir    string // <sessions root>/<ID>; "" keeps nothing on disk
	Device driver.Device
	Memory *memory.Store
	Log    *event.Log

	mu   sync.Mutex
	step int // index of the running step, event.NoStep outside steps
}
