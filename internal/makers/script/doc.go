// Package script makes tools of TypeScript and JavaScript files. A file is bundled with its imports (esbuild) and each
// call runs in a machine of its own (QuickJS), which is bounded in memory, stack, time and output and can reach
// nothing but other tools, the session's public memory, and the hosts and files that the tool declares. A handler
// calls other tools through tool.Env like any tool, so that policy decides about each of those calls.
//
// internal/makers/workspace makes a Source for each folder of tools; a Source is safe for concurrent use.
//
//	for _, src := range script.New(source.Options{Root: root, Folders: folders}) {
//		tools, problems, err := src.Load(ctx)
//	}
package script
