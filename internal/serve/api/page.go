package api

import (
	"embed"
	"net/http"
	"path"
)

//go:embed page/*
var page embed.FS

// Page returns the page that describes the API and lets people try it. It holds no data of its own: it asks the API
// for its content, with the token that its reader gives it, and loads nothing from elsewhere.
func Page() http.Handler {
	types := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		if r.URL.Path == "/docs" || r.URL.Path == "/docs/" {
			name = "docs.html"
		}
		data, err := page.ReadFile("page/" + name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(name)]+"; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "+
			"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_, _ = w.Write(data)
	})
}
