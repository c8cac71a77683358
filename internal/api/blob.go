package api

import (
	"net/http"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/session"
)

// blob streams a blob of a session: pictures, snapshots, long texts. Neither part of the address
// can lead out of the sessions' folder, not by a link either.
func (a *api) blob(w http.ResponseWriter, r *http.Request) {
	id, hash := r.PathValue("session"), r.PathValue("hash")
	none := fault.New(fault.NotFound, "read blob", "session %.80q has no blob %.80q", id, hash)
	if !session.ValidID(id) || !event.ValidBlob(hash) || a.Sessions == "" {
		refuse(w, none)
		return
	}
	f, err := file.OpenPlain(filepath.Join(a.Sessions, id), filepath.Join(event.BlobDir, hash))
	if err != nil {
		refuse(w, none)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, none)
		return
	}
	// A browser must not show text from a page as a page of the daemon.
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	w.Header().Set("Content-Disposition", "attachment")
	http.ServeContent(w, r, "", info.ModTime(), f)
}
