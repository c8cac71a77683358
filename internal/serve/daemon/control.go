package daemon

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
)

// About describes the daemon's process.
type About struct {
	Schema  string    `json:"schema"`
	PID     int       `json:"pid"`
	Build   string    `json:"build"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
	Socket  string    `json:"socket"`
	Port    int       `json:"port,omitempty"`
	TCP     string    `json:"tcp,omitempty"` // why there is no port, and what to do
	Log     string    `json:"log"`
	Retired bool      `json:"retired,omitempty"` // a newer build has replaced it
	Clients int64     `json:"clients"`           // connections, the asking one included
}

// About returns the facts of the process for `daemon status`.
func (d *Daemon) About() About {
	return About{
		Schema: "trailblaze.ping/1", PID: d.Boot.PID, Build: d.Boot.Build, Version: d.Boot.Version,
		Started: d.Boot.Started,
		Socket:  d.Boot.Socket, Port: d.Boot.Port, TCP: d.TCP, Log: d.Place.LogFile(), Retired: d.retired.Load(),
		Clients: d.open.Load(),
	}
}

// AppCode is the address of the viewer at the daemon, with the code that signs one page in.
type AppCode struct {
	Path string `json:"path"`
}

// control is the lane of the process itself: it answers while the handler is still being built, and
// when it is stuck.
func (d *Daemon) control() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/ping", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, d.About()) })
	mux.HandleFunc("POST /v1/retire", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, retirement{Leaving: d.Retire()})
	})
	mux.HandleFunc("POST /v1/stop", d.serveStop)
	mux.HandleFunc("GET /v1/log", d.serveLog)
	mux.HandleFunc("POST /v1/app", func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, AppCode{Path: appPath + "/#" + d.checks.Code(r.FormValue("workspace"))})
	})
	for _, path := range []string{"/v1/ping", "/v1/retire", "/v1/stop", "/v1/log", "/v1/app"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			auth.Refuse(w, http.StatusMethodNotAllowed, "invalid", r.Method+" is not what "+path+" takes",
				"Ping and log are read with GET; the others are POST.")
		})
	}
	return mux
}

// serveStop ends the daemon. The connection stays open until the process has ended, so that the client learns of its
// end.
func (d *Daemon) serveStop(w http.ResponseWriter, _ *http.Request) {
	conn, buf, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_, _ = buf.WriteString(
			"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"stopping\":true}\n")
		_ = buf.Flush()
		d.mu.Lock()
		d.waiting = append(d.waiting, conn)
		d.mu.Unlock()
	}
	d.Stop()
}

// serveLog sends the end of the log, and with follow=1 the lines after it, until the client
// disconnects.
func (d *Daemon) serveLog(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("lines"))
	if err != nil || n < 0 {
		n = 100
	}
	follow := r.FormValue("follow") == "1"
	var more <-chan []byte
	if follow { // before the tail is read, so that no line is missed
		var stop func()
		more, stop = d.logFile.follow()
		defer stop()
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	text, _ := LogTail(d.Place, n)
	_, _ = w.Write(text)
	for follow {
		_ = http.NewResponseController(w).Flush()
		select {
		case line := <-more:
			if _, err := w.Write(line); err != nil {
				return
			}
		case <-d.ending:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
