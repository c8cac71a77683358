// Package apiclient is what clients of the typed API have in common: the shell, `trailblaze mcp` and the SDK for Go.
// Their requests are filled in with what is usual for them and bounded in time, and streams and results are read here.
//
//	o := connect.WithInterceptors(apiclient.Filling{Usual: &pb.CallToolRequest{Options: options}})
//	sessions := trailblazev1connect.NewSessionServiceClient(http, url, o)
//	for m, err := range apiclient.Messages(sessions.WatchEvents(ctx, request)) { … }
//
// All of it is safe for concurrent use.
package apiclient
