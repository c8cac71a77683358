// Package hubtest is a hub with devices that exist only in memory, for tests of what stands on a hub: transports,
// management tools, the daemon. A device shows a small page, does what it is told, and can be held, wedged and
// killed.
//
//	rig := hubtest.New(t, hubtest.Options{})
//	c := rig.Client("mcp", "claude-code")
//	reply := rig.Must(c, "", "demo_echo", `{"text":"x"}`)
//
// All tools of the product are there (they act on the fake page), and the demo_ tools of Tools.
package hubtest
