package script

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The bounds of what is bundled for a process, packages and all.
const (
	maxNodeFile  = 4 << 20
	maxNodeFiles = 4000
)

// nodeHead goes before a bundle for a process. It runs from another folder than the script stands in, which is the
// working directory of the process: what names a file means the script.
const nodeHead = `import { createRequire as __trailblazeRequire } from "node:module";
import { pathToFileURL as __trailblazeToURL } from "node:url";
globalThis.require = __trailblazeRequire(process.cwd() + "/script.js");
globalThis.__trailblazeURL = __trailblazeToURL(process.cwd() + "/script.js").href;
globalThis.__trailblazeDir = process.cwd();
globalThis.__trailblazeFile = process.cwd() + "/script.js";
`

func forNode(o *api.BuildOptions) {
	o.Format, o.Platform, o.Sourcemap = api.FormatESModule, api.PlatformNode, api.SourceMapInline
	o.MainFields = []string{"module", "main"}
	o.Banner = map[string]string{"js": nodeHead}
	o.Define = map[string]string{
		"import.meta.url": "__trailblazeURL", "import.meta.dirname": "__trailblazeDir",
		"import.meta.filename": "__trailblazeFile",
		"__dirname":            "__trailblazeDir", "__filename": "__trailblazeFile",
	}
}

// find finds what a file of a process imports, as Node does: a module of Node, a package, a file. Packages go into the
// bundle, so that what runs is what was trusted.
func (b *bundler) find(build api.PluginBuild, a api.OnResolveArgs) (api.OnResolveResult, error) {
	const seen = "seen"
	if a.PluginData == seen { // our own question
		return api.OnResolveResult{}, nil
	}
	top, err := filepath.EvalSymlinks(b.root.Name())
	if err != nil {
		return api.OnResolveResult{}, err
	}
	if a.Namespace != filesNS { // our own modules import modules of Node alone
		return api.OnResolveResult{Path: a.Path, External: true}, nil
	}
	res := build.Resolve(a.Path, api.ResolveOptions{
		Kind: a.Kind, PluginData: seen, Importer: a.Importer,
		ResolveDir: filepath.Join(top, filepath.FromSlash(filepath.Dir(a.Importer))),
	})
	switch rel, err := filepath.Rel(top, res.Path); {
	case len(res.Errors) > 0:
		return api.OnResolveResult{}, fmt.Errorf("%s; install packages in the folder of the tools or above it",
			strings.TrimSuffix(res.Errors[0].Text, "."))
	case res.External:
		return api.OnResolveResult{Path: res.Path, External: true}, nil
	case err != nil || !filepath.IsLocal(rel):
		return api.OnResolveResult{}, fmt.Errorf("%s is %s, outside of the workspace", a.Path, res.Path)
	case filepath.Ext(rel) == ".node":
		return api.OnResolveResult{},
			fmt.Errorf("%s is machine code, which cannot be bundled; write an MCP server of your own", a.Path)
	default:
		return api.OnResolveResult{Path: filepath.ToSlash(rel), Namespace: filesNS}, nil
	}
}
