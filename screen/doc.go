// Package screen describes the screen of a device: the tree of a capture (Snapshot, Node), how to name an element
// durably (Selector, Fingerprint), how to find it again (Find), how a model reads it (Text) and its changes (Diff).
//
// Drivers make snapshots; tools, the recorder and the player ask them questions. Everything here is pure: no waiting,
// no device. A Snapshot is immutable and safe for concurrent use.
//
//	nodes, err := snap.Find(screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Save"}})
//
// # The text a model reads
//
// Snapshot.Text writes one line per element; one space of indentation is one step of containment:
//
//	"Checkout" "https://shop.test/cart" 900 px more below     title, address, what the page hides by scrolling
//	form "Payment"
//	 heading "Card" [2]                                       the level of a heading
//	 textbox "Number" e5 [focused, required] = "4111"         role "name" ref [states] = "value"
//	 combobox "Month" e6 = "May" of "May" "June"              and the options of a select
//	 slider "Tip" e7 = "5" in 0…20 by 0.5                     and a range with its step
//	 "Read the" link "terms" e8 "first"                       a text with what stands in it
//	 - link "Mug" e9 "2 left"                                 a list item; its content follows on the line
//	 row "Mug" | "$5" | button "Remove" e10                   a table row, its cells between bars
//	(31 elements further down: scroll, or detail offscreen)   what this view leaves out, and how to get it
//
// Everything that comes from the page is in quotes, control and format characters escaped; outside of quotes are
// only words of this package and refs. Further marks: hint "…" is a placeholder, · "…" a text that is not the name,
// — "…" a description, (below) where an element lies that only scrolling shows, with all that is in it, ! a dialog
// or an incomplete capture. Text that only repeats a name (a label beside its control, a caption) is left out.
//
// With a budget lines go in this order, last first: prose out of view, prose, out-of-view controls, landmarks,
// headings, controls in view, the focus. Lines that changed since an earlier capture or are near the focus are kept
// longer.
package screen
