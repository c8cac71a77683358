package replay

// Ways in which a text can be folded away, or stand in what shows no text, and ways in which it only looks so.
func whatIsFolded() []honest {
	const (
		host = `<script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<p>Shade</p>'</script>`
		slot = `<script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<p>Shade</p><slot></slot>'</script>`
	)
	return []honest{
		fail("text right in a closed details", `<details><summary>More</summary>Paid</details>`, seePaid, "hidden"),
		fail("text alone in a closed details", `<details>Paid</details>`, seePaid, "Paid"),
		fail("text between elements of a closed details", `<details><summary>More</summary><b>Not</b> Paid <i>yet</i></details>`, seePaid, "hidden"),
		fail("a second summary of a closed details", `<details><summary>More</summary><summary>Paid</summary></details>`, seePaid, "hidden"),
		pass("text right in an open details", `<details open><summary>More</summary>Paid</details>`, seePaid),
		pass("text alone in an open details", `<details open>Paid</details>`, seePaid),
		pass("text right in a details that is opened", `<details><summary>More</summary>Paid</details>`, `web_click: {ref: "css=summary"}`+"\n"+seePaid),
		fail("text right in a details that is closed again", `<details open><summary>More</summary>Paid</details>`, seePaid+"\n"+`web_click: {ref: "css=summary"}`+"\n"+seePaid, "hidden"),
		pass("a closed details whose style shows its content", `<style>details::details-content{content-visibility:visible}</style><details><summary>More</summary>Paid</details>`, seePaid),
		fail("text right in content that is skipped", `<div style="content-visibility:hidden">Paid</div>`, seePaid, ""),
		fail("text beside elements in content that is skipped", `<div style="content-visibility:hidden;width:90px;height:90px"><b>Not</b> Paid <i>yet</i></div>`, seePaid, "hidden"),
		pass("text right in content that is skipped off screen", `<div style="content-visibility:auto">Paid</div>`, seePaid),
		fail("text hidden until it is found", `<div hidden=until-found style="height:50px">Paid</div>`, seePaid, ""),
		fail("text right in a closed dialog", `<dialog>Paid</dialog>`, seePaid, ""),
		pass("text right in an open dialog", `<dialog open>Paid</dialog>`, seePaid),
		pass("text right in a box without a box", `<div style="display:contents">Paid</div>`, seePaid),
		pass("text beside elements in a box without a box", `<div style="display:contents">Paid <b>now</b></div>`, seePaid),
		fail("text in a hidden box without a box", `<div style="display:contents;visibility:hidden">Paid</div>`, seePaid, ""),
		pass("visible text in a hidden box", `<div style="visibility:hidden">Not <span style="visibility:visible">Paid</span></div>`, seePaid),
		fail("text right in a hidden box beside a visible one", `<div style="visibility:hidden">Paid <span style="visibility:visible">Due</span></div>`, seePaid, "hidden"),
		fail("text in a host without a slot", `<x-y>Paid</x-y>`+host, seePaid, ""),
		fail("text beside elements in a host without a slot", `<x-y>Paid <b>now</b></x-y>`+host, seePaid, ""),
		pass("text in a host with a slot", `<x-y>Paid</x-y>`+slot, seePaid),
		fail("text in a host with a hidden slot", `<x-y>Paid</x-y><script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<p>Shade</p><slot hidden></slot>'</script>`, seePaid, ""),
		fail("what a slot would show without what it got", `<x-y>Due</x-y><script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<slot>Paid</slot>'</script>`, seePaid, ""),
		pass("what a slot shows that got nothing", `<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<slot>Paid</slot>'</script>`, seePaid),
		fail("text for browsers without scripts", `<noscript>Paid</noscript>`, seePaid, ""),
		fail("text in a template", `<template>Paid</template>`, seePaid, ""),
		fail("text beside the options of a select", `<select><option>Due</option></select><script>document.querySelector('select').append('Paid')</script>`, seePaid, ""),
		fail("a canvas for browsers without one", `<canvas width=300 height=90>Paid</canvas>`, seePaid, ""),
		fail("a canvas with elements for browsers without one", `<canvas width=300 height=90><p>Paid</p> Paid</canvas>`, seePaid, ""),
		fail("a video for browsers without one", `<video controls>Paid</video>`, seePaid, ""),
		fail("a progress bar for browsers without one", `<progress value=.5>Paid</progress>`, seePaid, ""),
		fail("a meter for browsers without one", `<meter value=.5>Paid</meter>`, seePaid, ""),
		fail("a frame for browsers without one", `<iframe srcdoc="<p>Due</p>">Paid</iframe>`, seePaid, ""),
		fail("an object that shows what it should", `<object type="text/html" data="data:text/html,Due">Paid</object>`, seePaid, ""),
		pass("an object that shows its fallback", `<object>Paid</object>`, seePaid),
		pass("an object that shows elements as its fallback", `<object><p>Paid</p></object>`, seePaid),
		fail("text right in a drawing", `<svg width=300 height=90>Paid</svg>`, seePaid, ""),
		pass("text of a drawing", `<svg width=300 height=90><text y=30>Paid</text></svg>`, seePaid),
		fail("what describes a drawing", `<svg width=300 height=90><desc>Paid</desc><rect width=9 height=9 /></svg>`, seePaid, ""),
		fail("text of a drawing that is only defined", `<svg width=300 height=90><defs><text y=30>Paid</text></defs></svg>`, seePaid, ""),
		pass("the legend of a group", `<fieldset><legend>Paid</legend></fieldset>`, seePaid),
		pass("text right in a group", `<fieldset><legend>Bill</legend>Paid</fieldset>`, seePaid),
		fail("ruby brackets", `<ruby>漢<rp>Paid</rp><rt>kan</rt></ruby>`, seePaid, ""),
	}
}

// Texts at the edges of what is in view: what scrolling can show is visible, what it cannot is not.
func whatLiesAtTheFold() []honest {
	at := func(style string) string {
		return `<div style="position:absolute;white-space:nowrap;` + style + `">Paid</div>`
	}
	const box = `position:relative;width:200px;height:100px;border:1px solid`
	return []honest{
		pass("text a pixel above the fold", at("top:799px"), seePaid),
		pass("text half a pixel above the fold", at("top:799.5px"), seePaid),
		pass("text right at the fold", at("top:800px"), seePaid),
		pass("text in the flow a pixel above the fold", `<body style="margin:0"><div style="height:799px"></div><p style="margin:0">Paid</p><div style="height:900px"></div>`, seePaid),
		pass("a button a pixel above the fold", `<div style="position:absolute;top:799.3px"><button onclick="done()">Save</button></div>`+counts, clickSave+"\n"+seeDone),
		pass("text a pixel before the right edge", at("left:1279px;top:40px"), seePaid),
		pass("text of which a pixel is left after scrolling", `<div style="height:3000px"></div>`+at("top:0")+`<script>scrollTo(0,document.querySelector('div+div').offsetHeight-1)</script>`, seePaid),
		pass("text a pixel above the edge of a box that scrolls", `<div style="`+box+`;overflow:auto">`+at("top:99px")+`<div style="height:300px"></div></div>`, seePaid),
		pass("text a pixel before the side of a box that scrolls", `<div style="`+box+`;overflow:auto">`+at("left:199px")+`<div style="width:900px;height:9px"></div></div>`, seePaid),
		fail("text a pixel above the edge of a box that does not scroll", `<div style="`+box+`;overflow:hidden">`+at("top:99px")+`</div>`, seePaid, "cut off"),
		fail("text a pixel above the fold of a page that does not scroll", `<style>html{overflow:hidden}</style>`+at("top:799px"), seePaid, "cut off"),
		fail("text of which a pixel is on the page", at("left:-60px;width:61px;top:40px;overflow:hidden"), seePaid, ""),
		fail("text of which a pixel shows at the top of the page", at("top:-40px;height:41px;overflow:hidden"), seePaid, ""),
		pass("text a pixel above the fold of a zoomed page", `<style>html{zoom:1.25}</style>`+at("top:639.4px"), seePaid),
		pass("text at the very end of the page", `<body style="margin:0"><div style="height:1599px"></div><p style="margin:0;height:20px">Paid</p>`, seePaid),
		pass("text under a header that stays, a pixel from the fold", `<style>header{position:sticky;top:0;height:60px;background:#ccc}</style><body style="margin:0"><header>Top</header><div style="height:739px"></div><p style="margin:0">Paid</p><div style="height:900px"></div>`, seePaid),
		fail("a line a pixel high is no text to read", `<p style="height:1px;overflow:hidden">Paid</p>`, seePaid, ""),
	}
}
