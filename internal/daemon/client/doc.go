// Package client finds the daemon, or starts it, and talks to it. There is one daemon per user and
// build, named by a hash of the program's file, so that an old daemon never serves a new client.
// The package imports little, because every command that drives a device pays for its start.
//
//	c, err := client.Dial(ctx, client.Options{Home: home, Start: true})
//	defer c.Close()
//	err = c.Post(ctx, "/v1/call", request, &reply)
package client
