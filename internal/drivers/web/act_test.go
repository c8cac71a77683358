package web

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// actPage opens one page whose body is html on a borrowed device.
func actPage(t testing.TB, html string) *Device {
	t.Helper()
	return actPages(t, map[string]string{"/": html}, DeviceOptions{})
}

func actPages(t testing.TB, docs map[string]string, o DeviceOptions) *Device {
	t.Helper()
	var d *Device
	if reflect.ValueOf(o).IsZero() {
		d = borrowed(t)
	} else {
		d = newDevice(t, o)
	}
	for path, html := range docs {
		if !strings.Contains(html, "<!doctype") {
			docs[path] = "<!doctype html><meta charset=utf-8><body>" + html
		}
	}
	open(t, d, serve(t, docs).URL+"/")
	return d
}

// node finds an element in the main document, or in the frame whose URL ends in frame, by an
// expression of the page script's world; a plain CSS selector will do.
func node(t testing.TB, d *Device, css string, frame ...string) screen.NodeID {
	t.Helper()
	expr := css
	if !strings.Contains(css, "document") {
		expr = fmt.Sprintf("document.querySelector(%q)", css)
	}
	doc := docAt(t, d, frame...)
	res, err := cdp.Call(deadline(t), doc.Host.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "__trailblaze.id(" + expr + ")", ContextID: doc.World, ReturnByValue: new(true),
	})
	if err != nil || res.ExceptionDetails != nil {
		t.Fatalf("find %s: %v %+v", css, err, res.ExceptionDetails)
	}
	var id int64
	if err := json.Unmarshal(res.Result.Value, &id); err != nil {
		t.Fatal(err)
	}
	return doc.NodeID(id)
}

func docAt(t testing.TB, d *Device, frame ...string) *frames.Document {
	t.Helper()
	var doc *frames.Document
	err := d.frames.Await(deadline(t), "frame", func() (bool, error) {
		if len(frame) == 0 {
			doc = d.frames.Active.Main.Document
			return doc != nil, nil
		}
		for _, f := range d.frames.Active.Frames {
			if f != d.frames.Active.Main && strings.HasSuffix(f.URL, frame[0]) && f.Document != nil && f.Loaded == f.Loader {
				doc = f.Document
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		var have []string
		d.frames.Locked(func() {
			for _, f := range d.frames.Active.Frames {
				have = append(have, fmt.Sprintf("%s: document %t, loader %q, ready %q, loaded %q", f.URL, f.Document != nil, f.Loader, f.Ready, f.Loaded))
			}
		})
		t.Fatalf("frame %v: %v, of\n%s", frame, err, strings.Join(have, "\n"))
	}
	return doc
}

// js evaluates an expression in the page's own world.
func js(t testing.TB, d *Device, expr string, frame ...string) string {
	t.Helper()
	doc := docAt(t, d, frame...)
	d.frames.Lock()
	w := doc.Frame.World
	d.frames.Unlock()
	res, err := cdp.Call(deadline(t), w.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "JSON.stringify(" + expr + ")", ContextID: w.ID, ReturnByValue: new(true),
	})
	if err != nil || res.ExceptionDetails != nil {
		t.Fatalf("evaluate %s: %v %+v", expr, err, res.ExceptionDetails)
	}
	var s string
	_ = json.Unmarshal(res.Result.Value, &s)
	return s
}

func at(n screen.NodeID) driver.Target { return driver.Target{Node: n} }

func perform(t testing.TB, d *Device, a driver.Action) *driver.Effect {
	t.Helper()
	e, err := d.Perform(deadline(t), a)
	if err != nil {
		t.Fatalf("%T: %v", a, err)
	}
	return e
}

func want(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %s, want %s", what, got, want)
	}
}

type point = screen.Point

// within is a context that ends after some milliseconds.
func within(t testing.TB, ms int) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(ms)*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}
