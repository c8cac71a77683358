package tool

import "cmp"

// NoEffect is the Effect of an expectation that nothing observable changes.
const NoEffect = "none"

// Expectation is what was expected of the outcome of a call when it ran: what its caller declared,
// and where the tool was to go. A verdict holds the outcome against it.
type Expectation struct {
	Effect string `json:"effect,omitempty"` // NoEffect: nothing observable changes
	Status int    `json:"status,omitempty"` // HTTP status that a navigation ends with
	Origin string `json:"origin,omitempty"` // origin that a navigation may end on
	URL    string `json:"url,omitempty"`    // what a navigation was to open
}

// Expecting is implemented by inputs that say what is expected of the outcome of their call. Define
// puts that into the evidence of the result.
type Expecting interface{ Expectation() Expectation }

// expecting is a result whose evidence says what in expects; what the tool put there itself stays.
// The evidence is copied, since a tool may hand out the same one for several calls.
func expecting(in any, res *Result) *Result {
	x, ok := in.(Expecting)
	if !ok || res.Evidence == nil {
		return res
	}
	want := x.Expectation()
	if own := res.Evidence.Expect; own != nil {
		want = Expectation{cmp.Or(own.Effect, want.Effect), cmp.Or(own.Status, want.Status), cmp.Or(own.Origin, want.Origin),
			cmp.Or(own.URL, want.URL)}
	}
	if want == (Expectation{}) {
		return res
	}
	ev := *res.Evidence
	ev.Expect = &want
	c := *res
	c.Evidence = &ev
	return &c
}
