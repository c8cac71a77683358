package web

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// frameTexts says what our script sees in every frame of the active tab: path and text, in the
// order of their URLs.
func frameTexts(t *testing.T, d *Device) []string {
	t.Helper()
	d.frames.Lock()
	var docs []*frames.Document
	var urls []string
	for _, f := range d.frames.Active.Frames {
		docs = append(docs, f.Document)
		urls = append(urls, f.URL)
	}
	d.frames.Unlock()
	var out []string
	for i, doc := range docs {
		text := "(no document)"
		if doc != nil {
			raw, err := doc.Invoke(deadline(t), "()=>document.body.innerText.trim()+(document===__trailblaze.node(__trailblaze.id(document))?'':' stale')", nil)
			if err != nil {
				text = err.Error()
			} else {
				text = string(raw)
			}
		}
		out = append(out, last(urls[i])+" "+text)
	}
	sort.Strings(out)
	return out
}

// last is the end of a URL's path.
func last(url string) string { return url[max(0, strings.LastIndex(url, "/")):] }

// settled waits until n frames have a loaded document.
func settled(t *testing.T, d *Device, n int) {
	t.Helper()
	err := d.frames.Await(deadline(t), "frames", func() (bool, error) {
		if len(d.frames.Active.Frames) != n {
			return false, nil
		}
		for _, f := range d.frames.Active.Frames {
			if f.Document == nil || f.Loaded != f.Loader {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		d.frames.Lock()
		defer d.frames.Unlock()
		for _, f := range d.frames.Active.Frames {
			t.Logf("frame %s doc %v loaded %s loader %s host %v", f.URL, f.Document != nil, f.Loaded, f.Loader, f.Host.Target)
		}
		t.Fatal(err)
	}
}

// TestFrames proves that our script runs in every frame, whatever process it lives in, however
// deep, and as frames come, move between processes and go (issue 5).
func TestFrames(t *testing.T) {
	t.Parallel()
	docs := map[string]string{
		"/top":   `top<iframe src="/same"></iframe><iframe src="OTHER/other"></iframe>`,
		"/same":  `same<iframe src="OTHER/deep1"></iframe>`,
		"/other": `other<iframe src="SELF/back"></iframe><iframe src="/sib"></iframe>`,
		"/deep1": "deep1", "/back": "back", "/sib": "sib", "/late": "late", "/moved": "moved",
		"/sandbox": "sandbox",
	}
	srv := serve(t, docs)
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/top")
	settled(t, d, 6)
	want := []string{`/back "back"`, `/deep1 "deep1"`, `/other "other"`, `/same "same"`, `/sib "sib"`, `/top "top"`}
	if diff := cmp.Diff(want, frameTexts(t, d)); diff != "" {
		t.Error(diff)
	}
	add := func(src, attrs string) {
		t.Helper()
		eval[any](t, d, fmt.Sprintf(`document.body.insertAdjacentHTML('beforeend', '<iframe id=late %s src=%s></iframe>'); 1`, attrs, src))
	}
	for _, step := range []struct {
		name, script string
		frames       int
		want         string
	}{
		{"late frame here", "", 7, `/late "late"`},
		{"to another process", `document.querySelector('#late').src = '` + srv.Other + `/moved'; 1`, 7, `/moved "moved"`},
		{"and back", `document.querySelector('#late').src = '` + srv.URL + `/late'; 1`, 7, `/late "late"`},
		{"srcdoc", `document.querySelector('#late').srcdoc = 'inline'; 1`, 7, `inline`},
		{"gone", `document.querySelector('#late').remove(); 1`, 6, ``},
		{"subtree gone", `document.querySelectorAll('iframe')[1].remove(); 1`, 3, ``},
	} {
		if step.script == "" {
			add(srv.URL+"/late", "")
		} else {
			eval[any](t, d, step.script)
		}
		err := d.frames.Await(deadline(t), step.name, func() (bool, error) {
			if len(d.frames.Active.Frames) != step.frames {
				return false, nil
			}
			if step.want == "" {
				return true, nil
			}
			for _, f := range d.frames.Active.Frames {
				if f.Document != nil && f.Loaded == f.Loader && (strings.HasPrefix(step.want, last(f.URL)) || strings.HasSuffix(f.URL, "srcdoc") && step.want == "inline") {
					return true, nil
				}
			}
			return false, nil
		})
		if err != nil {
			t.Fatalf("%s: %v; frames %v", step.name, err, frameTexts(t, d))
		}
		if got := strings.Join(frameTexts(t, d), "\n"); !strings.Contains(got, step.want) || strings.Contains(got, "stale") || strings.Contains(got, "no document") {
			t.Errorf("%s: %s", step.name, got)
		}
	}
	add(srv.Other+"/sandbox", "sandbox")
	settled(t, d, 4)
	if got := strings.Join(frameTexts(t, d), "\n"); !strings.Contains(got, `/sandbox "sandbox"`) {
		t.Errorf("sandboxed frame: %s", got)
	}
}

// TestFramesWithoutScripts proves that our script runs in frames without scripts of their own, for which the browser makes no
// world any more when another client of the same tab has gone.
func TestFramesWithoutScripts(t *testing.T) {
	t.Parallel()
	d := newDevice(t, DeviceOptions{})
	tab, err := d.frames.Current()
	if err != nil {
		t.Fatal(err)
	}
	root := tab.Session.Conn().Root()
	other, err := cdp.Call(deadline(t), root, target.AttachToTarget, target.AttachToTargetParams{TargetID: tab.Target, Flatten: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(deadline(t), root.Conn().Session(other.SessionID), runtime.Enable, proto.Empty{}); err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(deadline(t), root, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: other.SessionID}); err != nil {
		t.Fatal(err)
	}
	srv := serve(t, map[string]string{
		"/top": `top<iframe src="/same"></iframe><iframe src="OTHER/far"></iframe>`, "/same": `same<iframe src="/deep"></iframe>`, "/deep": "deep",
		"/far": `far<iframe src="/sib"></iframe>`, "/sib": "sib",
	})
	open(t, d, srv.URL+"/top")
	settled(t, d, 5)
	want := []string{`/deep "deep"`, `/far "far"`, `/same "same"`, `/sib "sib"`, `/top "top"`}
	if diff := cmp.Diff(want, frameTexts(t, d)); diff != "" {
		t.Error(diff)
	}
}
