package web

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// TestNothingHangs proves that what stops a browser with a person in front of it does not stop us.
func TestNothingHangs(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{
		"/":     `<button id=b>B</button><iframe src="OTHER/in"></iframe>`,
		"/in":   `<p id=p>in</p><script>onmessage=e=>{p.textContent=String(eval(e.data))}</script>`,
		"/auth": "x",
	})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	settled(t, d, 2)
	for name, script := range map[string]string{
		"print":                       `window.print(); 1`,
		"permission prompt":           `await new Promise(r=>navigator.geolocation.getCurrentPosition(r, r)); 1`,
		"notification prompt":         `await Notification.requestPermission(); 1`,
		"camera prompt":               `await navigator.mediaDevices.getUserMedia({video:true}).catch(()=>0); 1`,
		"protocol handler":            `navigator.registerProtocolHandler('web+x', '/?%s'); 1`,
		"external link":               `location.href='mailto:a@b.test'; 1`,
		"fullscreen":                  `await document.documentElement.requestFullscreen().catch(()=>0); 1`,
		"file dialog without gesture": `await showOpenFilePicker().catch(()=>0); 1`,
		"storm of alerts":             `for(let i=0;i<50;i++)alert(i); 1`,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if _, err := d.Evaluate(ctx, script, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
	if err := d.SetDialogPolicy(t.Context(), driver.DialogPolicy{Accept: true, Answer: "yes", Once: true}); err != nil {
		t.Fatal(err)
	}
	eval[any](t, d, `frames[0].postMessage("prompt('q')",'*'); 1`)
	for s := snapshot(t, d); !strings.Contains(outline(s.Root, 0), `"yes"`); s = snapshot(t, d) {
		if err := d.WaitChange(deadline(t), s); err != nil {
			t.Fatalf("dialog in a frame of another process: %v %s", err, outline(s.Root, 0))
		}
	}
}

// TestDocumentOpen proves that a document which the page writes anew is followed like any other.
func TestDocumentOpen(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<iframe id=f></iframe><p>top`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	snapshot(t, d)
	eval[any](t, d, `const o=f.contentDocument; o.open(); o.write('<input id=i><button>Written</button>'); o.close(); 1`)
	s := snapshot(t, d)
	byName(t, s, "button", "Written")
	for _, script := range []string{
		`f.contentDocument.querySelector('button').textContent='Changed'`,
		`f.contentWindow.i.value='v'; f.contentWindow.i.dispatchEvent(new Event('input',{bubbles:true}))`,
		`f.contentWindow.i.focus()`,
	} {
		eval[any](t, d, script+"; 1")
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		if err := d.WaitChange(soon, s); err != nil {
			t.Errorf("%s: %v", script, err)
		}
		cancel()
		s = snapshot(t, d)
	}
	byName(t, s, "button", "Changed")
}

// TestPopupKinds proves that no popup is missed, whoever opens it and however.
func TestPopupKinds(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{
		"/": `<a id=a target=_blank href=/pop>x</a><iframe src="OTHER/in"></iframe>`, "/pop": `<button>Popup</button>`,
		"/in": `<script>onmessage=()=>window.open('/pop','z','width=200,height=200')</script>`,
	})
	d := newDevice(t, DeviceOptions{})
	for name, script := range map[string]string{
		"link":          `a.click()`,
		"no opener":     `window.open('/pop','_blank','noopener')`,
		"other origin":  `window.open('` + srv.Other + `/pop')`,
		"written":       `const w=window.open('');w.document.write('<button>Popup</button>');w.document.close()`,
		"from a frame":  `frames[0].postMessage(1,'*')`,
		"moved at once": `window.open('about:blank').location='` + srv.Other + `/pop'`,
	} {
		open(t, d, srv.URL+"/")
		settled(t, d, 2)
		eval[any](t, d, script+"; 1")
		if err := d.frames.Await(deadline(t), name, func() (bool, error) { return len(d.frames.Tabs) == 2, nil }); err != nil {
			t.Fatal(err)
		}
		d.frames.Lock()
		id := d.frames.Tabs[1].ID
		d.frames.Unlock()
		if err := d.SwitchTab(deadline(t), id); err != nil {
			t.Fatal(err)
		}
		s := snapshot(t, d)
		for !strings.Contains(outline(s.Root, 0), `"Popup"`) {
			if err := d.WaitChange(deadline(t), s); err != nil {
				d.frames.Lock()
				for _, tab := range d.frames.Tabs {
					t.Logf("tab %s active %v", tab.ID, tab == d.frames.Active)
					for _, f := range tab.Frames {
						t.Logf("  frame %s %s doc %v loader %s loaded %s world %+v main %v", f.ID, f.URL, f.Document != nil, f.Loader, f.Loaded, f.World, f == tab.Main)
					}
				}
				d.frames.Unlock()
				t.Fatalf("%s: %v %s", name, err, outline(s.Root, 0))
			}
			s = snapshot(t, d)
		}
		if err := d.CloseTab(deadline(t), id); err != nil {
			t.Fatal(err)
		}
	}
}
