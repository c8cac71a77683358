package housetest

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// rooms is a site for several people: each visitor of a room sees what the others write, at once, and a bill that one
// makes is paid behind a link that another opens. One of its pages kills the browsers that keep their profile in a
// folder.
type rooms struct {
	mu      sync.Mutex
	said    map[string][]string
	changed chan struct{} // closed and replaced at each change
}

const (
	startPage = `<!doctype html><html lang=en><title>Rooms</title><main><h1>Rooms</h1>
<form action="/open"><label>Your name <input name=by></label>
<label>Code <input name=code></label><button>Enter</button></form></main>`
	roomPage = `<!doctype html><html lang=en><title>Rooms</title><main>
<h1>Room</h1><p>Code: <output aria-label=Code>ROOM</output></p>
<p><a href="/pay/ROOM">Payment link</a></p>
<ul aria-label=Messages></ul>
<form><label>Message <input name=text autocomplete=off></label><button>Send</button></form>
<script>
const list = document.querySelector('ul'), form = document.querySelector('form')
new EventSource('/events/ROOM').onmessage = e => {
	const li = document.createElement('li'); li.textContent = e.data; list.append(li)
}
form.onsubmit = e => {
	e.preventDefault()
	const by = new URLSearchParams(location.search).get('by')
	fetch('/say/ROOM', {method: 'POST', body: new URLSearchParams({by, text: form.text.value})})
	form.reset()
}
</script></main>`
)

// Rooms serves the site until the end of the test, and returns its address.
func Rooms(t testing.TB) string {
	t.Helper()
	r := &rooms{said: map[string][]string{}, changed: make(chan struct{})}
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, page string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { show(w, startPage) })
	mux.HandleFunc("GET /open", func(w http.ResponseWriter, req *http.Request) {
		code := req.FormValue("code")
		if code == "" {
			code = r.open()
		}
		r.say(code)
		http.Redirect(w, req, "/room/"+code+"?by="+req.FormValue("by"), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /room/{room}", func(w http.ResponseWriter, req *http.Request) {
		if !r.has(req.PathValue("room")) {
			http.NotFound(w, req)
			return
		}
		show(w, strings.ReplaceAll(roomPage, "ROOM", html.EscapeString(req.PathValue("room"))))
	})
	mux.HandleFunc("POST /say/{room}", func(_ http.ResponseWriter, req *http.Request) {
		r.say(req.PathValue("room"), req.FormValue("by")+": "+req.FormValue("text"))
	})
	mux.HandleFunc("GET /pay/{room}", func(w http.ResponseWriter, req *http.Request) {
		room := html.EscapeString(req.PathValue("room"))
		show(w, `<!doctype html><html lang=en><title>Pay</title><main><h1>Bill of room `+room+`</h1>
<form method=post><button>Pay 12 €</button></form></main>`)
	})
	mux.HandleFunc("POST /pay/{room}", func(w http.ResponseWriter, req *http.Request) {
		r.say(req.PathValue("room"), "The bill is paid")
		show(w, `<!doctype html><html lang=en><title>Paid</title><h1>Thank you</h1>`)
	})
	mux.HandleFunc("GET /events/{room}", func(w http.ResponseWriter, req *http.Request) { r.follow(w, req) })
	mux.HandleFunc("GET /kill", func(_ http.ResponseWriter, req *http.Request) {
		for _, child := range []bool{false, true} { // a browser first: it would report that its page crashed
			for pid, line := range ProcessesIn(req.FormValue("folder")) {
				if p, err := os.FindProcess(pid); err == nil && strings.Contains(line, "--type=") == child {
					_ = p.Kill()
				}
			}
		}
		<-req.Context().Done() // the page never comes
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	return srv.URL
}

func (r *rooms) open() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	code := "R-" + strconv.Itoa(1000+len(r.said))
	r.said[code] = nil
	return code
}

func (r *rooms) has(room string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.said[room]
	return ok
}

func (r *rooms) say(room string, texts ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said[room] = append(r.said[room], texts...)
	close(r.changed)
	r.changed = make(chan struct{})
}

// follow sends all that was said in a room, and each message after that.
func (r *rooms) follow(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for sent := 0; ; {
		r.mu.Lock()
		said, changed := r.said[req.PathValue("room")], r.changed
		r.mu.Unlock()
		for ; sent < len(said); sent++ {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", said[sent])
		}
		w.(http.Flusher).Flush()
		select {
		case <-changed:
		case <-req.Context().Done():
			return
		}
	}
}

// ProcessesIn returns the command lines of the processes that were given a path in a folder. Where there is no /proc it
// finds none.
func ProcessesIn(folder string) map[int]string {
	out := map[int]string{}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lines {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		line, read := os.ReadFile(name)
		if err == nil && read == nil && strings.Contains(string(line), folder+string(filepath.Separator)) {
			out[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return out
}
