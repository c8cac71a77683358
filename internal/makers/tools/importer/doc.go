// Package importer reads what was written for other tools and says which calls mean the same here: flows of Maestro
// (YAML) and tests of Playwright, as its codegen writes them, in TypeScript, JavaScript and Python. What has no equal
// is returned with its line and the reason. `trailblaze import` makes trails of it.
//
// Code is read, never run. The functions keep no state and are safe for concurrent use.
//
//	flows := importer.Playwright("login.spec.ts", text, importer.Options{Spec: spec})
package importer
