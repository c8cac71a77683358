package replay

// Odd corners of the web platform, each of which a person gets through without a thought.
func whatIsOdd() []honest {
	const (
		save  = `<button onclick="done()">Save</button>` + counts
		click = clickSave + "\n" + seeDone
	)
	return []honest{
		pass("a zoomed page", `<style>html{zoom:1.7}</style><div style="height:900px"></div>`+save, click),
		pass("a zoomed box", `<div style="zoom:.4"><div style="height:3000px"></div>`+save+`</div>`, click),
		pass("a page from right to left that scrolls sideways", `<html dir=rtl><div style="width:4000px;text-align:left"><button onclick="done()" style="margin-left:20px">Save</button></div>`+counts, click),
		pass("scroll padding under a header", `<style>html{scroll-padding-top:200px}header{position:fixed;top:0;height:190px;left:0;right:0;background:#ccc}</style><header>Top</header><div style="height:2000px"></div>`+save+`<div style="height:2000px"></div>`, click),
		pass("a button in a popover", `<button popovertarget=v>Open</button><div popover id=v>`+save+`</div>`, press("button", "Open")+"\n"+click),
		pass("a button in a modal dialog's frame", `<dialog id=v><iframe srcdoc="<button onclick='parent.o.textContent=&quot;Done once&quot;'>Save</button>"></iframe><p id=o></p></dialog><script>v.showModal()</script>`, click),
		pass("a page that prints", `<button onclick="print();done()">Save</button>`+counts, click),
		pass("a popup without an opener", `<button onclick="window.open('/odd/page?say=Done once','_blank','noopener')">Save</button>`, clickSave+"\nweb_switchTab: {index: 1}\n"+seeDone),
		fail("a field that takes its change back", `<input aria-label=Name oninput="const i=this;setTimeout(()=>{i.value='x'})">`, enter("Name", "Ada"), "x"),
		fail("a row of a list that reuses its rows", `<div id=l style="height:100px;overflow:auto"><div style="height:5000px;position:relative"><button id=r style="position:absolute;top:0">Row 1</button></div></div><script>l.onscroll=()=>{const k=Math.floor(l.scrollTop/20)+1;r.style.top=l.scrollTop+'px';r.textContent='Row '+k}</script>`, press("button", "Row 200"), "Row"),
		fail("an overlay that swallows what it lets through", `<div style="position:fixed;inset:0" onclick="event.stopPropagation()"></div>`+save, clickSave, "covered"),
	}
}
