package script

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

// nodeNames are the names of the script's place, of which a module for a process makes use.
var nodeNames = map[string]string{
	"import.meta.url": "__trailblazeURL", "import.meta.dirname": "__trailblazeDir",
	"import.meta.filename": "__trailblazeFile",
	"__dirname":            "__trailblazeDir", "__filename": "__trailblazeFile",
}
