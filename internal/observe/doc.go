// Package observe decides what a reply says about the screen. After an action it takes one new capture, compares it with
// what this seat was shown last, and tells the difference; the whole when the difference is longer, or when the seat has not
// seen the page yet. Everything has a hard budget; what does not fit goes to a Keeper, and the reply says where. Text that
// comes from a page stands between two lines with a mark that the page cannot know.
//
// An Observer belongs to one live session. It starts nothing and is safe for concurrent use.
//
//	ctx = tool.WithViewer(ctx, observer.Viewer(seat, settings)) // tools that show the screen show it to this seat
//	res, err := dispatcher.Call(ctx, …)
//	res, spill, err := observe.Bound(res, settings)
//	obs, err := observer.After(ctx, device, seat, spec, res, settings)
//	fmt.Println(res.Text(), obs)
package observe
