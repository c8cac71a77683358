package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string // with slashes
	mode fs.FileMode
	data []byte
}

// archive makes the archive of a system: its program, the texts, completions and manual pages in one folder.
func (r *release) archive(s system, program []byte) error {
	name := fmt.Sprintf("trailblaze_%s_%s", r.version, s.folder())
	entries := append([]entry{{s.program(), 0o755, program}}, r.texts...)
	for _, e := range r.share {
		entries = append(entries, entry{"share/" + e.name, e.mode, e.data})
	}
	for i := range entries {
		entries[i].name = name + "/" + entries[i].name
	}
	pack, ext := tarball, ".tar.gz"
	if s.goos == "windows" {
		pack, ext = zipped, ".zip"
	}
	data, err := pack(r.at, entries)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	r.archives[s.folder()] = hex.EncodeToString(sum[:])
	return r.write(name+ext, data)
}

// tarball packs entries, in their order, as a tar archive in gzip.
func tarball(at time.Time, entries []entry) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // its header has no time
	t := tar.NewWriter(z)
	for _, e := range entries {
		err := t.WriteHeader(&tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: at, Typeflag: tar.TypeReg})
		if err != nil {
			return nil, err
		}
		if _, err := t.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(t.Close(), z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipped packs entries, in their order, as a zip archive.
func zipped(at time.Time, entries []entry) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (r *release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}
