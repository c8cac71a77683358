package replay

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// oddServer answers what ordinary pages do not: it is slow, says nothing, never ends, or sends one elsewhere. The
// ways of one case are told apart by its ?k= so that cases can run side by side.
type oddServer struct {
	counts [64]atomic.Int64
}

func (o *oddServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	ms, _ := strconv.Atoi(q.Get("ms"))
	pause(r, time.Duration(ms)*time.Millisecond)
	page := func(body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>odd</title><body>" + body)) // a client that has left needs no answer
	}
	switch strings.TrimPrefix(r.URL.Path, "/odd/") {
	case "page":
		page("<p>" + q.Get("say") + "</p>")
	case "count": // how often it was asked with this k, this time included
		k, _ := strconv.Atoi(q.Get("k"))
		page(fmt.Sprintf("<p>Sent %d</p>", o.counts[k%len(o.counts)].Add(1)))
	case "204":
		w.WriteHeader(http.StatusNoContent)
	case "500":
		w.WriteHeader(http.StatusInternalServerError)
		page("<p>" + q.Get("say") + "</p>")
	case "chain":
		n, _ := strconv.Atoi(q.Get("n"))
		to := fmt.Sprintf("/odd/chain?n=%d", n-1)
		if n == 0 {
			to = "/odd/page?say=Paid"
		}
		http.Redirect(w, r, to, http.StatusFound)
	case "elsewhere": // the same server under its other name: another origin
		http.Redirect(w, r, "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)+"/odd/page?say=Paid", http.StatusFound)
	case "picture":
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="green"/></svg>`))
	case "hang":
		pause(r, time.Minute)
	case "drip": // a page that goes on arriving
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>drip</title><body><p>Paid</p>"))
		_ = http.NewResponseController(w).Flush()
		pause(r, time.Minute)
	case "events":
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			_, _ = fmt.Fprintf(w, "data: %d\n\n", time.Now().UnixNano())
			_ = http.NewResponseController(w).Flush()
			pause(r, 200*time.Millisecond)
		}
	case "cut": // the connection ends without an answer
		panic(http.ErrAbortHandler)
	case "file":
		w.Header().Set("Content-Disposition", `attachment; filename="bill.txt"`)
		_, _ = w.Write([]byte("Paid"))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// pause lasts d, or until the client leaves.
func pause(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}
