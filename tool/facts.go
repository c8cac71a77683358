package tool

import "reflect"

// Facts are what the rest of the house must know about a tool and reads here, so that nothing else keeps a list of
// names.
type Facts struct {
	Categories []string            // of the toolset: "TABS", "FILES", …; none: those that the groups name
	Default    int                 // place in the list of a client that chose no category; 0: not in it
	Replaces   string              // the tool of which it is another form; hidden where that one is listed
	Purpose    Purpose             // asked for by callers that know no names
	Device     Need                // none, or that of the session
	Target     string              // the app that the tool belongs to; listed when that is the target, "": always
	Effects    *Effects            // what a call may touch; nil: anything
	Verbatim   bool                // tokens in its arguments stay as they are: they are for the calls that it makes
	Idempotent bool                // called twice it does what it does once
	Unlisted   []string            // arguments that models do better without; they are accepted all the same
	Sentence   func(Phrase) string // the text of a step that nobody described; nil or "": made of the name
}

// With is the spec with these facts; what f leaves out stays.
func (s Spec) With(f Facts) Spec {
	to, from := reflect.ValueOf(&s.Facts).Elem(), reflect.ValueOf(f)
	for i := range from.NumField() {
		if v := from.Field(i); !v.IsZero() {
			to.Field(i).Set(v)
		}
	}
	return s
}
