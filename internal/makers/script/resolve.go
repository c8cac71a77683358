package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// The bounds of a bundle for a process, packages and all.
const (
	maxNodeFile  = 4 << 20
	maxNodeFiles = 4000
)

// nodeHead goes before a bundle for a process. The bundle is in another folder than the script, whose folder is the
// working directory of the process: names of files are relative to the script.
const nodeHead = `import { createRequire as __trailblazeRequire } from "node:module";
import { pathToFileURL as __trailblazeToURL } from "node:url";
globalThis.require = __trailblazeRequire(process.cwd() + "/script.js");
globalThis.__trailblazeURL = __trailblazeToURL(process.cwd() + "/script.js").href;
globalThis.__trailblazeDir = process.cwd();
globalThis.__trailblazeFile = process.cwd() + "/script.js";
`

// nodeNames are the names of the script's place, of which a module for a process makes use.
var nodeNames = map[string]string{
	"import.meta.url": "__trailblazeURL", "import.meta.dirname": "__trailblazeDir",
	"import.meta.filename": "__trailblazeFile",
	"__dirname":            "__trailblazeDir", "__filename": "__trailblazeFile",
}

// nodeModules are the modules of Node that a script may name without "node:".
var nodeModules = strings.Fields(`assert assert/strict async_hooks buffer child_process cluster console constants crypto
dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector module net os path
path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
worker_threads zlib`)

// errOutside is a file that a link leads to, out of the workspace.
var errOutside = errors.New("outside of the workspace")

// find resolves an import of a file of a process, as Node does: a module of Node, a package, a file. Packages go into
// the bundle, so that the code that runs is the trusted one. The files that locate them are read as any file of the
// workspace is, within its bounds.
func (b *bundler) find(a worker.Import) (worker.Found, error) {
	switch {
	case a.Space != filesNS, // our own modules import modules of Node alone
		strings.HasPrefix(a.Path, "node:"), slices.Contains(nodeModules, a.Path),
		strings.HasPrefix(a.Path, "http://"), strings.HasPrefix(a.Path, "https://"):
		return worker.Found{Path: a.Path, External: true}, nil
	}
	name, err := b.named(a)
	switch {
	case errors.Is(err, errOutside):
		return worker.Found{}, err
	case errors.Is(err, fs.ErrNotExist):
		return worker.Found{}, fmt.Errorf("could not resolve %q; install packages in the folder of the tools or above it",
			a.Path)
	case err != nil:
		return worker.Found{}, fmt.Errorf("resolve %q: %w", a.Path, err)
	case path.Ext(name) == ".node":
		return worker.Found{},
			fmt.Errorf("%s is machine code, which cannot be bundled; write an MCP server of your own", a.Path)
	}
	return worker.Found{Path: name, Space: filesNS}, nil
}

// named is the file that an import means.
func (b *bundler) named(a worker.Import) (string, error) {
	dir := path.Dir(a.Importer)
	switch {
	case a.Path == "", strings.ContainsRune(a.Path, 0):
		return "", fs.ErrNotExist
	case filepath.IsAbs(a.Path):
		top, err := filepath.EvalSymlinks(b.root.Name())
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(top, a.Path)
		if err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("%s is %w", a.Path, errOutside)
		}
		return b.module(filepath.ToSlash(rel), a.Require)
	case a.Path == "." || a.Path == "..", strings.HasPrefix(a.Path, "./"), strings.HasPrefix(a.Path, "../"):
		name := path.Join(dir, a.Path)
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s is %w", a.Path, errOutside)
		}
		return b.module(name, a.Require)
	case a.Path[0] == '#':
		return b.imported(dir, a)
	}
	return b.packaged(dir, a)
}

// imported resolves a "#" name by the package that a file belongs to.
func (b *bundler) imported(dir string, a worker.Import) (string, error) {
	for ; ; dir = path.Dir(dir) {
		m, err := b.manifest(dir)
		switch {
		case err != nil:
			return "", err
		case m != nil && len(m.Imports) > 0:
			target, err := matched(m.Imports, a.Path, a.Require)
			switch {
			case err != nil:
				return "", err
			case strings.HasPrefix(target, "./"):
				return b.module(path.Join(dir, target), a.Require)
			}
			return b.packaged(dir, worker.Import{Path: target, Require: a.Require})
		case m != nil, dir == ".":
			return "", fs.ErrNotExist
		}
	}
}

// packaged returns a file of a package, which is in node_modules of a folder above.
func (b *bundler) packaged(dir string, a worker.Import) (string, error) {
	parts := strings.SplitN(a.Path, "/", 3)
	name := 1
	if strings.HasPrefix(a.Path, "@") {
		name = 2
	}
	if len(parts) < name {
		return "", fs.ErrNotExist
	}
	pkg, sub := strings.Join(parts[:name], "/"), strings.Join(parts[name:], "/")
	if !filepath.IsLocal(pkg) {
		return "", fs.ErrNotExist
	}
	for ; ; dir = path.Dir(dir) {
		at, info, err := b.real(path.Join(dir, "node_modules", pkg))
		switch {
		case errors.Is(err, errOutside):
			return "", err
		case err == nil && info.IsDir():
			found, err := b.inPackage(at, sub, a.Require)
			if !errors.Is(err, fs.ErrNotExist) || dir == "." {
				return found, err
			}
		}
		if m, err := b.manifest(dir); err == nil && m != nil && m.Name == pkg && len(m.Exports) > 0 {
			return b.inPackage(dir, sub, a.Require) // a package may import itself
		}
		if dir == "." {
			return "", fs.ErrNotExist
		}
	}
}

// inPackage is a file of the package in a folder.
func (b *bundler) inPackage(dir, sub string, require bool) (string, error) {
	m, err := b.manifest(dir)
	if err != nil {
		return "", err
	}
	if m == nil || len(m.Exports) == 0 {
		name := path.Join(dir, sub)
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s is %w", sub, errOutside)
		}
		return b.module(name, require)
	}
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	exports := m.Exports
	// without a leading dot it is for the package itself, written short
	if o, _ := argument.FieldsOf(exports); len(o) == 0 || !strings.HasPrefix(o[0].Name, ".") {
		exports = fmt.Appendf(nil, `{".":%s}`, m.Exports)
	}
	target, err := matched(exports, key, require)
	if err != nil {
		return "", err
	}
	at, info, err := b.real(path.Join(dir, target))
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	return at, err
}

// extensions are the endings that the name of a module may lack.
var extensions = []string{".tsx", ".ts", ".jsx", ".js", ".css", ".json"}

// rewritten are the extensions of files that TypeScript makes, which name the file that they are made of.
var rewritten = map[string][]string{".js": {".ts", ".tsx"}, ".jsx": {".ts", ".tsx"}, ".mjs": {".mts"}, ".cjs": {".cts"}}

// module is the file that a path means: a file, one whose extension is not written, or what a folder begins with.
func (b *bundler) module(name string, require bool) (string, error) {
	at, err := b.regular(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return at, err
	}
	dir, info, err := b.real(name)
	if err != nil || !info.IsDir() {
		return "", fs.ErrNotExist
	}
	m, err := b.manifest(dir)
	if err != nil {
		return "", err
	}
	if m != nil {
		for _, entry := range m.entries() {
			if entry = path.Join(dir, entry); entry == dir || !filepath.IsLocal(entry) {
				continue
			}
			for _, p := range []string{entry, path.Join(entry, "index")} {
				if at, err := b.regular(p); err == nil || !errors.Is(err, fs.ErrNotExist) {
					return at, err
				}
			}
		}
	}
	return b.regular(path.Join(dir, "index"))
}

// regular is a file by its name, or by its name without what it ends in.
func (b *bundler) regular(name string) (string, error) {
	list := []string{name}
	for _, ext := range extensions {
		list = append(list, name+ext)
	}
	ext := path.Ext(name)
	for _, other := range rewritten[ext] {
		list = append(list, strings.TrimSuffix(name, ext)+other)
	}
	for _, p := range list {
		at, info, err := b.real(p)
		switch {
		case errors.Is(err, errOutside):
			return "", err
		case err == nil && info.Mode().IsRegular():
			return at, nil
		}
	}
	return "", fs.ErrNotExist
}

// real returns the target of links, below the workspace. Nothing is read.
func (b *bundler) real(name string) (string, fs.FileInfo, error) {
	top, err := filepath.EvalSymlinks(b.root.Name())
	if err != nil {
		return "", nil, err
	}
	at, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return "", nil, err
	}
	rel, err := filepath.Rel(top, at)
	if err != nil || !filepath.IsLocal(rel) {
		return "", nil, fmt.Errorf("%s is %s, %w", name, at, errOutside)
	}
	info, err := b.root.Stat(rel)
	return filepath.ToSlash(rel), info, err
}

// manifest is the description of a package.
type manifest struct {
	Name             string
	Main, Module     any // texts; whatever else an author writes means nothing
	Exports, Imports json.RawMessage
}

func (m *manifest) entries() (out []string) {
	for _, v := range []any{m.Module, m.Main} {
		if s, ok := v.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// manifest reads the package.json of a folder, nil when there is none.
func (b *bundler) manifest(dir string) (*manifest, error) {
	if m, known := b.packages[dir]; known {
		return m, nil
	}
	if b.packages == nil {
		b.packages = map[string]*manifest{}
	}
	name := path.Join(dir, "package.json")
	data, err := file.ReadIn(b.root, name, maxFile)
	switch {
	case errors.Is(err, os.ErrNotExist):
		b.packages[dir] = nil
		return nil, nil
	case err != nil:
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainly(err))
	}
	b.packages[dir] = m
	return m, nil
}

// matched returns the entry of a map of exports or imports for a key, which may hold a star.
func matched(table json.RawMessage, key string, require bool) (string, error) {
	best, star := argument.Field{}, ""
	entries, _ := argument.FieldsOf(table)
	for _, m := range entries {
		head, tail, pattern := strings.Cut(m.Name, "*")
		switch {
		case m.Name == key:
			return chosen(m.Value, "", require, 0)
		case pattern && len(key) > len(head)+len(tail)-1 && strings.HasPrefix(key, head) && strings.HasSuffix(key, tail) &&
			len(head) > len(strings.SplitN(best.Name, "*", 2)[0]):
			best, star = m, key[len(head):max(len(head), len(key)-len(tail))]
		}
	}
	if best.Name == "" {
		return "", fs.ErrNotExist
	}
	return chosen(best.Value, star, require, 0)
}

// maxConditions bounds how deep conditions are nested.
const maxConditions = 16

// chosen is the file that a target names: a text, the first of a list that works, or that of the first condition that
// holds.
func chosen(raw json.RawMessage, star string, require bool, depth int) (string, error) {
	if depth > maxConditions {
		return "", fs.ErrNotExist
	}
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		s = strings.ReplaceAll(s, "*", star)
		if strings.HasPrefix(s, "./") && !filepath.IsLocal(s) {
			return "", fmt.Errorf("%s is %w", s, errOutside)
		}
		return s, nil
	}
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list)
	entries, _ := argument.FieldsOf(raw)
	for _, m := range entries {
		if slices.Contains([]string{"node", "module", "default"}, m.Name) || m.Name == "require" && require ||
			m.Name == "import" && !require {
			list = append(list, m.Value)
		}
	}
	for _, one := range list {
		if found, err := chosen(one, star, require, depth+1); err == nil {
			return found, nil
		}
	}
	return "", fs.ErrNotExist
}
