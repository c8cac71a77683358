package web

import (
	"testing"
)

func TestNavigateAndCapture(t *testing.T) {
	d := newDevice(t, DeviceOptions{})
	srv := serve(t, map[string]string{"/": `<title>Hi</title><button>Save</button><iframe src="OTHER/in"></iframe><iframe src="/in"></iframe>`, "/in": `<p>in</p>`})
	e := open(t, d, srv.URL+"/")
	if e.Status != 200 || e.URL != srv.URL+"/" || !e.Changes.Navigation {
		t.Errorf("effect %+v", e)
	}
	s := snapshot(t, d)
	t.Logf("%+v", s)
	d.mu.Lock()
	for _, f := range d.active.frames {
		t.Logf("frame %d %s doc=%v owner=%v", f.number, f.url, f.doc, d.active.main.doc.owners[f])
	}
	d.mu.Unlock()
}
