package android_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

const webView = "android.webkit.WebView"

// element is a part of a page, with the class that Chromium gives it.
func element(role, class, says string, kids ...*androidtest.View) *androidtest.View {
	return &androidtest.View{Web: role, Class: "android." + class, Text: says, Kids: kids}
}

// A page in a WebView is a part of the one tree: its elements have the roles and names of the web, are acted on and
// scrolled to as others, and an item of its list stays the same element when it says something else.
func TestWebView(t *testing.T) {
	d, p := standIn(t)
	said := element("staticText", "widget.TextView", "")
	link := element("link", "view.View", "Terms")
	link.Clickable, link.Tap = true, func() { said.Text = "Terms read" }
	milk := element("listItem", "view.View", "Milk")
	list := element("list", "widget.ListView", "", milk)
	for i := range 30 {
		list.Kids = append(list.Kids, element("listItem", "view.View", fmt.Sprint("Item ", i)))
	}
	pay := element("button", "widget.Button", "Pay")
	pay.Clickable, pay.Tap = true, func() { said.Text = "Paid" }
	field := element("textField", "widget.EditText", "")
	field.Editable, field.Hint = true, "Card"
	page := element("rootWebArea", "webkit.WebView", "Cart",
		element("heading", "view.View", "", element("staticText", "widget.TextView", "Your cart")), link, field, said, list, pay)
	page.Scroll, page.H = true, 1500
	p.Show(&androidtest.View{Class: webView, Kids: []*androidtest.View{page}}, androidtest.Button("Native", nil))

	s := look(t, d)
	if s.Quality.Verdict != screen.Complete {
		t.Fatalf("%+v", s.Quality)
	}
	for name, role := range map[string]string{
		"Cart": "document", "Your cart": "heading", "Terms": "link", "Card": "textbox", "Milk": "listitem", "Pay": "button",
		"Native": "button",
	} {
		if n := named(t, s, name); n.Role != role {
			t.Errorf("%s is a %s, not a %s", name, n.Role, role)
		}
	}
	if out := text.Of(s, text.Options{}); strings.Count(out, "document") != 1 {
		t.Errorf("the page is not one document:\n%s", out)
	}
	if v := named(t, s, "Pay").Visibility; v != screen.Offscreen {
		t.Errorf("what the page shows further down has visibility %d", v)
	}
	act := func(a driver.Action, want string) {
		t.Helper()
		if e, err := d.Perform(t.Context(), a); err != nil || !e.Changes.Any() {
			t.Fatalf("%+v, %v", e, err)
		}
		named(t, look(t, d), want)
	}
	act(driver.Tap{Target: driver.Target{Node: named(t, s, "Terms").ID}}, "Terms read")
	if e, err := d.Perform(t.Context(), driver.TypeText{
		Target: driver.Target{Node: named(t, s, "Card").ID}, Text: "4242"}); err != nil || e.Value != "4242" {
		t.Errorf("%+v, %v", e, err)
	}
	before := named(t, look(t, d), "Milk")
	p.Do(func() { milk.Text = "Milk (2)" })
	if now := named(t, look(t, d), "Milk (2)"); now.ID != before.ID {
		t.Errorf("the item of the list was %d and is %d", before.ID, now.ID)
	}
	act(driver.Tap{Target: driver.Target{Node: named(t, s, "Pay").ID}}, "Paid")
}

// The elements of a page have no drawing order: the later one lies above.
func TestCoveredInPage(t *testing.T) {
	d, p := standIn(t)
	pay := element("button", "widget.Button", "Pay")
	pay.Clickable, pay.Top = true, 400
	sheet := element("dialog", "app.Dialog", "Cookies?")
	sheet.Clickable, sheet.Top = true, 380
	page := element("rootWebArea", "webkit.WebView", "Shop", pay, sheet)
	page.H = 1500
	p.Show(&androidtest.View{Class: webView, Kids: []*androidtest.View{page}})
	n := named(t, look(t, d), "Pay")
	if n.Visibility != screen.Covered {
		t.Errorf("visibility %d", n.Visibility)
	}
	_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: n.ID, Wait: 500 * time.Millisecond}})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), `"Cookies?"`) || p.Taps() != 0 {
		t.Errorf("%v, %d taps", err, p.Taps())
	}
}

// A WebView without elements has not been read: a capture with one proves nothing of what is absent.
func TestWebViewUnread(t *testing.T) {
	d, p := standIn(t)
	view := &androidtest.View{Class: webView, H: 500}
	p.Show(view)
	if q := look(t, d).Quality; q.Verdict != screen.Degraded || !slices.ContainsFunc(q.Reasons, func(r string) bool {
		return strings.Contains(r, "WebView")
	}) {
		t.Errorf("%+v", q)
	}
	p.Do(func() { view.Kids = []*androidtest.View{element("rootWebArea", "webkit.WebView", "Empty")} })
	if q := look(t, d).Quality; q.Verdict != screen.Complete {
		t.Errorf("an empty page: %+v", q)
	}
}

// A keyboard is one element: its keys and proposals are no part of what an app shows, and no effect of a tap. Nor are
// the clock and the signs in a bar of the system, unless that has the focus.
func TestOtherWindows(t *testing.T) {
	d, p := standIn(t)
	proposal, clock := androidtest.Label("Milk"), androidtest.Label("Mail from Ann")
	p.Show(androidtest.Button("Idle", func() { proposal.Text, clock.Text = "Bread", "Mail from Bob" }))
	p.Do(func() {
		bar := p.Open(clock)
		bar.Window, bar.Class, bar.Top = "system", "android.widget.FrameLayout", 2200
		p.Open(proposal).Window = "keyboard"
	})
	s := look(t, d)
	shown := text.Of(s, text.Options{})
	if k := named(t, s, "keyboard"); k.Role != "group" || len(k.Children) > 0 || strings.Contains(shown, "Milk") {
		t.Errorf("%+v\n%s", k, shown)
	}
	if !strings.Contains(shown, "Mail from Ann") {
		t.Errorf("the system's bar is missing:\n%s", shown)
	}
	e, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, s, "Idle").ID}})
	if err != nil || e.Changes.Any() {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := d.Perform(t.Context(), driver.PressKey{Key: "HIDE_KEYBOARD"}); err != nil {
		t.Fatal(err)
	}
	if now := text.Of(look(t, d), text.Options{}); strings.Contains(now, "keyboard") || !strings.Contains(now, "Mail from Bob") {
		t.Errorf("only the keyboard is closed:\n%s", now)
	}
}
