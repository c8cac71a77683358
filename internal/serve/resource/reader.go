// Package resource reads what the daemon keeps for those who know an address: sessions with their events and pictures,
// devices, trails, settings; and it fills in the prompts that are made of them. Whose settings and workspace are meant
// is the client's.
//
//	r := resource.Reader{Hub: h, Client: c, Sessions: dir, Version: version}
//	content, err := r.Read(ctx, "trailblaze://sessions/…/recording")
package resource

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// Scheme begins every address.
const Scheme = "trailblaze://"

// maxResource bounds the size of one resource. A client that wants more reads pages, or opens the
// file.
const maxResource = 4 << 20

// Reader reads for one client.
type Reader struct {
	Hub      *hub.Hub
	Client   *clients.Client
	Sessions string // root of all session directories
	Version  string // of trailblaze
}

// Content is the content of an address: a text, or bytes.
type Content struct {
	MIME string // "": that of its kind
	Text string
	Blob []byte
}

// readers are the kinds of resources by the form of their address: * stands for one part, ** for the rest.
var readers = map[string]func(*Reader, context.Context, address) (*Content, error){
	"registry":              (*Reader).readRegistry,
	"about":                 (*Reader).readAbout,
	"config":                (*Reader).readConfig,
	"devices":               (*Reader).readDevices,
	"tools/categories":      (*Reader).readCategories,
	"sessions":              (*Reader).readSessions,
	"sessions/*":            (*Reader).readSession,
	"sessions/*/events":     (*Reader).readEvents,
	"sessions/*/recording":  (*Reader).readRecording,
	"sessions/*/screenshot": (*Reader).readScreenshot,
	"sessions/*/blobs/*":    (*Reader).readBlob,
	"snapshot/**":           (*Reader).readSnapshot,
	"trails":                (*Reader).readTrails,
	"trails/**":             (*Reader).readTrail,
}

// Read reads the content of an address; fault.NotFound when there is none.
func (r *Reader) Read(ctx context.Context, uri string) (*Content, error) {
	at, ok := parseAddress(uri)
	read := readers[at.form()]
	if !ok || read == nil {
		return nil, fault.New(fault.NotFound, "read resource", "nothing stands at %.200q", uri)
	}
	return read(r, ctx, at)
}

// Valid reports whether uri can be the address of a resource.
func Valid(uri string) bool {
	_, ok := parseAddress(uri)
	return ok
}

// address is a resource's address in parts.
type address struct {
	parts []string // decoded; parts[0] is the kind of resource
	query url.Values
}

// parseAddress splits an address. It refuses parts that could lead to another file or resource.
func parseAddress(uri string) (a address, ok bool) {
	rest, ok := strings.CutPrefix(uri, Scheme)
	if !ok || len(uri) > 4096 {
		return a, false
	}
	path, query, _ := strings.Cut(rest, "?")
	var err error
	if a.query, err = url.ParseQuery(query); err != nil {
		return a, false
	}
	for p := range strings.SplitSeq(path, "/") {
		p, err := url.PathUnescape(p)
		if err != nil || p == "" || p == "." || p == ".." || strings.ContainsAny(p, "/\\\x00") {
			return a, false
		}
		a.parts = append(a.parts, p)
	}
	return a, true
}

// part is the i-th part, "" when there is none.
func (a address) part(i int) string {
	if i < len(a.parts) {
		return a.parts[i]
	}
	return ""
}

// from is the path from the i-th part on.
func (a address) from(i int) string {
	if i >= len(a.parts) {
		return ""
	}
	return strings.Join(a.parts[i:], "/")
}

// form is the form of the address, as readers has it.
func (a address) form() string {
	parts := append([]string(nil), a.parts...)
	if len(parts) > 1 {
		switch parts[0] {
		case "sessions":
			parts[1] = "*"
			if len(parts) == 4 && parts[2] == "blobs" {
				parts[3] = "*"
			}
		case "snapshot", "trails":
			parts = []string{parts[0], "**"}
		}
	}
	return strings.Join(parts, "/")
}

// asJSON is a resource that holds v as JSON.
func asJSON(v any) (*Content, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "write resource")
	}
	return &Content{Text: string(body)}, nil
}

// list turns a nil list into an empty one, which JSON writes as [].
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

func asText(text string) *Content { return &Content{Text: text} }
