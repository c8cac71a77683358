// Package workspace holds the parts of a project folder beside its settings: targets, and sources of tools. Sources
// loads them in the background and notifies its watchers when the tools have changed; the daemon and `trailblaze run`
// use it alike. It is safe for concurrent use.
//
//	s := workspace.Open(workspace.Options{Root: root, BuiltIn: builtIn, Config: cfg, Makers: workspace.AllMakers()})
//	defer s.Close()
//	err := s.Wait(ctx) // a run; the daemon follows s.Watch instead
//	reg := s.Registry()
//
// A kind of source is a line in makers.go.
package workspace
