package session

import (
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Leases says which session holds which device. One value serves a process; the zero value is ready.
type Leases struct {
	mu   sync.Mutex
	held map[string]string // device id -> session id
}

// Take leases a device to a session, or names the session that has it.
func (l *Leases) Take(device, session string) (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if holder, taken := l.held[device]; taken {
		f := fault.New(fault.Busy, "lease device", "%s is in use by session %s", device, holder).
			WithHint("End session %s first, or use another device.", holder)
		f.Device = device
		return nil, f
	}
	if l.held == nil {
		l.held = map[string]string{}
	}
	l.held[device] = session
	var once sync.Once
	return func() {
		once.Do(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.held, device)
		})
	}, nil
}

// Holder is the session that has the device, "" when it is free.
func (l *Leases) Holder(device string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[device]
}
