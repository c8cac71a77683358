// Package memory is the memory of a session: typed values, a trail's arguments, and secrets, and how tokens such as
// {{name}}, ${name}, {{memory.name}} and {{args.a.b}} in tool arguments are replaced by them.
//
// The session owns one Store; the dispatcher expands tokens with it and masks secrets with it; tools read and write
// it. A Store is safe for concurrent use.
//
//	m := memory.New()
//	m.SetSecret("password", "hunter2")
//	m.Mask("typed hunter2") // "typed ••••••"
package memory
