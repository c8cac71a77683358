package tool

import "strings"

// Need says whether a tool acts on a device. Which kinds of device it runs on is said by Spec.Platforms and
// Spec.Drivers.
type Need string

// The needs.
const (
	AnyDevice Need = "" // the device of the session
	NoDevice  Need = "none"
)

// Effects are the things outside of its page that a call may touch. Policy decides by them, so a tool that declares
// too little is a hole; a tool that declares nothing at all (a nil *Effects) may do everything.
type Effects struct {
	Opens  []string // arguments that hold URLs it opens
	Reads  []string // arguments that name files it reads, one or a list
	Writes []string // arguments that name files it writes, one or a list
	// Files names the files of a call whose arguments do not hold them plainly.
	Files func(Args) (reads, writes []string)

	// How the tool itself is carried out, when it is not built in.
	Script  bool // code of the workspace, in a sandbox
	Process bool // code of the workspace, in a process of its own
	Server  bool // by another server, which may do anything
	// External is for a tool that acts on something of its own, such as a database: its effect cannot be observed
	// from here, and only its own report shows that it did anything. Files write it as effect: external.
	External bool
	Fetches  []string // hosts that it sends requests to, "*" any

	// Types are arguments whose text goes into one field, whose own document decides whether a secret may enter.
	Types      []string
	Sends      []string // arguments that go with a request to what it opens
	RunsCode   bool     // runs an argument as code
	CallsTools bool     // works by other calls, each of which is decided on its own

	// Does names what it does to a device beside its screen, as policies name it: shell (runs a line in its shell),
	// clear (deletes what an app has stored), grant (changes what an app may do), write (writes files or settings).
	Does []string
	// DoesNow names what of Does a call with these arguments does; nil: all.
	DoesNow func(Args) []string

	Remembers string // the argument that names the value it puts into memory
	Recalls   string // the argument that names a value of memory without a token
}

// Done lists what a call does to its device beside the screen; of a tool that declares nothing that is not known.
func (e *Effects) Done(args Args) []string {
	switch {
	case e == nil:
		return nil
	case e.DoesNow != nil:
		return e.DoesNow(args)
	}
	return e.Does
}

// Args are the arguments of a call by name.
type Args map[string]any

// Text is an argument that is a text, "" when it is not.
func (a Args) Text(name string) string {
	s, _ := a[name].(string)
	return s
}

// Texts are the texts of the named arguments, of lists every entry. Empty ones are left out.
func (a Args) Texts(names ...string) []string {
	var out []string
	for _, name := range names {
		list, ok := a[name].([]any)
		if !ok {
			list = []any{a[name]}
		}
		for _, v := range list {
			if s, ok := v.(string); ok && s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// usualURLs are the arguments that hold a URL in a tool that does not say which of its arguments do.
var usualURLs = []string{"url", "baseUrl", "href", "endpoint"}

// Touched lists what a call opens, reads and writes.
func (e *Effects) Touched(args Args) (opens, reads, writes []string) {
	if e == nil {
		return args.Texts(usualURLs...), nil, nil
	}
	opens, reads, writes = args.Texts(e.Opens...), args.Texts(e.Reads...), args.Texts(e.Writes...)
	if e.Files != nil {
		r, w := e.Files(args)
		reads, writes = append(reads, r...), append(writes, w...)
	}
	return opens, reads, writes
}

// Is compares an argument with a word, whatever its case.
func (a Args) Is(name, word string) bool { return strings.EqualFold(a.Text(name), word) }
