package api

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// blob streams a blob of a session: pictures, snapshots, long texts.
func (a *api) blob(w http.ResponseWriter, r *http.Request) {
	f, info, err := a.openBlob(r.PathValue("session"), r.PathValue("hash"))
	if err != nil {
		refuse(w, err)
		return
	}
	defer func() { _ = f.Close() }()
	// A browser must not show text from a page as a page of the daemon.
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	w.Header().Set("Content-Disposition", "attachment")
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// openBlob opens a blob. Neither part of its address can lead out of the sessions' folder, not by a link either.
func (a *api) openBlob(id, hash string) (*os.File, fs.FileInfo, error) {
	none := fault.New(fault.NotFound, "read blob", "session %.80q has no blob %.80q", id, hash).
		WithHint("The events of a session name its blobs.")
	if !session.ValidID(id) || !event.ValidBlob(hash) || a.Sessions == "" {
		return nil, nil, none
	}
	f, err := file.OpenPlain(filepath.Join(a.Sessions, id), filepath.Join(event.BlobDir, hash))
	if err != nil {
		return nil, nil, none
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, nil, none
	}
	return f, info, nil
}
