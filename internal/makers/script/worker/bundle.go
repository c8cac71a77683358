package worker

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
)

// The questions of a bundle.
const (
	AskResolve = "resolve" // an Import; the answer is a Found
	AskLoad    = "load"    // a path; the answer is the text, its Op the language
)

// entry is the module that is bundled.
const entry = "trailblaze:entry"

// Bundling are the arguments of a bundle.
type Bundling struct {
	File string            `json:"file"` // for what it finds wrong
	Node bool              `json:"node,omitempty"`
	Head string            `json:"head,omitempty"` // goes before a bundle for Node
	Def  map[string]string `json:"def,omitempty"`  // names that are replaced
}

// Import is an import of a module.
type Import struct {
	Path, Importer, Space string
	Require               bool // by require, as older packages do
	Entry                 bool // it is the module that is bundled
}

// Found is the module that an import means.
type Found struct {
	Path, Space string
	External    bool // it is there when the script runs
}

// Bundled is the result. The code is the blob.
type Bundled struct{ Map []byte }

var loaders = map[string]api.Loader{"js": api.LoaderJS, "ts": api.LoaderTS, "json": api.LoaderJSON}

// bundle makes one script of a module and all that it imports. It reads nothing itself.
func (c *child) bundle(m message) (message, error) {
	var in Bundling
	if err := json.Unmarshal(m.Args, &in); err != nil {
		return message{}, fault.Wrap(err, fault.Internal, "bundle script")
	}
	o := api.BuildOptions{
		EntryPoints: []string{entry}, Outfile: "out.js", Bundle: true, Write: false,
		Format: api.FormatIIFE, Platform: api.PlatformNeutral, Target: api.ES2022, Charset: api.CharsetUTF8,
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude, LogLevel: api.LogLevelSilent,
		TsconfigRaw: "{}",
		Plugins:     []api.Plugin{{Name: "files", Setup: c.plug}},
	}
	if in.Node {
		o.Format, o.Platform, o.Sourcemap = api.FormatESModule, api.PlatformNode, api.SourceMapInline
		o.Banner, o.Define = map[string]string{"js": in.Head}, in.Def
	}
	res := api.Build(o)
	if len(res.Errors) > 0 {
		return message{}, mistakes(in.File, res.Errors)
	}
	var end message
	var out Bundled
	for _, f := range res.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			out.Map = f.Contents
		} else {
			end.blob = f.Contents
		}
	}
	var err error
	end.Args, err = json.Marshal(out)
	return end, err
}

// plug has the parent resolve every import and load every file.
func (c *child) plug(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (out api.OnResolveResult, err error) {
		q, err := json.Marshal(Import{Path: a.Path, Importer: a.Importer, Space: a.Namespace,
			Require: a.Kind == api.ResolveJSRequireCall || a.Kind == api.ResolveJSRequireResolve,
			Entry:   a.Kind == api.ResolveEntryPoint})
		if err != nil {
			return out, err
		}
		m, err := c.ask(message{Op: AskResolve, blob: q})
		if err != nil {
			return out, err
		}
		var found Found
		err = json.Unmarshal(m.blob, &found)
		return api.OnResolveResult{Path: found.Path, Namespace: found.Space, External: found.External}, err
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*"}, func(a api.OnLoadArgs) (out api.OnLoadResult, err error) {
		m, err := c.ask(message{Op: AskLoad, blob: []byte(a.Path)})
		text := string(m.blob)
		return api.OnLoadResult{Contents: &text, Loader: loaders[m.Op]}, err
	})
}

// Typed holds the tools in the types of a file, and notes about the parts that could not be read.
type Typed struct {
	Tools []tstype.Tool
	Notes []string
}

// types reads the types of a file and of its imports.
func (c *child) types(name string) (raw json.RawMessage, err error) {
	var out Typed
	out.Tools, out.Notes, err = tstype.Read(name, func(name string) ([]byte, error) {
		m, err := c.ask(message{Op: AskLoad, blob: []byte(name)})
		return m.blob, err
	})
	if err == nil {
		raw, err = json.Marshal(out)
	}
	return raw, err
}

// mistakes returns the errors of the bundler, the first with its place.
func mistakes(file string, list []api.Message) error {
	m := list[0]
	where := file
	if l := m.Location; l != nil {
		_, name, spaced := strings.Cut(l.File, ":")
		if !spaced {
			name = l.File
		}
		where = fmt.Sprintf("%s:%d:%d", name, l.Line, l.Column+1)
	}
	text := m.Text
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return fault.New(fault.Invalid, "", "%s: %s", where, text)
}
