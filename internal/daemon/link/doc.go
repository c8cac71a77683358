// Package link is how a client finds the daemon, or starts it: one daemon per user and build, named by a hash of the
// program's file, so that an old daemon never serves a new client. It imports little, because every command that drives a
// device pays for it.
//
//	c, err := link.Dial(ctx, link.Options{Home: home, Start: true})
//	defer c.Close()
//	err = c.Post(ctx, "/v1/call", request, &reply)
package link
