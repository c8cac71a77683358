package attend_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// flow is what a person does, and the sentences that come of it.
type flow struct {
	name string
	path string // of the page that it begins at
	do   func(p *person)
	want []string
}

// buy is the button of an article on the first page.
func buy(article string) string { return `css=article:has-text("` + article + `") button` }

var shopFlows = []flow{
	{"goods", "/", func(p *person) {
		p.click(buy("Cedar Mug"))
		p.shows("Added Cedar Mug")
		p.press(`searchbox "Search"`)
		p.write("lamp")
		p.shows("Firefly Lamp")
		p.click(buy("Firefly Lamp"))
		p.shows("Added Firefly Lamp")
	}, []string{
		"Click the button “Add to cart” of “Cedar Mug”", "Type “lamp” into “Search”", "Click the button “Add to cart”",
	}},
	{"filter", "/", func(p *person) {
		p.find(buy("Cedar Mug"))
		p.press(`combobox "Category"`)
		p.key("k", "Return")
		p.recorded()
		p.press(`checkbox "In stock only"`)
		p.recorded()
	}, []string{
		"Choose “Kitchen” in “Category”", "Check the checkbox “In stock only”",
	}},
	{"sign in", "/account", func(p *person) {
		p.press(`textbox "Email"`)
		p.write("robin@example.com")
		p.key("Tab")
		p.write(demo.Password)
		p.key("Return")
		p.shows("Good to see you, Robin")
	}, []string{
		"Type “robin@example.com” into “Email”", "Type {{memory.password}} into “Password”", "Press Enter in “Password”",
	}},
	{"product", "/product/juniper-pack", func(p *person) {
		p.click(`css=label:has-text("M")`)
		p.click(`css=label:has-text("Slate")`)
		p.press(`textbox "Your words"`)
		p.write("Good")
		p.key("Return")
		p.write("and light")
		p.click(`button "Send review"`)
	}, []string{
		"Check the option “M”", "Check the option “Slate”", "Type “Good and light” into “Your words”", "Click the button “Send review”",
	}},
	{"browse", "/", func(p *person) { // by means of the browser
		p.click(`link "Cedar Mug"`)
		p.shows("One more")
		for _, by := range [][2]string{{"alt+Left", "The goods"}, {"alt+Right", "One more"}, {"F5", "One more"}} {
			p.key(by[0])
			p.recorded()
			p.shows(by[1])
		}
		at, err := p.dev.URL(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		p.key("ctrl+l")
		p.write(strings.Replace(at, "/product/cedar-mug", "/account", 1))
		p.key("Return")
		p.recorded()
		p.shows("Your account")
	}, []string{
		"Click the link “Cedar Mug”", "Go back", "Go forward", "Reload the page", "Open SITE/account",
	}},
	{"navigate", "/", func(p *person) {
		p.click(`link "Cedar Mug"`)
		p.click(`button "Add to cart"`)
		p.click(`css=a[href="/cart"]`)
		p.click(`link "Go to checkout"`)
		p.press(`textbox "Full name"`)
		p.write("Ada Byron")
		p.click(`css=label:has-text("By bike")`)
		p.click(`checkbox "This is a gift"`)
		p.press(`textbox "Gift note"`)
		p.write("For you")
		p.shows("For you")
	}, []string{
		"Click the link “Cedar Mug”", "Click the button “Add to cart”", "Click the link “Cart, 1 item”",
		"Click the link “Go to checkout”", "Type “Ada Byron” into “Full name”",
		"Check the option “By bike two days, €6.00”", "Check the checkbox “This is a gift”", "Type “For you” into “Gift note”",
	}},
	{"frame", "/checkout", func(p *person) {
		p.press(`textbox "Postcode"`)
		p.write("1000")
		p.click(`button "Find town"`)
		p.shows("That is")
		p.press(`textbox "Card number"`)
		p.write("4242424242424242")
		p.key("Return")
		p.shows("Card accepted")
	}, []string{
		"Type “1000” into “Postcode”", "Click the button “Find town”", "Type “4242 4242 4242 4242” into “Card number”", "Press Enter in “Card number”",
	}},
	{"drag", "/packing", func(p *person) {
		from, to := p.find(`css=li:has-text("Map")`).Bounds, p.find(`css=li:has-text("Tent")`).Bounds
		p.drag(from.Center(), screen.Point{X: to.X + 40, Y: to.Y + 4}, "css=li.dragging")
		p.shows("First out of the bag: Map")
	}, []string{
		"Drag the item “Map” before the item “Tent”",
	}},
	{"double click", "/packing", func(p *person) {
		p.to(`css=li:has-text("Stove")`)
		p.xdotool("click", "--repeat", "2", "--delay", "40", "1")
		p.recorded()
		p.recorded()
	}, []string{
		"Double-click the item “Stove”",
	}},
	{"shadow trees", "/product/cedar-mug", func(p *person) {
		p.click(`button "One more"`) // in a closed one
		p.click(`button "4 stars"`)
		p.click(`button "Add to cart"`)
	}, []string{
		"Click the button “One more”", "Click the button “4 stars”", "Click the button “Add to cart”",
	}},
	{"confirm", "/product/cedar-mug", func(p *person) {
		p.click(`button "Add to cart"`)
		p.click(`css=a[href="/cart"]`)
		p.press(`button "Remove"`)
		p.dialog()
		p.key("Return")
		p.recorded()
		p.shows("Your cart is empty")
	}, []string{
		"Click the button “Add to cart”", "Click the link “Cart, 1 item”", "The next dialog: OK", "Click the button “Remove”",
	}},
}

// benchPages are of what the shop has not, or has only far inside.
var benchPages = map[string]string{
	"/": `<title>Bench</title><p id=out></p><ul></ul>
		<a href="/note.txt">Get the note</a>
		<a href="/other" target=_blank>Other page</a>
		<button onclick="out.textContent='Hello '+prompt('Your name?')">Greet</button>
		<label>Word <input id=word></label>
		<script>document.addEventListener('keydown',e=>{if(e.ctrlKey&&e.key==='k'){e.preventDefault();out.textContent='Palette'}})</script>`,
	"/other": `<title>Other</title><button onclick="this.textContent='Pressed'">Press here</button>
		<button onclick="setTimeout(()=>window.close(),300)">Close</button>`,
	"/note.txt": "a note",
	"/send": `<title>Send</title><form action="/sent" method="post" enctype="multipart/form-data">
		<label>Paper <input type=file name=paper onchange="this.form.submit()"></label></form>`,
	"/sent": `<title>Sent</title><p>Thank you</p>`,
	"/controls": `<title>Controls</title><p id=out>Nothing yet</p>
		<label>Day <input type=date oninput="out.textContent='On '+this.value"></label>
		<label>Volume <input type=range min=0 max=100 value=10 oninput="out.textContent='At '+this.value"></label>
		<label>Paper <input type=file onchange="out.textContent='Has '+this.files[0].name"></label>
		<label>Ink <input type=color value="#336699" onchange="out.textContent='In '+this.value"></label>
		<label>From <input value="tea for two"></label><label>To <input oninput="out.textContent='Got '+this.value"></label>
		<button oncontextmenu="event.preventDefault();out.textContent='Menu'" onauxclick="if(event.button===1)out.textContent='Middle'"
			onclick="out.textContent=event.shiftKey?'Range':event.ctrlKey?'Also':'Only'">Row</button>
		<button onclick="out.textContent=confirm('Sure?')?'Gone':'Kept'">Delete</button>`,
}

var benchFlows = []flow{
	{"prompt", "/", func(p *person) {
		p.press(`button "Greet"`)
		p.dialog()
		p.write("Ada")
		p.key("Return")
		p.recorded()
		p.shows("Hello Ada")
	}, []string{
		"The next dialog: OK with “Ada”", "Click the button “Greet”",
	}},
	{"download", "/", func(p *person) {
		p.click(`link "Get the note"`)
	}, []string{
		"Click the link “Get the note”", "Wait for the download “note.txt”",
	}},
	{"tab", "/", func(p *person) {
		p.click(`link "Other page"`)
		p.point(screen.Point{X: 30, Y: 18}) // the new tab is in front; the device still looks at the first
		p.xdotool("click", "1")
		p.recorded() // that the tab was changed
		p.recorded()
	}, []string{
		"Click the link “Other page”", "Switch to another tab", "Click the button “Press here”",
	}},
	{"close a tab", "/", func(p *person) {
		p.click(`link "Other page"`)
		p.key("ctrl+w")
		p.tabs(1)
		p.click(`link "Other page"`)
		p.recorded()
	}, []string{
		"Click the link “Other page”", "Close the tab", "Click the link “Other page”",
	}},
	{"a tab that closes itself", "/", func(p *person) {
		p.click(`link "Other page"`)
		p.point(screen.Point{X: 130, Y: 18})
		p.xdotool("click", "1")
		p.recorded()
		p.recorded()
		p.tabs(1)
		p.click(`link "Get the note"`)
		p.recorded()
	}, []string{
		"Click the link “Other page”", "Switch to another tab", "Click the button “Close”", "Switch to another tab",
		"Click the link “Get the note”", "Wait for the download “note.txt”",
	}},
	{"date", "/controls", func(p *person) {
		p.press(`css=input[type=date]`)
		p.key("Left", "Left", "Left")
		p.write("03142027")
		p.shows("On 2027-03-14")
		p.click(`button "Row"`)
	}, []string{
		"Type “2027-03-14” into “Day”", "Click the button “Row”",
	}},
	{"slider", "/controls", func(p *person) {
		p.press(`slider "Volume"`)
		p.key("Home", "Right", "Right") // wherever in it the mouse was
		p.shows("At 2")
		p.click(`button "Row"`)
	}, []string{
		"Type “2” into the slider “Volume”", "Click the button “Row”",
	}},
	{"upload", "/controls", func(p *person) {
		p.chooses("note.txt", `css=input[type=file]`)
		p.shows("Has note.txt")
		p.recorded()
	}, []string{
		"Upload “note.txt” to the button “Paper”",
	}},
	{"upload that sends the form", "/send", func(p *person) {
		p.chooses("note.txt", `css=input[type=file]`)
		p.shows("Thank you")
		p.recorded()
	}, []string{
		"Upload “note.txt” to the button “Paper”",
	}},
	{"colour", "/controls", func(p *person) {
		p.press(`css=input[type=color]`)
		p.key("Up", "Up", "Right", "Return")
		p.shows("In #")
		p.click(`button "Row"`)
	}, []string{
		"Type “#33699e” into “Ink”", "Click the button “Row”",
	}},
	{"paste", "/controls", func(p *person) {
		p.press(`textbox "From"`)
		p.key("ctrl+a", "ctrl+c")
		p.press(`textbox "To"`)
		p.key("ctrl+v")
		p.shows("Got tea for two")
		p.click(`button "Row"`)
	}, []string{
		"Click “From”", "Type “tea for two” into “To”", "Click the button “Row”",
	}},
	{"buttons and keys", "/controls", func(p *person) {
		for _, by := range []struct {
			button string
			held   []string
			shows  string
		}{{"3", nil, "Menu"}, {"2", nil, "Middle"}, {"1", []string{"shift"}, "Range"}, {"1", []string{"ctrl"}, "Also"}} {
			p.to(`button "Row"`)
			p.focus()
			for _, key := range by.held {
				p.xdotool("keydown", key)
			}
			p.xdotool("click", by.button)
			for _, key := range by.held {
				p.xdotool("keyup", key)
			}
			p.recorded()
			p.shows(by.shows)
		}
	}, []string{
		"Right-click the button “Row”", "Middle-click the button “Row”", "Click the button “Row” with Shift held",
		"Click the button “Row” with Control held",
	}},
	{"cancel", "/controls", func(p *person) {
		p.press(`button "Delete"`)
		p.dialog()
		p.key("Escape")
		p.recorded()
		p.shows("Kept")
	}, []string{
		"Click the button “Delete”",
	}},
	{"shortcut", "/", func(p *person) {
		p.press(`textbox "Word"`)
		p.write("tea")
		p.key("ctrl+k")
		p.shows("Palette")
	}, []string{
		"Type “tea” into “Word”", "Press Control+k in “Word”",
	}},
}

// TestBench is TestShop for pages of its own.
func TestBench(t *testing.T) {
	browser(t)
	s, _ := site(t, benchPages)
	for _, f := range benchFlows {
		t.Run(f.name, func(t *testing.T) { f.check(t, s.URL) })
	}
}

// repeats is how often each recording is replayed.
func repeats() int {
	if n, err := strconv.Atoi(os.Getenv("RECORD_REPEAT")); err == nil && n > 0 {
		return n
	}
	return 1
}

// browsers are what recordings are replayed on by turns: one like that of the person, and what may differ without harm.
var browsers = []web.DeviceOptions{{}, {Width: 900, Height: 700}, {ColorScheme: "dark"}, {Locale: "de-DE", Timezone: "Asia/Tokyo"}}

// TestShop records what a person does in the sample shop with a mouse and a keyboard, and replays it.
func TestShop(t *testing.T) { inShop(t, shopFlows) }

func inShop(t *testing.T, flows []flow) {
	t.Helper()
	browser(t)
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	for _, f := range flows {
		t.Run(f.name, func(t *testing.T) { f.check(t, shop.URL) })
	}
}

func (f flow) check(t *testing.T, site string) {
	w := newWorkshop(t)
	r := w.record(t, site+f.path, f.do)
	want := strings.Split(strings.ReplaceAll(strings.Join(f.want, "\n"), "SITE", site), "\n")
	if diff := cmp.Diff(want, r.steps()); diff != "" {
		t.Errorf("steps (-want +got):\n%s\n%s\n%s", diff, strings.Join(r.said, "\n"), r.text)
	}
	for i := range repeats() {
		on := browsers[i%len(browsers)]
		if out := w.play(t, r, on); out.Outcome != event.Passed {
			t.Fatalf("replay %d, on %+v: %s %v\n%s", i+1, on, out.Outcome, out.Failure, r.text)
		}
	}
}

// TestPageGoesBack: what a page has the browser do is no step of its own.
func TestPageGoesBack(t *testing.T) {
	browser(t)
	s, _ := site(t, map[string]string{
		"/": `<title>One</title><h1>One</h1><a href=/two>Two</a>`,
		"/two": `<title>Two</title><h1>Second</h1><button onclick="history.back()">Back</button><button onclick="location.reload()">Again</button>
			<button onclick="location.href='/three'">On</button>`,
		"/three": `<title>Three</title><h1>Third</h1><form action=/two><button>Two</button></form>`,
	})
	flow{"page", "/", func(p *person) {
		p.click(`link "Two"`)
		p.click(`button "Again"`)
		p.click(`button "On"`)
		p.click(`button "Two"`)
		p.click(`button "Back"`)
		p.shows("Third")
	}, []string{
		"Click the link “Two”", "Click the button “Again”", "Click the button “On”", "Click the button “Two”", "Click the button “Back”",
	}}.check(t, s.URL)
}

// TestOwnTab: a tab that a person opens by means of the browser is opened by the trail.
func TestOwnTab(t *testing.T) {
	browser(t)
	s, _ := site(t, map[string]string{
		"/":    `<title>One</title><h1>One</h1><button onclick="document.querySelector('h1').textContent='Bought'">Buy</button>`,
		"/two": `<title>Two</title><h1>Second</h1><button onclick="document.querySelector('h1').textContent='Read'">Read</button>`,
	})
	flow{"tab", "/", func(p *person) {
		p.click(`button "Buy"`)
		p.key("ctrl+t")
		p.write(s.URL + "/two")
		p.key("Return")
		p.recorded()
		p.click(`button "Read"`)
		p.shows("Read")
	}, []string{
		"Click the button “Buy”", "Open a tab with SITE/two", "Click the button “Read”",
	}}.check(t, s.URL)
}

// barFlows are of what a person says in the bar.
var barFlows = []flow{
	{"see", "/", func(p *person) {
		p.click(buy("Cedar Mug"))
		p.shows("Added Cedar Mug")
		p.sees("See this", `css=a[href="/cart"]`)
		p.sees("This text", `heading "Cedar Mug"`)
		p.press(`searchbox "Search"`)
		p.write("lamp")
		p.shows("Firefly Lamp")
		p.sees("This value", `searchbox "Search"`)
		p.bar.shows("holds “lamp”")
	}, []string{
		"Click the button “Add to cart” of “Cedar Mug”", "The link “Cart, 1 item” is visible", "“Cedar Mug” is visible",
		"Type “lamp” into “Search”", "“Search” holds “lamp”",
	}},
	{"see in a closed shadow tree", "/product/cedar-mug", func(p *person) {
		p.click(`button "One more"`)
		p.sees("See this", `button "One more"`)
	}, []string{
		"Click the button “One more”", "The button “One more” is visible",
	}},
	{"see in a frame", "/checkout", func(p *person) {
		p.press(`textbox "Card number"`)
		p.write("4242")
		p.sees("This value", `textbox "Card number"`, "pointerover", "pointermove") // over its frame
	}, []string{
		"Type “4242” into “Card number”", "“Card number” holds “4242”",
	}},
	{"see in another tab", "/product/cedar-mug", func(p *person) {
		p.click(`button "4 stars"`)
		p.key("ctrl+t")
		p.write(p.site + "/cart")
		p.key("Return")
		p.recorded()
		p.sees("See this", `heading "Your cart"`)
	}, []string{
		"Click the button “4 stars”", "Open a tab with SITE/cart", "The heading “Your cart” is visible",
	}},
	{"stop right after pointing", "/", func(p *person) {
		for range cap(p.gestures) { // the recorder waits until there is room for its next word
			p.gestures <- ""
		}
		p.press(buy("Cedar Mug"))
		p.bar.press(`textbox "Name of the next step"`)
		p.write("Look into the cart")
		p.key("Return") // this waits for the recorder, too
		p.bar.press(`button "See this"`)
		p.bar.shows("Click what you see")
		p.press(`css=a[href="/cart"]`)
		p.bar.gone("Click what you see")
		p.bar.press(`button "Stop"`)
		for range cap(p.gestures) {
			<-p.gestures
		}
		p.recorded() // the click
		p.recorded()
	}, []string{
		"Click the button “Add to cart” of “Cedar Mug”", "Look into the cart",
	}},
	{"undo, pause, name", "/", func(p *person) {
		p.bar.press(`textbox "Text that you see in the page"`)
		p.write("The goods")
		p.key("Return") // a check without a mouse
		p.recorded()
		p.click(buy("Cedar Mug"))
		p.click(`checkbox "In stock only"`)
		p.bar.shows("Check the checkbox")
		p.bar.press(`button "Undo"`)
		p.bar.gone("Check the checkbox")
		p.key("p") // the keyboard is still in the bar
		p.bar.shows("Paused")
		p.press(`link "Cedar Mug"`)
		p.shows("One more")
		p.press(`css=a[href="/"]`)
		p.shows("In stock only")
		p.bar.press(`button "Go on (P)"`)
		p.bar.gone("Paused")
		p.bar.press(`textbox "Name of the next step"`)
		p.write("Look for what is in stock")
		p.key("Return")
		p.bar.shows("Recording “Look")
		p.press(`combobox "Category"`)
		p.key("k", "Return")
		p.recorded()
		p.press(`checkbox "In stock only"`)
		p.recorded()
	}, []string{
		"“The goods” is visible", "Click the button “Add to cart” of “Cedar Mug”", "Look for what is in stock",
	}},
}

// TestCheckFails: a replay fails at a check of a text that the page does not show any more.
func TestCheckFails(t *testing.T) {
	browser(t)
	pages := map[string]string{"/": `<title>Tea</title><h1>Tea</h1><button onclick="document.querySelector('h1').textContent='Bought'">Buy</button>`}
	s, _ := site(t, pages)
	w := newWorkshop(t)
	r := w.record(t, s.URL, func(p *person) {
		p.click(`button "Buy"`)
		p.says("Bought")
	})
	if out := w.play(t, r, web.DeviceOptions{}); out.Outcome != event.Passed {
		t.Fatalf("%s %v\n%s", out.Outcome, out.Failure, r.text)
	}
	pages["/"] = strings.Replace(pages["/"], "Bought", "Sold out", 1)
	if out := w.play(t, r, web.DeviceOptions{}); out.Outcome != event.Failed || out.Failure.Kind != "assertion" {
		t.Errorf("%s %+v\n%s", out.Outcome, out.Failure, r.text)
	}
}

// TestBar is TestShop for what a person says in the bar.
func TestBar(t *testing.T) { inShop(t, barFlows) }
