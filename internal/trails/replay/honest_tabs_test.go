package replay

import "github.com/trailblaze-dev/trailblaze/internal/call/event"

// Where a flow goes on when an action opens another tab.
func whereTabsLead() []honest {
	const both = `<button onclick="window.open('/odd/page?say=Help');o.textContent='Paid'">Save</button><p id=o></p>`
	const popup = `<button onclick="window.open('/odd/page?say=Done once')">Save</button>`
	const ad = `<a target=_blank href="/odd/page?say=Help" onclick="n.hidden=false">Save</a><button id=n hidden onclick="o.textContent='Paid'">Next</button><p id=o></p>`
	link := press("link", "Save")
	return []honest{
		pass("a click that also opens a tab, and the flow that stays", both, clickSave+"\n"+seePaid),
		pass("a click that also opens a tab, and a button in the old one", ad, link+"\n"+press("button", "Next")+"\n"+seePaid),
		pass("a flow that goes on in the new tab, as recorded", popup, clickSave+"\nweb_switchTab: {index: 1}\n"+seeDone),
		pass("a flow that goes on in the new tab, from before that was recorded", popup, clickSave+"\nweb_verifyTextVisible: {timeoutMs: 1500, text: Done once}"),
		pass("a flow that looks into the new tab and comes back", both, clickSave+"\nweb_switchTab: {index: 1}\n"+see("Help")+"\nweb_switchTab: {index: 0}\n"+seePaid),
		pass("a flow that closes the new tab", both, clickSave+"\nweb_switchTab: {index: 1}\nweb_closeTab: {}\n"+seePaid),
		pass("a flow that closes the new tab, from before that was recorded", both, clickSave+"\nweb_closeTab: {}\n"+seePaid),
		pass("a flow that closes the new tab by its place", both, clickSave+"\nweb_closeTab: {index: 1}\n"+seePaid),
		fail("a flow that closes a tab and does not say which", both, clickSave+"\n"+seePaid+"\nweb_closeTab: {}\n"+see("Help"), "which tab"),
		fail("a flow that closes the old tab and looks for it", both, clickSave+"\nweb_closeTab: {index: 0}\n"+seePaid, "Paid"),
		pass("a called trail that goes on in the new tab, from before that was recorded", popup, "runTrail: {path: leads}"),
		{name: "a called trail that looks for what is in neither tab", page: both, calls: "runTrail: {path: leads}", outcome: event.Failed, says: "Done once"},
		{name: "a called trail that has acted is not played again in the new tab", page: `<button onclick="window.open(location.href+'?new')">Open</button><button onclick="o.textContent=location.search?'Paid':'Saved'">Save</button><p id=o></p>`,
			calls: press("button", "Open") + "\nrunTrail: {path: buys}", outcome: event.Failed, says: "Paid"},
		fail("a text that is in neither tab", both, clickSave+"\n"+see("Nowhere"), "Nowhere"),
		fail("a text that is only in the new tab, once the flow has stayed", both, clickSave+"\n"+seePaid+"\n"+see("Help"), "Help"),
		fail("a flow that says it goes on in the new tab, and what is in the old one", both, clickSave+"\nweb_switchTab: {index: 1}\n"+seePaid, "Paid"),
		pass("a page behind a new tab goes on painting", `<button onclick="window.open('/odd/page');let k=0;const f=()=>{if(++k>20)o.textContent='Paid';else requestAnimationFrame(f)};setTimeout(f,300)">Save</button><p id=o>x</p>`, clickSave+"\n"+seePaid),
	}
}
