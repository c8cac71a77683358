// Package attend records what a person does by hand on a device. A gesture of a person becomes the call that a tool
// would have been asked for: the Recorder makes that call on a Device, which has the screen as it was before the
// gesture, and answers the action with what the gesture did. So the call is found, worded, judged, masked, logged and
// recorded as any other.
//
// `trailblaze record` calls it. A Recorder runs in one goroutine; a Device is safe for concurrent use.
//
//	dev := attend.On(opened)            // opened with hands
//	sess, err := session.Open(ctx, session.Options{Device: dev, …})
//	r := &attend.Recorder{Dispatcher: d, Session: sess, Device: dev}
//	err = r.Run(ctx, stop)
//	t, err := record.OfLog(sess.Log)
package attend
