// Package yamltool makes tools of YAML files: a name, a description, parameters, and one of three bodies. `class`
// gives a registered tool another name, `tools` is a list of calls with {{parameters}} in them, `script` is source
// for another maker.
//
// Parse reads one file and reports everything that is wrong with it, with its place. A Source finds the files of a
// workspace's folders and makes tools that know each other. A tool of calls expands into them
// (tool.Result.Delegates); the dispatcher makes the calls. Sources and tools are safe for concurrent use.
//
//	def, problems := yamltool.Parse("trails/config/tools/login.tool.yaml", data)
package yamltool
