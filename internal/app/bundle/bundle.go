// Package bundle writes and reads bundles: the runner (a static program for a phone) with the trails, tools and
// settings of a workspace in a zip archive at its end. `trailblaze bundle` writes one, the runner opens itself. A
// Bundle is for one goroutine.
//
//	err := bundle.Write("runner", program, bundle.Manifest{Trails: trails}, root, files)
//	b, err := bundle.Open("runner")
package bundle

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// The bounds of a bundle.
const (
	maxProgram = 256 << 20
	maxFile    = 64 << 20
	maxTotal   = 512 << 20
	maxFiles   = 20_000
)

// Manifest says what a bundle is for.
type Manifest struct {
	Schema  string   `json:"schema"`
	Version string   `json:"version"` // of the program that wrote it, and of the runner in it
	Name    string   `json:"name"`    // of the workspace, for reports
	Target  string   `json:"target,omitempty"`
	Trails  []string `json:"trails"` // files below the workspace, with slashes, in the order of a run
}

const (
	schema   = "trailblaze.bundle/1"
	manifest = "bundle.json"
	content  = "workspace/" // the files of the workspace
)

// stampHead begins the stamp of a runner.
const stampHead = "trailblaze-runner:"

// Stamp is set by the build of a runner: stampHead, its version and a semicolon. Its text is in the program, so that a
// runner for another processor, which cannot be asked, is known by it.
var Stamp = ""

// Version is the version of this runner, "" in a program that is none.
func Version() string { return strings.TrimSuffix(strings.TrimPrefix(Stamp, stampHead), ";") }

// machines are the processors for which there are runners.
var machines = map[string]elf.Machine{"arm64": elf.EM_AARCH64, "amd64": elf.EM_X86_64}

// Processors lists the names of those.
func Processors() []string { return []string{"arm64", "amd64"} }

// Program reads a runner, and refuses one of another processor or version.
func Program(path, processor, version string) ([]byte, error) {
	const op = "read runner"
	data, err := file.Read(path, maxProgram)
	if err != nil {
		return nil, fault.New(fault.NotFound, op, "%w", err).
			WithHint("`make runner` in trailblaze's source builds it: keep it beside the program, or give --runner.")
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil || f.Machine != machines[processor] {
		return nil, fault.New(fault.Invalid, op, "%s is no program for linux/%s", path, processor)
	}
	if !bytes.Contains(data, []byte(stampHead+version+";")) {
		return nil, fault.New(fault.Invalid, op, "%s is no runner of version %s", path, version).
			WithHint("`make runner` in the source of this version builds one.")
	}
	return data, nil
}

// Write writes a bundle: the program, and files below root, whose names have slashes.
func Write(out string, program []byte, m Manifest, root string, files []string) error {
	const op = "write bundle"
	m.Schema = schema
	head, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return fault.Wrap(err, fault.NotFound, op)
	}
	defer func() { _ = dir.Close() }()
	if len(files) > maxFiles {
		return fault.New(fault.Invalid, op, "there are %d files, and a bundle holds at most %d", len(files), maxFiles)
	}
	slices.Sort(files)
	return fault.Wrap(file.ReplaceBy(out, 0o755, func(w io.Writer) error {
		if _, err := w.Write(program); err != nil {
			return err
		}
		z := zip.NewWriter(w)
		z.SetOffset(int64(len(program)))
		add := func(name string, data []byte) error {
			e, err := z.Create(name)
			if err == nil {
				_, err = e.Write(data)
			}
			return err
		}
		if err := add(manifest, head); err != nil {
			return err
		}
		total := 0
		for _, name := range files {
			data, err := file.ReadIn(dir, filepath.FromSlash(name), maxFile)
			if err != nil {
				return err
			}
			if total += len(data); total > maxTotal {
				return fault.New(fault.Invalid, "", "the files of the workspace have more than %d MB", maxTotal>>20)
			}
			if err := add(content+name, data); err != nil {
				return err
			}
		}
		return z.Close()
	}), fault.Unavailable, op)
}

// Bundle is an open bundle.
type Bundle struct {
	Manifest
	zip *zip.Reader
	f   *os.File
}

// Open opens a bundle. A runner without an archive is none.
func Open(path string) (*Bundle, error) {
	const op = "open bundle"
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, op)
	}
	b, err := read(f)
	if err != nil {
		_ = f.Close()
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	return b, nil
}

func read(f *os.File) (*Bundle, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, info.Size())
	if errors.Is(err, zip.ErrFormat) {
		return nil, fault.New(fault.Invalid, "", "there are no trails in this program").
			WithHint("`trailblaze bundle -o FILE` writes a runner with the trails of a project.")
	}
	if err != nil {
		return nil, err
	}
	b := &Bundle{zip: z, f: f}
	e, err := z.Open(manifest)
	if err != nil {
		return nil, err
	}
	defer func() { _ = e.Close() }()
	if err := json.NewDecoder(io.LimitReader(e, maxFile)).Decode(&b.Manifest); err != nil {
		return nil, err
	}
	if b.Schema != schema {
		return nil, fault.New(fault.Invalid, "", "its manifest is %q, and not %q", b.Schema, schema)
	}
	return b, nil
}

// Unpack writes the files of the workspace into a folder.
func (b *Bundle) Unpack(folder string) error {
	const op = "unpack bundle"
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = dir.Close() }()
	left := int64(maxTotal)
	for _, e := range b.zip.File {
		name, ok := strings.CutPrefix(e.Name, content)
		if !ok {
			continue
		}
		left -= int64(min(e.UncompressedSize64, maxTotal+1)) //nolint:gosec // bounded
		if left < 0 || !filepath.IsLocal(filepath.FromSlash(name)) {
			return fault.New(fault.Invalid, op, "%q is larger than a bundle has, or lies outside of it", e.Name)
		}
		if err := extract(dir, e, filepath.FromSlash(name)); err != nil {
			return fault.Wrap(err, fault.Unavailable, op)
		}
	}
	return nil
}

func extract(dir *os.Root, e *zip.File, name string) error {
	if err := dir.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	in, err := e.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return err
	}
	return dir.WriteFile(name, data, 0o644)
}

// Close closes the file.
func (b *Bundle) Close() error { return b.f.Close() }

// Files lists the regular files of folders and files below root that a bundle takes along. Hidden ones, which hold
// secrets and caches, stay behind, as packages of Node do.
func Files(root string, places []string) ([]string, error) {
	var out []string
	for _, place := range places {
		at := filepath.Join(root, filepath.FromSlash(place))
		err := filepath.WalkDir(at, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			switch {
			case err != nil:
				return err
			case rel == ".":
			case strings.HasPrefix(e.Name(), "."), e.IsDir() && e.Name() == "node_modules":
				if e.IsDir() {
					return fs.SkipDir
				}
			case e.Type().IsRegular():
				out = append(out, filepath.ToSlash(rel))
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fault.Wrap(err, fault.Unavailable, "list files")
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
