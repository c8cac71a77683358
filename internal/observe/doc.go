// Package observe decides what a reply says about the screen. After an action it takes one new capture, compares it with
// what this seat was shown last, and tells the difference; the whole when the difference is longer, or when the seat has seen
// nothing yet. Everything has a hard budget; what does not fit goes to a Keeper, and the reply says where. Text that comes
// from a page stands between two lines with a mark that the page cannot know.
//
// An Observer belongs to one live session. It keeps no goroutines, and is safe for concurrent use.
//
//	obs, err := observer.After(ctx, observe.Call{Device: dev, Seat: handle, Spec: spec, Result: res, Settings: settings})
//	if obs != nil {
//		fmt.Println(obs.Text)
//	}
package observe
