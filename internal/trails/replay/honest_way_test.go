package replay

// Ways from page to page.
func whereActionsLead() []honest {
	link := press("link", "Save")
	a := func(href string) string { return `<a href="` + href + `">Save</a>` }
	open := func(path string) string { return `web_navigate: {url: "{{base}}` + path + `"}` }
	return []honest{
		fail("a link into an HTTP error", a("/missing"), link, "HTTP status 404"),
		pass("a link into an HTTP error, as declared", a("/missing"), `web_click: {expectStatus: 404, nodeSelector: {web: {ariaRole: link, ariaNameRegex: Save}}}`+"\nweb_verifyTextVisible: {text: Nothing here}"),
		fail("a server's error page that looks right", a("/odd/500?say=Paid"), link+"\n"+seePaid, "HTTP status 500"),
		fail("opening an error page", `<p>x</p>`, open("/missing")+"\n"+see("Nothing here"), "HTTP status 404"),
		pass("a failed request of a script is the page's own matter", `<button onclick="fetch('/odd/500').then(r=>{o.textContent='Paid'})">Save</button><p id=o></p>`, clickSave+"\n"+seePaid),
		pass("a chain of redirects", a("/odd/chain?n=4"), link+"\n"+seePaid),
		fail("a link to another origin", a("{{other}}/odd/page?say=Paid"), link+"\n"+seePaid, "another origin"),
		fail("a redirect to another origin", a("/odd/elsewhere"), link+"\n"+seePaid, "another origin"),
		fail("a late redirect by script to another origin", `<button onclick="o.textContent='Wait';setTimeout(()=>{location='{{other}}/odd/page?say=Paid'},100)">Save</button><p id=o></p>`, clickSave+"\n"+seePaid, "another origin"),
		fail("a redirect by script to another origin that comes between two steps", `<button onclick="o.textContent='Wait';setTimeout(()=>{location='{{other}}/odd/page?say=Paid'},300)">Save</button><p id=o></p>`, clickSave+"\nweb_wait: {seconds: 1}\n"+seePaid, "another origin"),
		pass("a late redirect by script to another origin, as declared", `<button onclick="o.textContent='Wait';setTimeout(()=>{location='{{other}}/odd/page?say=Paid'},300)">Save</button><p id=o></p>`, `web_click: {expectOrigin: "{{other}}", nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`+"\n"+seePaid),
		pass("a late redirect by script on the same origin", `<button onclick="o.textContent='Wait';setTimeout(()=>{location='/odd/page?say=Paid'},300)">Save</button><p id=o></p>`, clickSave+"\n"+seePaid),
		pass("an app of another origin that is launched by its address", `<p>x</p>`, `launchApp: {appId: "{{other}}/odd/page?say=Paid"}`+"\n"+seePaid),
		pass("a redirect to another origin, as declared", a("/odd/elsewhere"), `web_click: {expectOrigin: "{{other}}", nodeSelector: {web: {ariaRole: link}}}`+"\n"+seePaid),
		pass("a slow page", a("/odd/page?say=Paid&ms=3000"), link+"\n"+seePaid),
		pass("a page that goes on arriving", a("/odd/drip"), link+"\n"+seePaid),
		pass("opening a page that goes on arriving", `<p>x</p>`, open("/odd/drip")+"\n"+seePaid),
		fail("an answer without content", a("/odd/204"), link+"\n"+seePaid, ""),
		fail("an answer that never comes to its end", a("/odd/cut"), link+"\n"+seePaid, ""),
		fail("a server that is not there", a("http://127.0.0.1:9/"), link, ""),
		pass("a form that navigates", `<form action="/odd/page"><input name=say value=Paid><button>Save</button></form>`, clickSave+"\n"+seePaid),
		pass("Enter sends a form", `<form action="/odd/page"><input name=say aria-label=Name></form>`, `web_type: {text: Paid, submit: true, nodeSelector: {web: {ariaRole: textbox}}}`+"\n"+seePaid),
		fail("a form that does not validate", `<form action="/odd/page?say=Paid"><input required name=x><button>Save</button></form>`, clickSave+"\n"+seePaid, "Paid"),
		pass("a route of the page's own", `<button onclick="history.pushState({},'','/own');setTimeout(()=>{o.textContent='Paid'},300)">Save</button><p id=o></p>`, clickSave+"\n"+`web_waitForUrl: {pattern: "/own$"}`+"\n"+seePaid),
		pass("a route by the fragment", `<a href="#paid">Save</a><p id=o></p><script>onhashchange=()=>{o.textContent='Paid'}</script>`, link+"\n"+seePaid),
		pass("a page that refreshes into another", a("/refresh"), link+"\n"+seePaid),
		pass("a page that replaces itself at once", a("/replace"), link+"\n"+seePaid),
		pass("a page that reloads itself once", `<p id=o></p><script>if(!sessionStorage.k){sessionStorage.k=1;setTimeout(()=>location.reload(),150)}else o.textContent='Paid'</script>`, seePaid),
		pass("a page that asks before it is left", a("/odd/page?say=Paid")+`<input aria-label=Name><script>onbeforeunload=e=>{e.preventDefault();e.returnValue='x'}</script>`, enter("Name", "Ada")+"\n"+link+"\n"+seePaid),
		pass("opening another from a page that asks before it is left", `<input aria-label=Name><script>onbeforeunload=e=>{e.preventDefault();e.returnValue='x'}</script>`, enter("Name", "Ada")+"\n"+open("/odd/page?say=Paid")+"\n"+seePaid),
		pass("a download", a("/odd/file"), link+"\nweb_waitForDownload: {name: bill.txt}"),
		pass("a link to a mail program is handed to it", a("mailto:ada@example.org"), link),
		fail("a link to nowhere", a("javascript:void 0"), link, "nothing changed"),
		pass("a page that never fires load", `<p>Paid</p><img src="/odd/hang"><script src="/odd/hang" async></script>`, seePaid),
		pass("a navigation replaced by another", `<button onclick="location='/odd/page?say=Wrong&ms=800';setTimeout(()=>{location='/odd/page?say=Paid'},200)">Save</button>`, clickSave+"\n"+seePaid),
		pass("a frame that navigates", `<iframe name=f></iframe><a target=f href="/odd/page?say=Paid&ms=300">Save</a>`, link+"\n"+seePaid),
		fail("a frame that navigates into an error", `<iframe name=f></iframe><a target=f href="/odd/500?say=Oops">Save</a>`, link+"\n"+seePaid, ""),
	}
}
