// Package cdp is our connection to a browser: many flat DevTools sessions multiplexed over one pipe.
//
// The web driver is its only caller. It speaks chromedp's generated protocol (cdproto) and uses chromedp's PipeConn
// to frame messages, but nothing else of chromedp: ordering, deadlines and failure are ours.
//
// Concurrency. Everything is safe for concurrent use. One goroutine reads the pipe and never waits for others; a
// second one hands out what was read, in the order it was read: event handlers run on it one after the other, and
// answers are delivered by it too, so that when a Call returns, every event the browser sent before the answer has
// been handled. Handlers must therefore be short and must not Call; they may Send.
//
//	stop := cdp.On(sess, page.LoadEventFired, func(e page.EventLoadEventFired) { … })
//	res, err := cdp.Call(ctx, sess, page.Navigate, page.NavigateParams{URL: "https://example.test"})
package cdp
