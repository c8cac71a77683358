package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string // with slashes
	mode fs.FileMode
	data []byte
}

// system is a system that the program is built for, as each registry names it.
type system struct{ goos, goarch, node, wheel string }

// systems lists those of a release. A program without cgo runs on glibc and musl alike; Go 1.26 needs macOS 12.
var systems = []system{
	{"linux", "amd64", "linux-x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "linux-arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "darwin-x64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "darwin-arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win32-x64", "win_amd64"},
	{"windows", "arm64", "win32-arm64", "win_arm64"},
}

func (s system) folder() string { return s.goos + "_" + s.goarch }

func (s system) program() string {
	if s.goos == "windows" {
		return "trailblaze.exe"
	}
	return "trailblaze"
}

// release is what all files of a release have in common.
type release struct {
	version    string // without v
	at         time.Time
	built, out string
	here       string            // the folder of this program, for the files that packages take along
	texts      []entry           // licences and README, which every archive has
	share      []entry           // completions and manual pages, by their paths below /usr/share
	archives   map[string]string // the SHA-256 of each archive, by the folder of its system
}

func sortEntries(all []entry) {
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
}

// tarball packs entries, in their order, as a tar archive in gzip.
func tarball(at time.Time, entries []entry) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b) // its header has no time
	t := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: at}
		if err := t.WriteHeader(h); err != nil {
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
