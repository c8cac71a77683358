// Package client is the SDK for Go: a typed client of the API of proto/trailblaze/v1, which is made of the tools.
//
//	tb, err := client.Dial(ctx, nil)                      // finds the daemon, or starts it
//	_, err = tb.Web.Navigate(ctx, &commandsv1.NavigateRequest{Url: new("https://example.com")})
//	_, err = tb.Tap(ctx, &commandsv1.TapRequest{Text: new("Sign in")})
//
// A tool in another process makes its client of the context that came with its call, and acts in the session and on
// the device of that call:
//
//	tb, err := toolserver.Client(req)
//
// Define and Flat make tools of functions that take such a client, to be run in either ExecutionMode.
//
// Actions and assertions that fail, and calls that cannot be carried out, are a *fault.Error with a hint. Queries
// answer, and do not fail because something is not there. The deadline and the end of ctx hold for the call. A Client
// is safe for concurrent use.
package client
