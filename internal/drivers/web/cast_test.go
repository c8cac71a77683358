package web

import (
	"bytes"
	"context"
	"errors"
	"image"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// audience looks at a device until it is told to leave, and hands over the colour of each picture's middle.
type audience struct {
	t      *testing.T
	red    chan bool
	leave  context.CancelFunc
	ended  chan error
	width  int
	height int
}

func watch(t *testing.T, d *Device) *audience {
	t.Helper()
	ctx, leave := context.WithCancel(deadline(t))
	a := &audience{t: t, red: make(chan bool, 1000), leave: leave, ended: make(chan error, 1)}
	go func() {
		a.ended <- d.Screencast(ctx, 0, func(img driver.Image) error {
			pic, _, err := image.Decode(bytes.NewReader(img.Data))
			if err != nil {
				return err
			}
			r, _, b, _ := pic.At(pic.Bounds().Dx()/2, pic.Bounds().Dy()/2).RGBA()
			a.width, a.height = img.Width, img.Height
			a.red <- r > b
			return nil
		})
	}()
	t.Cleanup(func() { leave() })
	return a
}

// until waits for a picture of a colour.
func (a *audience) until(red bool) {
	a.t.Helper()
	for {
		select {
		case is := <-a.red:
			if is == red {
				return
			}
		case err := <-a.ended:
			a.t.Fatalf("no such picture came: %v", err)
		}
	}
}

const colours = `<body style="margin:0;background:red"><script>show = c => (document.body.style.background = c, true)</script>`

// TestScreencast: two viewers see a page as it changes, also in another tab, one goes on when the other leaves, and who
// looks on makes no capture of the page stale.
func TestScreencast(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": colours})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	one := watch(t, d)
	one.until(true)
	two := watch(t, d)
	two.until(true)
	eval[bool](t, d, `show("blue")`)
	one.until(false)
	two.until(false)
	one.leave()
	if err := <-one.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	eval[bool](t, d, `show("red")`)
	two.until(true)
	if two.width != 400 || two.height != 300 {
		t.Errorf("%d × %d, want the viewport", two.width, two.height)
	}
	tab, err := d.NewTab(deadline(t), srv.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	eval[bool](t, d, `show("blue")`)
	two.until(false)
	if err := d.CloseTab(deadline(t), tab.ID); err != nil {
		t.Fatal(err)
	}
	two.until(true)
}

// TestScreencastYieldsToActions: an action ends the screencast before it does anything, and what it has changed is shown
// after it.
func TestScreencastYieldsToActions(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": colours})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	a := watch(t, d)
	a.until(true)
	d.Camera.Acts(true)
	d.frames.Locked(func() {
		if d.frames.Active.Casting {
			t.Error("the browser draws pictures while an action runs")
		}
	})
	eval[bool](t, d, `show("blue")`)
	d.Camera.Acts(false)
	a.until(false)
}

// TestScreencastEndsAtSecrets: once a secret is known no picture comes, whatever the page shows.
func TestScreencastEndsAtSecrets(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": colours})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	a := watch(t, d)
	a.until(true)
	d.Conceal(func() driver.Secrets { return hunter{} })
	eval[bool](t, d, `show("blue")`)
	if err := <-a.ended; fault.KindOf(err) != fault.Denied {
		t.Errorf("it ended with %v", err)
	}
	for len(a.red) > 0 {
		if !<-a.red {
			t.Error("a picture came after the secret")
		}
	}
}

// TestScreencastEndsWithDevice: the end of the device ends the pictures.
func TestScreencastEndsWithDevice(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": colours})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	a := watch(t, d)
	a.until(true)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-a.ended; fault.KindOf(err) != fault.Unavailable {
		t.Errorf("it ended with %v", err)
	}
}
