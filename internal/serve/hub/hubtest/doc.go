// Package hubtest is a hub with devices that exist only in memory, for tests of the packages above a hub: transports,
// management tools, the daemon. A device shows a small page, carries out its calls, and can be held, wedged and
// killed.
//
//	rig := hubtest.New(t, hubtest.Options{})
//	c := rig.Client("mcp", "claude-code")
//	reply := rig.Must(c, "", "demo_echo", `{"text":"x"}`)
//
// All tools of the product are there (they act on the fake page), and the demo_ tools of Tools.
package hubtest
