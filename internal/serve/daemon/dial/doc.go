// Package dial is the way to the daemon's process: it finds it, or starts it, and knows whether it lives. There is
// one daemon per user and build, named by a hash of the program's file, so that an old daemon never serves a new
// client. Requests to the daemon go through HTTP: the typed API of proto/trailblaze/v1 for calls, a few paths for
// the process. The package imports little, because every command that drives a device pays for its start.
//
//	c, err := dial.Dial(ctx, dial.Options{Home: home, Start: true})
//	defer c.Close()
//	tools := trailblazev1connect.NewToolServiceClient(c.HTTP(), dial.URL)
package dial
