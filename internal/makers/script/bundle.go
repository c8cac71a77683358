package script

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
)

//go:embed lib/define.js
var defineJS string

//go:embed lib/runtime.js
var runtimeJS string

//go:embed lib/web.js
var webJS string

//go:embed lib/url.js
var urlJS string

//go:embed lib/intl.js
var intlJS string

//go:embed lib/node.js
var nodeJS string

//go:embed lib/testing.js
var testingJS string

// The bounds of a bundle.
const (
	maxFile  = 1 << 20 // bytes of one file
	maxFiles = 200     // of one tool file with all that it imports
)

// The modules that are ours.
const (
	defineModule  = "trailblaze:define"
	runtimeModule = "trailblaze:runtime"
	testingModule = "trailblaze:testing"
	webModule     = "trailblaze:web"
	urlModule     = "trailblaze:url"
	intlModule    = "trailblaze:intl"
	entryModule   = "trailblaze:entry"
)

// filesNS is the namespace of the author's files in the bundler.
const filesNS = "workspace"

// modules are the names by which scripts import ours.
var modules = map[string]string{
	"@trailblaze/scripting":         runtimeModule,
	"@trailblaze/scripting/testing": testingModule,
	"bun:test":                      testingModule,
	runtimeModule:                   runtimeModule,
	defineModule:                    defineModule,
	webModule:                       webModule,
	urlModule:                       urlModule,
	intlModule:                      intlModule,
}

// globals are the words for which a file gets a module of ours that defines them. One that uses none is not slower.
var globals = []struct {
	module string
	words  func() *regexp.Regexp
}{
	{webModule, regex.Lazy(`\b(TextEncoder|TextDecoder|atob|btoa|structuredClone|Headers)\b`)},
	{urlModule, regex.Lazy(`\b(URL|URLSearchParams)\b`)},
	{intlModule, regex.Lazy(`\b(Intl|toLocale(Date|Time)?String)\b`)},
}

// bundle is a tool file with all that it imports, as one script.
type bundle struct {
	code   []byte
	smap   []byte
	inputs map[string][]byte // by path below the root: what it was made of
}

// bundler reads the files of one folder, and nothing outside of it. A worker asks it one question at a time.
type bundler struct {
	root *os.Root
	name string  // of the tool file, with slashes
	test bool    // it is a test: its tests run instead of its tools
	text *string // what the tool file holds, where that is not what it says itself
	node bool    // for a process: modules of Node and packages are there
	desc []descriptor

	inputs   map[string][]byte
	packages map[string]*manifest // by folder; nil: there is none
}

// bundleFile makes one script of a tool file.
func bundleFile(ctx context.Context, root *os.Root, name string, desc []descriptor) (*bundle, error) {
	return (&bundler{root: root, name: name, desc: desc}).bundle(ctx)
}

func (b *bundler) bundle(ctx context.Context) (*bundle, error) {
	b.inputs = map[string][]byte{}
	for _, d := range b.desc {
		b.inputs[d.File] = d.data
	}
	in := worker.Bundling{File: b.name}
	if b.node {
		in.Node, in.Head, in.Def = true, nodeHead, nodeNames
	}
	end, err := worker.Do(ctx, worker.Job{Op: worker.Bundle, File: b.name, Args: in}, b)
	if err != nil {
		return nil, err
	}
	var out worker.Bundled
	if err := json.Unmarshal(end.Args, &out); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "bundle "+b.name)
	}
	return &bundle{code: end.Blob, smap: out.Map, inputs: b.inputs}, nil
}

// Answer implements worker.Parent: the bundler finds and reads files by us alone.
func (b *bundler) Answer(_ context.Context, q worker.Question) worker.Answer {
	var a worker.Answer
	var err error
	switch q.Op {
	case worker.AskResolve:
		var in worker.Import
		var found worker.Found
		if err = json.Unmarshal(q.Blob, &in); err == nil {
			found, err = b.resolve(in)
		}
		if err == nil {
			a.Blob, err = json.Marshal(found)
		}
	case worker.AskLoad:
		var text string
		text, a.Op, err = b.load(string(q.Blob))
		a.Blob = []byte(text)
	default:
		err = fault.New(fault.Invalid, "", "the bundler cannot %s", q.Op)
	}
	if err != nil {
		return worker.Answer{Blob: []byte(err.Error())}
	}
	a.OK = true
	return a
}

// Note implements worker.Parent.
func (b *bundler) Note(string, []byte) {}

// resolve finds what an import names: one of our modules, or a file by its relative path.
func (b *bundler) resolve(a worker.Import) (worker.Found, error) {
	at := func(space, p string) (worker.Found, error) { return worker.Found{Path: p, Space: space}, nil }
	switch ours := modules[a.Path]; {
	case a.Entry:
		return at("ours", entryModule)
	case ours != "":
		return at("ours", ours)
	case a.Importer == entryModule:
		return at(filesNS, b.name)
	case b.node:
		return b.find(a)
	case !strings.HasPrefix(a.Path, ".") && b.test:
		return worker.Found{}, fmt.Errorf("there is no module %q: tests run in the sandbox, where neither Node nor "+
			"packages are, also those of a tool with runtime: %q; move what is tested into a file that imports neither",
			a.Path, subprocess)
	case !strings.HasPrefix(a.Path, "."):
		return worker.Found{},
			fmt.Errorf("there is no module %q: a tool in process imports files of its own folder and "+
				"@trailblaze/scripting; what needs packages or Node has runtime: \"subprocess\" in its spec", a.Path)
	}
	if b.root == nil {
		return worker.Found{}, fmt.Errorf("source in another file imports nothing; write a TypeScript file")
	}
	base := path.Join(path.Dir(a.Importer), a.Path)
	for _, name := range []string{base, base + ".ts", base + ".js", strings.TrimSuffix(base, ".js") + ".ts",
		base + ".json", base + "/index.ts"} {
		if info, err := b.root.Stat(name); err == nil && info.Mode().IsRegular() {
			return at(filesNS, name)
		}
	}
	return worker.Found{}, fmt.Errorf("there is no file %s", base)
}

// load returns the text of a module and its language.
func (b *bundler) load(name string) (text, language string, err error) {
	if text, ours := b.ownModule(name); ours {
		return text, "js", nil
	}
	if b.text != nil && name == b.name {
		return b.equipped(*b.text), "ts", nil
	}
	files, size := maxFiles, int64(maxFile)
	if b.node {
		files, size = maxNodeFiles, maxNodeFile
	}
	if b.root == nil {
		return "", "", fmt.Errorf("there is no file %s", name)
	}
	if !b.keep(name, nil, files) { // its place is taken before it is read
		return "", "", fmt.Errorf("a tool imports at most %d files", files)
	}
	data, err := file.ReadIn(b.root, name, size)
	if err != nil {
		return "", "", err
	}
	b.keep(name, data, files)
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		return b.equipped(string(data)), "js", nil
	case ".json":
		return string(data), "json", nil
	}
	return b.equipped(string(data)), "ts", nil
}

// equipped returns a file with imports of the globals that it names. They come at its end, so that no line moves.
func (b *bundler) equipped(text string) string {
	if b.node {
		return text
	}
	own := text
	for _, g := range globals {
		if g.words().MatchString(own) {
			text += fmt.Sprintf("\nimport %q;", g.module)
		}
	}
	return text
}

// ownModule is the text of a module of ours.
func (b *bundler) ownModule(name string) (text string, ownModule bool) {
	switch {
	case name == entryModule:
		return b.entry(), true
	case name == runtimeModule && b.node:
		return nodeJS, true
	}
	text, ownModule = map[string]string{
		defineModule: defineJS, runtimeModule: runtimeJS, testingModule: testingJS,
		webModule: webJS, urlModule: urlJS, intlModule: intlJS,
	}[name]
	return text, ownModule
}

// keep notes what a file holds, unless that is one file too many.
func (b *bundler) keep(name string, data []byte, most int) bool {
	if _, is := b.inputs[name]; !is && len(b.inputs) >= most {
		return false
	}
	b.inputs[name] = data
	return true
}

// entry returns the input of the bundler: our runtime, then the file.
func (b *bundler) entry() string {
	if b.test {
		return fmt.Sprintf("import %q;\nimport %q;\nimport \"./file\";\n", runtimeModule, "bun:test")
	}
	desc, serve := "[]", ""
	if len(b.desc) > 0 {
		if raw, err := json.Marshal(b.desc); err == nil {
			desc = string(raw)
		}
	}
	if b.node {
		serve = "serve();\n"
	}
	return fmt.Sprintf("import * as runtime from %q;\nimport * as file from \"./file\";\n"+
		"const { publish, serve } = runtime;\npublish(file, %s);\n%s", runtimeModule, desc, serve)
}
