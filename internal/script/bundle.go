package script

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
)

//go:embed lib/define.js
var defineJS string

//go:embed lib/runtime.js
var runtimeJS string

//go:embed lib/node.js
var nodeJS string

//go:embed lib/testing.js
var testingJS string

// The bounds of what is bundled.
const (
	maxFile  = 1 << 20 // bytes of one file
	maxFiles = 200     // of one tool file with all that it imports
)

// The modules that are ours.
const (
	defineModule  = "trailblaze:define"
	runtimeModule = "trailblaze:runtime"
	testingModule = "trailblaze:testing"
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
}

// bundle is a tool file with all that it imports, as one script.
type bundle struct {
	code   []byte
	smap   []byte
	inputs map[string][]byte // by path below the root: what it was made of
}

// bundler reads the files of one folder, and nothing outside of it.
type bundler struct {
	root *os.Root
	name string  // of the tool file, with slashes
	test bool    // it is a test: its tests run instead of its tools
	text *string // what the tool file holds, where that is not what it says itself
	node bool    // for a process: modules of Node and packages are there
	desc []descriptor

	mu     sync.Mutex // guards inputs: esbuild loads files side by side
	inputs map[string][]byte
}

// bundleFile makes one script of a tool file.
func bundleFile(root *os.Root, name string, desc []descriptor) (*bundle, error) {
	return (&bundler{root: root, name: name, desc: desc}).bundle()
}

func (b *bundler) bundle() (*bundle, error) {
	b.inputs = map[string][]byte{}
	for _, d := range b.desc {
		b.inputs[d.File] = d.data
	}
	o := api.BuildOptions{
		EntryPoints: []string{entryModule}, Outfile: "out.js", Bundle: true, Write: false,
		Format: api.FormatIIFE, Platform: api.PlatformNeutral, Target: api.ES2022, Charset: api.CharsetUTF8,
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude, LogLevel: api.LogLevelSilent,
		TsconfigRaw: "{}",
		Plugins:     []api.Plugin{{Name: "files", Setup: b.setup}},
	}
	if b.node {
		forNode(&o)
	}
	res := api.Build(o)
	if len(res.Errors) > 0 {
		return nil, b.mistakes(res.Errors)
	}
	out := &bundle{inputs: b.inputs}
	for _, f := range res.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			out.smap = f.Contents
		} else {
			out.code = f.Contents
		}
	}
	return out, nil
}

func (b *bundler) setup(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if b.node && modules[a.Path] == "" && a.Kind != api.ResolveEntryPoint && a.Importer != entryModule {
			return b.find(build, a)
		}
		return b.resolve(a)
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*"}, b.load)
}

// resolve finds what an import names: one of our modules, or a file by its relative path.
func (b *bundler) resolve(a api.OnResolveArgs) (api.OnResolveResult, error) {
	at := func(ns, p string) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: p, Namespace: ns}, nil
	}
	switch ours := modules[a.Path]; {
	case a.Kind == api.ResolveEntryPoint:
		return at("ours", entryModule)
	case ours != "":
		return at("ours", ours)
	case a.Importer == entryModule:
		return at(filesNS, b.name)
	case !strings.HasPrefix(a.Path, ".") && b.test:
		return api.OnResolveResult{}, fmt.Errorf("there is no module %q: tests run in the sandbox, where neither Node nor "+
			"packages are, also those of a tool with runtime: %q; move what is tested into a file that imports neither",
			a.Path, subprocess)
	case !strings.HasPrefix(a.Path, "."):
		return api.OnResolveResult{},
			fmt.Errorf("there is no module %q: a tool in process imports files of its own folder and "+
				"@trailblaze/scripting; what needs packages or Node has runtime: \"subprocess\" in its spec", a.Path)
	}
	if b.root == nil {
		return api.OnResolveResult{}, fmt.Errorf("source in another file imports nothing; write a TypeScript file")
	}
	base := path.Join(path.Dir(a.Importer), a.Path)
	for _, name := range []string{base, base + ".ts", base + ".js", strings.TrimSuffix(base, ".js") + ".ts",
		base + ".json", base + "/index.ts"} {
		if info, err := b.root.Stat(name); err == nil && info.Mode().IsRegular() {
			return at(filesNS, name)
		}
	}
	return api.OnResolveResult{}, fmt.Errorf("there is no file %s", base)
}

func (b *bundler) load(a api.OnLoadArgs) (api.OnLoadResult, error) {
	give := func(text string, l api.Loader) (api.OnLoadResult, error) {
		return api.OnLoadResult{Contents: &text, Loader: l}, nil
	}
	switch a.Path {
	case defineModule:
		return give(defineJS, api.LoaderJS)
	case runtimeModule:
		if b.node {
			return give(nodeJS, api.LoaderJS)
		}
		return give(runtimeJS, api.LoaderJS)
	case testingModule:
		return give(testingJS, api.LoaderJS)
	case entryModule:
		return give(b.entry(), api.LoaderJS)
	}
	if b.text != nil && a.Path == b.name {
		return give(*b.text, api.LoaderTS)
	}
	files, size := maxFiles, int64(maxFile)
	if b.node {
		files, size = maxNodeFiles, maxNodeFile
	}
	if !b.keep(a.Path, nil, files) { // its place is taken before it is read
		return api.OnLoadResult{}, fmt.Errorf("a tool imports at most %d files", files)
	}
	data, err := file.ReadIn(b.root, a.Path, size)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	b.keep(a.Path, data, files)
	l := api.LoaderTS
	switch path.Ext(a.Path) {
	case ".js", ".mjs", ".cjs":
		l = api.LoaderJS
	case ".json":
		l = api.LoaderJSON
	}
	return give(string(data), l)
}

// keep notes what a file holds, unless that is one file too many.
func (b *bundler) keep(name string, data []byte, most int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, is := b.inputs[name]; !is && len(b.inputs) >= most {
		return false
	}
	b.inputs[name] = data
	return true
}

// entry is what is bundled: our runtime, then the file.
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

// mistakes are what the bundler says is wrong, the first with its place.
func (b *bundler) mistakes(list []api.Message) error {
	m := list[0]
	where := b.name
	if l := m.Location; l != nil {
		where = fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(l.File, filesNS+":"), l.Line, l.Column+1)
	}
	text := m.Text
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return fault.New(fault.Invalid, "", "%s: %s", where, text)
}
