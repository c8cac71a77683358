// Package policy decides what a session may do: which tools run, which hosts a browser reaches, which files are read
// and written, whether scripts run, and where secrets may be typed. It is independent of the one who asks: a person, a
// trail, a model that a page has talked into something.
//
// A policy is a file of the workspace (trails/config/policy.yaml). Without one the profile's own rules hold. It is
// enforced twice: by a middleware around every call, before the tool runs and after it, and at a gate that makes the
// browser's connections, so that a denied host is not reached whatever asks for it.
//
//	p, err := policy.Load(policy.Options{Workspace: root})
//	web.Options{Args: rules.Args, Dial: rules.Dial} // rules := p.HostRules()
//	dispatch.Options{Middleware: []dispatch.Middleware{p.Middleware()}}
//
// A Policy is immutable and safe for concurrent use.
package policy
