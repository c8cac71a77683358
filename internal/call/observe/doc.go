// Package observe describes the screen in replies. After an action it takes one new capture, compares it with the last
// one shown to this client, and writes the difference; the whole when the difference is longer, or when the client has
// not seen the page yet. Everything has a hard budget; the rest goes to a Keeper, and the reply says where. Text that
// comes from a page is put between two lines with a mark that the page cannot know.
//
// An Observer belongs to one session. It starts nothing and is safe for concurrent use.
//
//	ctx = tool.WithViewer(ctx, observer.Viewer(client, settings)) // tools that show the screen show it to this client
//	res, err := dispatcher.Call(ctx, …)
//	res, overflow, err := observe.Bound(res, settings)
//	obs, err := observer.After(ctx, device, client, spec, res, settings)
//	fmt.Println(res.Text(), obs)
package observe
