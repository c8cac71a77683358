package android_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
)

// standIns are the phones behind devices of the stand-in.
var standIns sync.Map

func standIn(t testing.TB) (*android.Device, *androidtest.Phone) {
	t.Helper()
	srv, p := adbtest.Start(t), androidtest.New("p1")
	srv.Set(p.Adb())
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	standIns.Store(driver.Device(d), p)
	t.Cleanup(func() { _ = d.Close() })
	return d, p
}

// R5: phones are driven through the interface that browsers are.
func TestConformance(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{
		Has: []string{"AppManager", "Clipboard", "Concealer", "Console", "Lifeline", "StaleRefs", "Waiter"},
		Scaled: func(t testing.TB) driver.Device {
			d, p := standIn(t)
			p.Do(func() { p.Picture = 0.75 })
			return d
		},
		Open: func(t testing.TB) driver.Device { d, _ := standIn(t); return d },
		Show: func(_ testing.TB, d driver.Device, s drivertest.Scene) {
			p, _ := standIns.Load(d)
			show(p.(*androidtest.Phone), s)
		},
	})
}

// show builds a scene of drivertest.
func show(p *androidtest.Phone, s drivertest.Scene) {
	switch s {
	case drivertest.Form:
		form(p)
	case drivertest.List:
		chosen := androidtest.Label("Chosen: none")
		rows := &androidtest.View{Class: "android.widget.LinearLayout"}
		for i := range 100 {
			n := strconv.Itoa(i)
			rows.Kids = append(rows.Kids, androidtest.Button("Row "+n, func() { chosen.Text = "Chosen: " + n }))
		}
		p.Show(chosen, &androidtest.View{Class: "android.widget.ScrollView", Scroll: true, H: 1500, Kids: []*androidtest.View{rows}})
	case drivertest.Changing:
		content := &androidtest.View{Class: "android.widget.LinearLayout"}
		start := androidtest.Button("Start", func() {
			content.Kids = content.Kids[:1]
			time.AfterFunc(50*time.Millisecond, func() {
				p.Do(func() { content.Kids = append(content.Kids, androidtest.Label("New")) })
			})
		})
		content.Kids = []*androidtest.View{start, androidtest.Button("Old", nil)}
		p.Show(content)
	case drivertest.Windows:
		said, taps := androidtest.Label(""), 0
		answer := ""
		say := func() { said.Text = "Answer: " + answer + ", taps: " + strconv.Itoa(taps) }
		yes := androidtest.Button("Yes", func() { p.Close(); answer = "yes"; say() })
		ask := androidtest.Button("Ask", func() { p.Open(androidtest.Label("Sure?"), yes).Class = "android.widget.FrameLayout" })
		below := androidtest.Button("Below", func() { taps++; say() })
		below.Top = 850
		p.Show(ask, said, below)
	}
}

func form(p *androidtest.Phone) {
	name := &androidtest.View{Class: "android.widget.EditText", Hint: "Name", Editable: true}
	secret := &androidtest.View{Class: "android.widget.EditText", Hint: "Secret", Editable: true, Password: true, Text: "hunter2"}
	agree := &androidtest.View{Class: "android.widget.CheckBox", Text: "Agree", Checkable: true, Clickable: true}
	shown := androidtest.Label("Red")
	colour := &androidtest.View{
		Class: "android.widget.Spinner", Desc: "Colour", Clickable: true, Kids: []*androidtest.View{shown},
	}
	colour.Tap = func() {
		var all []*androidtest.View
		for _, c := range []string{"Red", "Green", "Blue"} {
			o := androidtest.Label(c)
			o.Clickable, o.Tap = true, func() { shown.Text = c; p.Close() }
			all = append(all, o)
		}
		p.Open(all...)
	}
	never := androidtest.Button("Never", nil)
	never.Disabled = true
	saved, count, n := androidtest.Label(""), androidtest.Label("Saves: 0"), 0
	save := androidtest.Button("Save", func() {
		n++
		saved.Text, count.Text = "Saved "+name.Text, "Saves: "+strconv.Itoa(n)
	})
	p.Show(name, secret, agree, colour, never, save, saved, count)
}
