package web

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestOddFrames proves that frames of every kind are captured, and that those which cannot be do
// not spoil the rest.
func TestOddFrames(t *testing.T) {
	t.Parallel()
	var frame atomic.Value // what the top page holds; frames of the page before may still ask
	frame.Store("")
	srv := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		body := map[string]string{
			"/":       `<h1>Top</h1>` + strings.ReplaceAll(frame.Load().(string), "OTHER", "http://localhost:"+port(r.Host)),
			"/in":     `<button>In</button>`,
			"/set":    `<frameset cols="50%,50%"><frame src="/in"><frame src="/in"></frameset>`,
			"/plain":  `just text`,
			"/redir":  ``,
			"/script": `<script>document.write('<button>Scripted</button>')</script>`,
		}[r.URL.Path]
		switch r.URL.Path {
		case "/denied":
			w.Header().Set("X-Frame-Options", "DENY")
		case "/plain":
			w.Header().Set("Content-Type", "text/plain")
		case "/img.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			body = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="10">svg</text></svg>`
		case "/a.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			body = "%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 " +
				"obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>"
		case "/redir":
			http.Redirect(w, r, "http://localhost:"+port(r.Host)+"/in", http.StatusFound)
			return
		}
		_, _ = w.Write([]byte(body))
	})
	kinds := map[string]string{ // what the frame is, and a text that must be seen in it
		`<iframe src="/denied"></iframe>`:                                    "",
		`<iframe src="OTHER/denied"></iframe>`:                               "",
		`<iframe src="http://127.0.0.1:1/refused"></iframe>`:                 "",
		`<iframe src="/plain"></iframe>`:                                     "just text",
		`<iframe src="/img.svg"></iframe>`:                                   "",
		`<iframe src="/a.pdf"></iframe>`:                                     "",
		`<embed type="application/pdf" src="/a.pdf">`:                        "",
		`<object data="/in"></object>`:                                       "In",
		`<embed src="/in">`:                                                  "In",
		`<iframe src="/set"></iframe>`:                                       "In",
		`<iframe src="data:text/html,<button>Data</button>"></iframe>`:       "Data",
		`<iframe srcdoc="<button>Doc</button>"></iframe>`:                    "Doc",
		`<iframe src="/redir"></iframe>`:                                     "In",
		`<iframe sandbox src="/script"></iframe><p>after`:                    "after",
		`<iframe sandbox="allow-scripts" src="/script"></iframe>`:            "Scripted",
		`<iframe loading=lazy style="margin-top:9000px" src="/in"></iframe>`: "",
		`<iframe id=w></iframe><script>w.contentDocument.open();w.contentDocument.write('<button>Written</button>');w.contentDocument.close()</script>`: "Written",
		`<iframe src="javascript:'<button>Js</button>'"></iframe>`:                                                                                      "Js",
		`<iframe src="/in" style="display:none"></iframe>`:                                                                                              "",
		`<iframe id=b></iframe><script>setTimeout(()=>{b.contentDocument.body.innerHTML='<button>Blank</button>'})</script>`:                            "Blank",
	}
	d := newDevice(t, DeviceOptions{})
	for kind, want := range kinds {
		frame.Store(kind)
		open(t, d, srv.URL+"/")
		s := snapshot(t, d)
		// on a busy machine a frame may come after what a page is waited for
		for s.Quality.Verdict != screen.Complete || !strings.Contains(outline(s.Root, 0), want) {
			if err := d.WaitChange(deadline(t), s); err != nil {
				t.Fatalf("%s: %v: %+v: %s", kind, err, s.Quality, outline(s.Root, 0))
			}
			s = snapshot(t, d)
		}
		text := outline(s.Root, 0)
		if s.Quality.Verdict != screen.Complete || !strings.Contains(text, `"Top"`) || !strings.Contains(text, want) {
			t.Errorf("%s: %+v, want %q in %s", kind, s.Quality, want, text)
		}
	}
}
