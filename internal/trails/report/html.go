package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

//go:generate npm ci --prefix ui --ignore-scripts --no-audit --no-fund
//go:generate go run ./ui/gen

//go:embed ui/dist/report.js
var script string

//go:embed ui/dist/report.css
var style string

var (
	//go:embed ui/dist/app.js
	appScript []byte

	//go:embed ui/dist/app.css
	appStyle []byte
)

// App returns a file of the viewer, which shows reports of sessions while they run.
func App(name string) (data []byte, ok bool) {
	switch name {
	case "app.js":
		return appScript, true
	case "app.css":
		return appStyle, true
	}
	return nil, false
}

// HTMLOptions shape the page. The zero value is usable.
type HTMLOptions struct {
	MaxImageBytes int64 // of pictures embedded, default 96 MB; failures come first, and a note says what was left out
	Plain         bool  // embed the data uncompressed, for tests and for people who read source
}

const (
	defaultImageBytes = 96 << 20
	plainBytes        = 64 << 10 // smaller data stays readable
)

// generator marks a page as one of ours.
const generator = `<meta name="generator" content="trailblaze report">`

// IsReport reports whether the beginning of a file is that of a page WriteHTML wrote.
func IsReport(head []byte) bool {
	return bytes.Contains(head[:min(len(head), 1<<10)], []byte(generator))
}

// WriteHTML writes the report as one page that needs nothing else: styles, script, data and pictures are inside, and
// its content security policy forbids every connection. Whatever a screen said is data in it, never markup.
func WriteHTML(w io.Writer, r *Report, o HTMLOptions) error {
	pictures, left := r.choosePictures(o.MaxImageBytes)
	shown := *r
	if left > 0 {
		shown.Notes = append(slices.Clip(shown.Notes),
			fmt.Sprintf("%d pictures were left out to keep this file small; they are in the session folders.", left))
	}
	data, err := json.Marshal(&shown) // escapes <, > and &, so that no text can end the element it stands in
	if err != nil {
		return fault.Wrap(err, fault.Internal, "write HTML report")
	}
	out := &sink{w: w}
	out.printf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s\n", generator)
	out.printf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy())
	out.printf("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n")
	out.printf("<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", html.EscapeString(pageTitle(r)), style)
	out.printf("<div id=\"app\"><p class=\"loading\">Opening the report…</p></div>\n" +
		"<noscript>This report needs JavaScript; it makes no connection.</noscript>\n")
	if o.Plain || len(data) <= plainBytes {
		out.printf("<script type=\"application/json\" id=\"report-data\">%s</script>\n", data)
	} else {
		out.printf("<script type=\"text/plain\" id=\"report-data\" data-encoding=\"gzip\">")
		out.gzip(data)
		out.printf("</script>\n")
	}
	for _, name := range pictures {
		out.picture(name, r.blobs[name])
	}
	out.printf("<script>%s</script>\n</body>\n</html>\n", script)
	return fault.Wrap(out.err, fault.Unavailable, "write HTML report")
}

// policy allows exactly our own script and style, and pictures that are in the page.
func policy() string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "+
		"form-action 'none'", hash(script), hash(style))
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func pageTitle(r *Report) string {
	mark := "✓ "
	switch r.Outcome {
	case event.Failed, event.Broken, event.Undecided, event.Canceled:
		mark = "✗ "
	case event.Healed:
		mark = "✚ "
	case event.Passed, event.Flaky, event.Skipped:
	}
	return mark + r.Title
}

// sink writes until the first error and keeps it.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

func (s *sink) gzip(data []byte) {
	if s.err != nil {
		return
	}
	b64 := base64.NewEncoder(base64.StdEncoding, s.w)
	z, _ := gzip.NewWriterLevel(b64, gzip.BestSpeed)
	if _, s.err = io.Copy(z, bytes.NewReader(data)); s.err != nil {
		return
	}
	if s.err = z.Close(); s.err == nil {
		s.err = b64.Close()
	}
}

// picture embeds one blob. A picture that is gone leaves a gap that the page names, not a broken report.
func (s *sink) picture(name string, b blob) {
	data, err := event.ReadBlob(b.dir, name)
	if err != nil || !strings.HasPrefix(b.mime, "image/") {
		return
	}
	s.printf("<script type=\"text/plain\" data-picture=\"%s\" data-mime=\"%s\">%s</script>\n",
		html.EscapeString(name), html.EscapeString(b.mime), base64.StdEncoding.EncodeToString(data))
}
