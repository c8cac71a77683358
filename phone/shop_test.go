package phone

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

var shopAPK = flag.String("shop", "", "the `file` of the shop's APK, which `make shop` builds")

var sampleAPK = flag.String("sample", "", "the `file` of the APK with the screens of upstream's sample app, which `make phone` builds")

const shopPackage = "dev.trailblaze.shop"

// stored is what the shop has written, whatever its screen shows.
type stored struct {
	User     string
	Cart     map[string]int
	Location *bool
	Orders   []struct {
		Items         map[string]int
		Cents         int
		Name, City    string
		Country       int
		Express, Gift bool
	}
}

func (b *bench) stored() (s stored) {
	b.Helper()
	text := b.shell("run-as " + shopPackage + " cat files/state.json")
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
	return s
}

// becomes waits until the shop has written what a tap had it write.
func (b *bench) becomes(what string, ok func(stored) bool) {
	b.Helper()
	var s stored
	waittest.Until(b, func() bool { s = b.stored(); return ok(s) }, what)
}

// testShop buys in an app of ours, beside the first one. What happened is read from the app's own file.
func testShop(b *bench) {
	if *shopAPK == "" {
		b.Skip("left out: no -shop; `make phone` builds it")
	}
	b.must("install", *shopAPK)
	b.shell("input keyevent HOME")
	b.text("API Demos")
	b.launch("Trail Shop", shopPackage)
	b.fillCart()
	b.order()

	b.shell("cmd locale set-app-locales " + shopPackage + " --locales de-DE")
	b.see("the cart in German", func(n node) bool { return strings.EqualFold(n.Text+n.Desc, "Warenkorb (0)") })
	b.shell("cmd locale set-app-locales " + shopPackage + " --locales en-US")

	// The other app is as it was left.
	b.shell("input keyevent HOME")
	b.launch("API Demos", "io.appium.android.apis")
	b.shell("pm clear " + shopPackage)
	b.shell("am start -n " + shopPackage + "/.SignIn")
	b.id("sign_in")
	if out, err := b.adb("shell", "run-as "+shopPackage+" cat files/state.json"); err == nil {
		b.Errorf("after pm clear the shop has stored %s", out)
	}

	// A fault is one of all apps: of one that starts later, and of one that was in the back when it was set and ended.
	b.shell("am force-stop " + shopPackage + "; phone fault tree-error")
	b.shell("am start -W -n " + shopPackage + "/.SignIn")
	if out := b.shell("uiautomator dump || true"); !strings.Contains(out, "could not get idle state") {
		b.Errorf("an app that started after the fault gave its tree: %s", out)
	}
	b.shell("phone fault none; am start -W -n io.appium.android.apis/.ApiDemos")
	b.text("Views")
	b.shell("am start -W -n " + shopPackage + "/.SignIn")
	b.id("sign_in")

	b.shell("pm uninstall " + shopPackage)
	if out := b.shell("pm list packages"); strings.Contains(out, shopPackage) {
		b.Errorf("the shop is still there: %s", out)
	}
	b.text("Trailblaze Phone")
}

// fillCart signs in and puts four pieces into the cart, which stay when the app is ended.
func (b *bench) fillCart() {
	b.Helper()
	b.fill("user", "ada")
	b.fill("password", "trial")
	b.tap(b.id("sign_in"))
	b.text("Wrong user name or password")
	b.tap(b.id("password"))
	b.shell("input keyevent 123 67 67 67 67 67") // to the end, then delete
	b.fill("password", "trail")
	b.tap(b.id("sign_in"))
	b.tap(b.see("the button of the first row", func(n node) bool { return strings.HasSuffix(n.ID, ":id/add") }))
	toast := b.text("Boots Mini is in the cart")
	if toast.Package != "dev.trailblaze.phone" {
		b.Errorf("the toast is told as %s", toast.Package)
	}
	b.becomes("the product is in the cart", func(s stored) bool { return s.User == "ada" && s.Cart["Boots Mini"] == 1 })

	for range 12 { // rows are used again while the list scrolls
		if _, yes := b.dump("--windows").find(func(n node) bool { return n.Text == "Map Classic" }); yes {
			break
		}
		b.shell("input swipe 540 1800 540 900 300")
	}
	b.tap(b.text("Map Classic"))
	b.tap(b.id("quantity"))
	b.tap(b.text("3"))
	b.tap(b.id("add_to_cart"))
	b.tap(b.see("the cart with 4", func(n node) bool { return strings.EqualFold(n.Text+n.Desc, "Cart (4)") }))
	b.text("Total: 102.50 €")

	// Its first screen leads to another one here: am answers when that one has a window.
	b.shell("am start -S -W -n " + shopPackage + "/.SignIn")
	if front := b.shell("dumpsys window | grep mCurrentFocus"); !strings.Contains(front, "/"+shopPackage+".Products}") {
		b.Errorf("after am start: %s", front)
	}

	// A force-stop ends the process, and what the app has stored stays.
	b.shell("am force-stop " + shopPackage)
	b.text("Trailblaze Phone")
	b.launch("Trail Shop", shopPackage)
	b.tap(b.see("the cart with 4", func(n node) bool { return strings.EqualFold(n.Text+n.Desc, "Cart (4)") }))
}

// order goes to the form, allows the shop to know where the phone is, and orders what is in the cart.
func (b *bench) order() {
	b.Helper()
	b.tap(b.id("checkout"))
	b.tap(b.id("locate"))
	dialog := b.text("Allow Trail Shop to use ACCESS_COARSE_LOCATION?")
	if dialog.Package != "dev.trailblaze.phone" {
		b.Errorf("the dialog of the permission is told as %s", dialog.Package)
	}
	b.tap(b.see("Allow", func(n node) bool { return strings.EqualFold(n.Text, "Allow") }))
	b.becomes("the permission is stored", func(s stored) bool { return s.Location != nil && *s.Location })

	b.tap(b.id("place_order"))
	if _, yes := b.dump("--windows").find(func(n node) bool { return strings.HasPrefix(n.Text, "Place the order for") }); yes {
		b.Error("an empty form was sent")
	}
	b.fill("name", "Ada Lovelace")
	b.fill("street", "12 St James Square")
	b.fill("city", "London")
	b.shell("input keyevent BACK") // hides the keyboard, which covers the rest
	b.tap(b.id("country"))
	b.tap(b.text("Germany"))
	b.tap(b.id("express"))
	b.tap(b.id("place_order"))
	b.text("Place the order for 102.50 €?")
	b.tap(b.see("Confirm", func(n node) bool { return strings.EqualFold(n.Text, "Confirm") }))
	b.becomes("the order is placed", func(s stored) bool {
		return len(s.Cart) == 0 && len(s.Orders) == 1 && s.Orders[0].Cents == 10250 && s.Orders[0].Items["Map Classic"] == 3 &&
			s.Orders[0].Name == "Ada Lovelace" && s.Orders[0].City == "London" && s.Orders[0].Country == 2 &&
			s.Orders[0].Express && !s.Orders[0].Gift
	})
}

// launch taps an app on the home screen and waits until it is in front, as long as the phone gives a process to start.
func (b *bench) launch(label, pkg string) {
	b.Helper()
	b.tap(b.text(label))
	for end := time.Now().Add(startTime); ; {
		front := b.shell("dumpsys window | grep mCurrentFocus")
		if strings.Contains(front, pkg+"/") {
			return
		}
		if time.Now().After(end) {
			b.Fatalf("after a tap on %s: %s", label, front)
		}
	}
}

// fill types into a field by its id.
func (b *bench) fill(id, text string) {
	b.Helper()
	b.tap(b.id(id))
	b.shell("input text '" + strings.ReplaceAll(text, " ", "%s") + "'")
}

// testSample holds a button of another app until a dialog comes under the finger: that gets nothing of the gesture.
func testSample(b *bench) {
	if *sampleAPK == "" {
		b.Skip("left out: no -sample; `make phone` builds it")
	}
	b.must("install", *sampleAPK)
	b.shell("am start -W -n xyz.block.trailblaze.examples.sampleapp/.SampleAppActivity")
	l, t, r, bottom := b.text("Long Press Me").rect()
	b.shell(fmt.Sprintf("input swipe %d %d %[1]d %[2]d 1000", (l+r)/2, (t+bottom)/2))
	b.tap(b.text("Copy"))
	b.text("Tap Count: 0")
	b.shell("pm uninstall xyz.block.trailblaze.examples.sampleapp")
}
