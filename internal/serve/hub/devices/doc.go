// Package devices keeps the open devices: a managed device has a name ("web", "web/checkout"), a browser or phone that
// may be opened and closed many times, and the session that records the calls on it. A call acts on a device while it
// has the device's Lease; a session whose device or daemon died is orphaned, and the next lease continues it. The hub
// uses a Pool; all types are safe for concurrent use, and no listing waits for a call.
//
//	lease, err := pool.Acquire(call.Context(), call, "web")
//	defer lease.Release()
//	s, err := lease.Session(call.Context(), memory.New)
package devices
