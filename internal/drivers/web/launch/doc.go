// Package launch finds a Chromium, Chrome or Edge, starts it with a pipe to talk through and a
// throw-away profile, and stops it without leaving a process, file or descriptor behind.
//
// The web driver calls it. The browser it starts is quiet: no update checks, no telemetry, no model
// downloads.
//
//	b, err := launch.Start(ctx, launch.Options{})
//	defer b.Stop()
//	res, err := cdp.Call(ctx, b.Conn.Root(), browser.GetVersion, proto.Empty{})
package launch
