package heal_test

import (
	"fmt"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/trails/heal"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// How much it takes to find an element again; what takes less takes more, too.
const (
	byItself = iota // the fingerprint alone tells
	byGreen         // a green run tells
	byModel         // a green run, and a model that names the right element
	gone            // it is not there, or it cannot be told
)

const (
	shell  = `<div id="app"><header><a href="/">Acme</a><nav aria-label="Main"><a href="/bills">Bills</a><a href="/people">People</a></nav></header><main>`
	footer = `</main><footer><a href="/imprint">Imprint</a><a href="/help">Help</a></footer></div>`
)

// pair is a page before and after it changed. The element is marked by x.
type pair struct {
	name, was, is string
	takes         int
}

var pairs = []pair{
	// A word that distinguishes is added, lost or changed, under the same id and in the same place.
	{"another deed under the id", `<h1>Bill 7</h1><p>Open: 120</p><button id="record-payment" x>Record payment</button><button>Print</button>`,
		`<h1>Bill 7</h1><p>Open: 120</p><button id="record-payment">Refund</button><button>Print</button>`, gone},
	{"another object under the id", `<h1>Letter</h1><button id="mark" x>Mark as unread</button><button>Reply</button>`,
		`<h1>Letter</h1><button id="mark">Mark as junk</button><button>Reply</button>`, gone},
	{"all for one", `<h1>Letters</h1><button id="delete" x>Delete letter</button><button>Reply</button>`,
		`<h1>Letters</h1><button id="delete">Delete all letters</button><button>Reply</button>`, gone},
	{"a word more", `<h1>Team</h1><button id="approve" data-testid="approve" x>Approve</button><button>Back</button>`,
		`<h1>Team</h1><button id="approve" data-testid="approve">Approve later</button><button>Back</button>`, gone},
	{"a word less", `<h1>Team</h1><button id="export" x>Export guests</button><button>Back</button>`,
		`<h1>Team</h1><button id="export">Export</button><button>Back</button>`, gone},
	{"a prefix that turns it", `<h1>Letter</h1><button id="archive" x>Archive</button><button>Reply</button>`,
		`<h1>Letter</h1><button id="archive">Unarchive</button><button>Reply</button>`, gone},
	{"a word that its heading says", `<h1>Profile</h1><label>Name <input></label><button id="save" x>Save</button>`,
		`<h1>Profile</h1><label>Name <input></label><button id="save" x>Save profile</button>`, byItself},
	{"a word that its heading said", `<h1>New project</h1><label>Title <input></label><button x>Create project</button><a href="/p">Back</a>`,
		`<h1>New project</h1><label>Title <input></label><button x>Create</button><a href="/p">Back</a>`, byItself},
	{"a synonym that was something else", `<h1>Photo</h1><button id="a" x>Remove</button><button id="b">Delete</button><a href="/p">Back</a>`,
		`<h1>Photo</h1><button id="a">Delete</button><a href="/p">Back</a>`, gone},
	{"another number", `<h1>Bills</h1><button id="pay" x>Pay bill 12</button><a href="/p">Back</a>`,
		`<h1>Bills</h1><button id="pay">Pay bill 13</button><a href="/p">Back</a>`, gone},

	{"an address that others lead to",
		`<h1>Join</h1><p>Choose.</p><a href="/in" x>Join with Google</a><a href="/in">Join with Mail</a><a href="/d">Back</a>`,
		`<h1>Join</h1><p>Choose.</p><a href="/in">Join with Apple</a><a href="/in">Join with Mail</a><a href="/d">Back</a>`, gone},
	{"an address of its own",
		`<h1>Join</h1><p>Choose.</p><a href="/in" x>Join with Google</a><a href="/mail">Join with Mail</a><a href="/d">Back</a>`,
		`<h1>Join</h1><p>Choose.</p><a href="/in" x>Join with Gmail</a><a href="/mail">Join with Mail</a><a href="/d">Back</a>`, byModel},

	// The same words elsewhere.
	{"another form", `<h1>Settings</h1><form><p>Profile</p><label>Nickname <input></label><label>City <input></label><button x>Save changes</button></form>`,
		`<h1>Settings</h1><form><p>Card</p><label>Holder <input></label><label>Number <input></label><button>Save changes</button></form>`, gone},
	{"one of two forms went", `<h1>Settings</h1><form><p>Profile</p><label>Nickname <input></label><button x>Save changes</button>` +
		`</form><form><p>Card</p><label>Holder <input></label><button>Save changes</button></form>`,
		`<h1>Settings</h1><form><p>Card</p><label>Holder <input></label><button>Save changes</button></form>`, gone},
	{"another section",
		`<h1>Shop</h1><section><h2>Boots</h2><p>Warm and dry.</p><button x>Reserve</button></section><section><h2>Tents</h2><p>Light.</p></section>`,
		`<h1>Shop</h1><section><h2>Boots</h2><p>Warm and dry.</p></section><section><h2>Tents</h2><p>Light.</p><button>Reserve</button></section>`, gone},
	{"swapped ids", `<h1>Draft</h1><p>Text</p><button id="one" x>Publish</button><button id="two">Discard</button>`,
		`<h1>Draft</h1><p>Text</p><button id="two" x>Publish</button><button id="one">Discard</button>`, byItself},

	{"of two in different landmarks the one that went",
		`<h1>Mail</h1><aside><a href="/new">Compose</a></aside><div id="box"><h2>Box</h2><a href="/new" x>Compose</a><p>12 letters</p></div>`,
		`<h1>Mail</h1><aside><a href="/new">Compose</a></aside><div id="box"><h2>Box</h2><p>12 letters</p></div>`, gone},

	// The same thing in another structure.
	{"of two in different landmarks the one that stayed", `<h1>Mail</h1><aside><a href="/new">Compose</a><p>Menu</p></aside>` +
		`<div id="box"><h2>Box</h2><p>12 letters</p><a href="/new" x>Compose</a><p>Inbox</p><p>Junk</p></div>`,
		`<h1>Mail</h1><aside><a href="/new">Compose</a><p>Menu</p></aside><div id="r1"><div><a href="/new" x>Compose</a></div>` +
			`<h2>Folders</h2><p>12 letters</p><p>Inbox</p><p>Junk</p></div>`, byGreen},
	{"a twin that nobody sees", `<h1>Ada</h1><section id="a"><h2>Profile</h2><p>Nice</p><div><a href="#t" x>Timeline</a></div></section><p>About</p>`,
		`<h1>Ada</h1><nav hidden><a href="#t">Timeline</a></nav><section id="b"><h2>Profile</h2><p>Nice</p><div>` +
			`<a href="#u" x>Timeline</a></div></section><p>About</p>`, byItself},
	{"another tag, the same role", `<h1>Draft</h1><form id="f"><label>Title <input id="t"></label><button id="go" x>Publish</button></form>`,
		`<h1>Draft</h1><div class="card"><div><label>Title <input name="t"></label></div><div><div role="button" tabindex="0" x>Publish</div></div></div>`, byItself},
	{"a renamed structure", `<h1>Bills</h1><section aria-label="Filter"><label>Year <input id="year"></label>` +
		`<button id="apply" data-testid="apply" x>Show bills</button></section><p>12 bills</p>`,
		`<h1>Bills</h1><div id="r1"><div><label>Year <input id="r2"></label></div><div>` +
			`<button id="r3" data-testid="r3" x>Show bills</button></div></div><p>12 bills</p>`, byItself},
	{"moved with its heading", `<h1>Desk</h1><section id="a"><h2>Mail</h2><p>No mail.</p><button id="m" x>Fetch</button></section>` +
		`<section id="b"><h2>News</h2><button id="n">Fetch</button></section>`,
		`<h1>Desk</h1><section id="c"><h2>News</h2><button id="o">Fetch</button></section><aside id="d"><h2>Mail</h2><p>No mail.</p>` +
			`<button id="p" x>Fetch</button></aside>`, byItself},
	{"a list in another framework", `<h1>Todos</h1><ul><li><input type="checkbox"><label>Milk</label><button class="destroy">` +
		`</button></li><li><input type="checkbox" class="t" x><label>Bread</label><button class="destroy"></button></li></ul>`,
		`<h1>Todos</h1><ul id="todo-list"><li class="item"><div><input type="checkbox" class="toggle"><span>Milk</span>` +
			`<a href="#" class="destroy"></a></div></li><li class="item"><div><input type="checkbox" class="toggle" x><span>Bread</span>` +
			`<a href="#" class="destroy"></a></div></li></ul>`, byItself},
	{"a table for a list", `<h1>People</h1><ul><li><b>Ada</b> <button id="e1" x>Edit</button></li><li><b>Ben</b> <button id="e2">Edit</button></li></ul>`,
		`<h1>People</h1><table><tr><td>Ada</td><td><button id="f1" x>Edit</button></td></tr><tr><td>Ben</td><td>` +
			`<button id="f2">Edit</button></td></tr></table>`, byItself},

	{"a tab for a link", `<h1>Settings</h1><ul><li><a href="#orders">Orders</a></li><li><a href="#returns" x>Returns</a></li></ul><p>No orders.</p>`,
		`<h1>Settings</h1><div role="tablist"><button role="tab" aria-selected="true">Orders</button>` +
			`<button role="tab" x>Returns</button></div><p>No orders.</p>`, byItself},
	{"a tab for a link that went", `<h1>Settings</h1><ul><li><a href="#orders">Orders</a></li><li><a href="#returns" x>Returns</a></li></ul><p>No orders.</p>`,
		`<h1>Settings</h1><div role="tablist"><button role="tab">Orders</button></div><p>No orders.</p>`, gone},

	{"a label tells a field whose hint is another", `<h1>Join</h1><div><label>Name</label><input placeholder="Enter name"></div><div>` +
		`<label>Email address</label><input type="email" placeholder="Enter email" x></div><button>Join</button>`,
		`<h1>Join</h1><div><label>Name</label><input placeholder="Enter name"></div><div><label>Email address</label>` +
			`<input type="email" placeholder="you@example.com" x></div><button>Join</button>`, byGreen},
	{"a label that was beside the field is its name", `<h1>Join</h1><div><label>Name</label><input placeholder="Enter name" x></div>` +
		`<div><label>Email address</label><input type="email" placeholder="Enter email"></div><button>Join</button>`,
		`<h1>Join</h1><label>Name<input placeholder="Enter name" x></label><div><label>Email address</label>` +
			`<input type="email" placeholder="Enter email"></div><button>Join</button>`, byGreen},
	{"another hint under another label", `<h1>Join</h1><div><label>Name</label><input placeholder="Enter name"></div><div>` +
		`<label>Email address</label><input type="email" placeholder="Enter email" x></div><button>Join</button>`,
		`<h1>Join</h1><div><label>Name</label><input placeholder="Enter name"></div><div><label>Address of a friend</label>` +
			`<input type="email" placeholder="you@example.com"></div><button>Join</button>`, gone},
	{"another hint without a label", `<h1>Invite</h1><p>Who is it?</p><input type="email" placeholder="Your own email" x><button>Invite</button>`,
		`<h1>Invite</h1><p>Who is it?</p><input type="email" placeholder="Address of a friend"><button>Invite</button>`, gone},

	// The letters of icon fonts are no names, and marks are no words.
	{"another icon beside the words", "<h1>Draft</h1><p>Text</p><button id=go x>\uf1d8 Publish</button><button>Back</button>",
		"<h1>Draft</h1><p>Text</p><div><div role=button tabindex=0 x>Publish \uf1d9</div></div><button>Back</button>", byItself},
	{"another icon without words", "<h1>Draft</h1><p>Text</p><button x>\uf040</button><button>\uf1f8</button><a href=/d>Back</a>",
		"<h1>Draft</h1><p>Text</p><button>\uf1f8</button><a href=/d>Back</a>", gone},
	{"another mark", `<h1>Cart</h1><p>Mugs</p><button x>+</button><button>−</button><a href="/d">Back</a>`,
		`<h1>Cart</h1><p>Mugs</p><button>−</button><a href="/d">Back</a>`, gone},
	{"another sign beside the words", `<h1>Text</h1><p>Size</p><button id=one x>A+</button><a href="/d">Back</a>`,
		`<h1>Text</h1><p>Size</p><button id=one>A-</button><a href="/d">Back</a>`, gone},
	{"another icon under the id", "<h1>Draft</h1><p>Text</p><button id=one x>\uf040</button><a href=/d>Back</a>",
		"<h1>Draft</h1><p>Text</p><button id=one>\uf1f8</button><a href=/d>Back</a>", gone},

	// Words of another language, which only a model reads.
	{"a translated page",
		`<h1>Bills</h1><label>Year <input></label><button id="apply" x>Show bills</button><button id="print">Print</button><a href="/new">New bill</a>`,
		`<h1>Rechnungen</h1><label>Jahr <input></label><button id="apply" x>Rechnungen zeigen</button>` +
			`<button id="print">Drucken</button><a href="/new">Neue Rechnung</a>`, byModel},
	{"one word in another language",
		`<h1>Bills</h1><label>Year <input></label><button id="apply" x>Show bills</button><button id="print">Print</button><a href="/new">New bill</a>`,
		`<h1>Bills</h1><label>Year <input></label><button id="apply">Alles löschen</button><button id="print">Print</button><a href="/new">New bill</a>`, gone},
}

// TestPairs: 0 wrong elements in every way of looking, a model that names any element included, and each element that is
// there is found by what is told of it.
func TestPairs(t *testing.T) {
	s := &stage{t: t, dev: webtest.Device(t, web.DeviceOptions{ID: "web"})}
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			s.t = t
			before, was := s.show(p.was)
			r := record(t, before, was)
			now, want := s.show(p.is)
			if n := r.strict(now); n != nil && n != want {
				t.Errorf("a replay takes %s", n.Descriptor())
			}
			found := func(how string, v identity.Verdict, must bool) {
				if v.Node != nil && v.Node != want {
					t.Errorf("%s: it takes %s: %v", how, v.Node.Descriptor(), v.Why)
				}
				if must && v.Node == nil {
					t.Errorf("%s: %s", how, v.Declined)
				}
			}
			found("the fingerprint", r.target.Relocate(now), p.takes <= byItself)
			r.target.Past = []*screen.Snapshot{before}
			v := r.target.Relocate(now)
			found("a green run", v, p.takes <= byGreen)
			if v.Node == nil && want != nil {
				found("a model", r.target.Confirm(now, want), p.takes <= byModel)
			}
			for n := range all(now.Root) {
				v := r.target.Confirm(now, n)
				found("a lying model", v, false)
				redo := heal.Redo{Wants: []heal.Want{{Target: r.target}}}
				if refused := redo.Allows(heal.Deed{On: now, Node: n}); (redo.Missing() == "" || n.Role == "tab") && n != want && refused == "" {
					t.Errorf("a redo may act on %s", n.Descriptor())
				}
			}
		})
	}
}

// TestRedoKeepsTheState: what stands for a call that checks or unchecks a box may not leave it in the other state,
// whether it is pressed or brought to a state.
func TestRedoKeepsTheState(t *testing.T) {
	s := &stage{t: t, dev: webtest.Device(t, web.DeviceOptions{ID: "web"})}
	const page = `<h1>Order</h1><p>Extras</p><input type="checkbox" aria-label="Gift" x%s><button>Pay</button>`
	off, box := s.show(fmt.Sprintf(page, ""))
	r := record(t, off, box)
	on, checked := s.show(fmt.Sprintf(page, " checked"))
	for _, tt := range []struct {
		name    string
		wants   bool
		deed    heal.Deed
		refused bool
	}{
		{"press an empty box to check it", true, heal.Deed{On: off, Node: box}, false},
		{"press a checked box to check it", true, heal.Deed{On: on, Node: checked}, true},
		{"press a checked box to empty it", false, heal.Deed{On: on, Node: checked}, false},
		{"press an empty box to empty it", false, heal.Deed{On: off, Node: box}, true},
		{"check it", true, heal.Deed{On: on, Node: checked, Checked: new(true)}, false},
		{"uncheck it instead", true, heal.Deed{On: on, Node: checked, Checked: new(false)}, true},
	} {
		redo := heal.Redo{Wants: []heal.Want{{Target: r.target, Checked: &tt.wants}}}
		if why := redo.Allows(tt.deed); (why != "") != tt.refused || (redo.Missing() != "") != tt.refused {
			t.Errorf("%s: refused %q, missing %q", tt.name, why, redo.Missing())
		}
	}
}

func all(n *screen.Node) func(func(*screen.Node) bool) {
	return func(yield func(*screen.Node) bool) { walk(n, yield) }
}

func walk(n *screen.Node, yield func(*screen.Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, c := range n.Children {
		if !walk(c, yield) {
			return false
		}
	}
	return true
}

// show shows a page and returns what is marked on it, nil when nothing is.
func (s *stage) show(html string) (*screen.Snapshot, *screen.Node) {
	s.t.Helper()
	s.eval(`document.body.innerHTML = ` + quote(shell+html+footer) + `; 0`)
	s.eval(`{ const e = document.querySelector('[x]'); if (e) { e.removeAttribute('x'); e.setAttribute('data-truth', ''); } } 0`)
	return s.look()
}
