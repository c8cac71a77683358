package replay

// Where a page goes by itself once the last call of a trail is over.
func howTrailsEnd() []honest {
	const say = `<p>Paid</p>`
	// goes shows the text, and asks for another page as soon as it is there; what the server takes is in the address.
	goes := func(to string) string {
		return say + `<script>addEventListener('load',()=>setTimeout(()=>{location='` + to + `'}))</script>`
	}
	see := `web_verifyTextVisible: {timeoutMs: 9000, text: Paid}` // a busy machine is not what is tested
	// The page asks for another one once the click is over, and shows in the same moment what the last call waits for.
	here := `<button onclick="o.textContent='Wait';setTimeout(()=>{o.textContent='Paid';location='`
	there := `'},150)">Save</button><p id=o></p>`
	both := clickSave + "\n" + see
	return []honest{
		fail("a trail whose page is on its way to another origin at its end", here+"{{other}}/odd/page?say=Paid&ms=2500"+there, both, "another origin"),
		fail("a trail whose page is on its way to an error at its end", here+"/odd/500?say=Paid&ms=2500"+there, both, "HTTP status 500"),
		fail("a trail whose page is on its way to a server that hangs up at its end", here+"/odd/cut?ms=2500"+there, both, ""),
		pass("a trail whose page is on its way to a page of its own at its end", here+"/odd/page?say=Paid&ms=2500"+there, both),
		pass("a trail whose page is on its way to another origin, as declared", here+"{{other}}/odd/page?say=Paid&ms=2500"+there, `web_click: {expectOrigin: "{{other}}", nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`+"\n"+see),
		pass("a trail whose page began a download at its end", here+"/odd/file?ms=1500"+there, both),
		pass("a trail whose page asked for what has no content at its end", here+"/odd/204?ms=1500"+there, both),
		pass("a trail whose page goes on loading pictures at its end", say+`<img src="/odd/hang">`, see),
		pass("a trail whose page goes on arriving at its end", `<a href="/odd/drip">Save</a>`, press("link", "Save")+"\n"+see),
		pass("a trail that ends on an error page it declared", `<a href="/odd/500?say=Paid">Save</a>`, `web_click: {expectStatus: 500, nodeSelector: {web: {ariaRole: link}}}`+"\n"+see),
		fail("a link whose answer is cut, and nothing that looks", `<a href="/odd/cut">Save</a>`, press("link", "Save"), "did not load"),
		fail("a page that leaves as soon as it has loaded, at the end of a trail", goes("{{other}}/odd/page?say=Paid&ms=2500"), see, "another origin"),
	}
}
