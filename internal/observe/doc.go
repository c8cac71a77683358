// Package observe decides what a reply says about the screen. After an action it takes one new capture, compares it
// with what this client was shown last, and tells the difference; the whole when the difference is longer, or when
// the client has not seen the page yet. Everything has a hard budget; what does not fit goes to a Keeper, and the
// reply says where. Text that comes from a page stands between two lines with a mark that the page cannot know.
//
// An Observer belongs to one session. It starts nothing and is safe for concurrent use.
//
//	ctx = tool.WithViewer(ctx, observer.Viewer(client, settings)) // tools that show the screen show it to this client
//	res, err := dispatcher.Call(ctx, …)
//	res, overflow, err := observe.Bound(res, settings)
//	obs, err := observer.After(ctx, device, client, spec, res, settings)
//	fmt.Println(res.Text(), obs)
package observe
