package api

import (
	"embed"
	"net/http"
	"path"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

//go:embed page/*
var page embed.FS

// policies are the content security policies of the pages. A page that could not make markup of a text that it shows
// needs no list of what to escape.
var policies = map[string]string{
	"docs": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'",
	"app": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
		"trusted-types 'none'",
}

// Page returns the pages of the daemon: the one that describes the API and lets people try it, and the viewer. They
// hold no data of their own: they ask the API for their content, and load nothing from elsewhere.
func Page() http.Handler {
	types := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if of == "app" && r.URL.Path == "/app" {
			http.Redirect(w, r, "/app/", http.StatusPermanentRedirect) // the browser keeps the fragment
			return
		}
		if name == "" {
			name = of + ".html"
		}
		data, ok := report.App(name)
		if !ok || of != "app" {
			var err error
			if data, err = page.ReadFile("page/" + name); err != nil || !strings.HasPrefix(name, of+".") {
				http.NotFound(w, r)
				return
			}
		}
		h := w.Header()
		h.Set("Content-Type", types[path.Ext(name)]+"; charset=utf-8")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		h.Set("Content-Security-Policy", policies[of])
		_, _ = w.Write(data)
	})
}
