// Package calls keeps the calls in flight: a Call belongs to a client, waits for a device, reports its progress, can
// be cancelled by any client, and may continue as a job after its caller was answered. The hub runs calls through a
// Registry; package devices leases devices to them. All types are safe for concurrent use; no method but Do, Job and
// Wait waits for a call.
//
//	r := calls.NewRegistry(calls.Options{JobAfter: 45 * time.Second})
//	reply, err := r.Do(ctx, client, calls.Request{Call: call}, func(c *calls.Call) (*calls.Reply, error) { … })
package calls
