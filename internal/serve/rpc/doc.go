// Package rpc is the common part of the clients of the typed API: the shell, `trailblaze mcp` and the SDK for
// Go. Their requests are filled in with their usual fields and bounded in time, and streams and results are read here.
//
//	o := connect.WithInterceptors(rpc.Filling{Usual: &pb.CallToolRequest{Options: options}})
//	sessions := trailblazev1connect.NewSessionServiceClient(http, url, o)
//	for m, err := range rpc.Messages(sessions.WatchEvents(ctx, request)) { … }
//
// All of it is safe for concurrent use.
package rpc
