package android

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/refs"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// names gives elements their ids and refs for as long as they live. It is guarded by its owner.
type names struct {
	ids  map[string]screen.NodeID
	last screen.NodeID
	refs refs.Table
}

// rootID is the id of the screen itself.
const rootID screen.NodeID = 1

func newNames() *names { return &names{ids: map[string]screen.NodeID{}, last: rootID} }

func (s *names) id(identity string) screen.NodeID {
	id, ok := s.ids[identity]
	if !ok {
		s.last++
		id = s.last
		s.ids[identity] = id
	}
	return id
}

// NameFor implements screen.Namer.
func (d *Device) NameFor(n *screen.Node) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.names.refs.Of(n)
}

// NamedBy implements screen.Namer.
func (d *Device) NamedBy(ref string) (screen.NodeID, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, ok := d.names.refs.Find(ref)
	return n.Node, ok
}

// ExplainRef implements driver.StaleRefs.
func (d *Device) ExplainRef(ref string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.names.refs.Find(ref); ok {
		return fmt.Sprintf("%s was %s, which is not on the screen any more", ref, n.Label)
	}
	return ""
}

// identity says which element a node is. The phone numbers views and never gives a number again, but lists show one row
// after the other in the same view: in them what is said in the row counts, too.
func identity(n *node) string {
	id := n.ID + "|" + text(n.Class) + "|" + text(n.Resource)
	for p := n; p.parent != nil; p = p.parent {
		if p.parent.recycles() {
			return id + "|" + place(p) + p.said(identityText)
		}
	}
	return id
}

const identityText = 300

// recycles reports whether the children of a node are views that show one item after the other.
func (n *node) recycles() bool {
	if n.page {
		return false // Chromium numbers the elements of a page
	}
	if n.F.has(collection) {
		return true
	}
	switch base(text(n.Class)) {
	case "RecyclerView", "ListView", "GridView", "ExpandableListView", "ViewPager", "ViewPager2":
		return true
	}
	return false
}

func place(n *node) string {
	if n.Row == nil || n.Col == nil {
		return ""
	}
	return strconv.Itoa(*n.Row) + "," + strconv.Itoa(*n.Col) + " "
}

// said joins what is said in a node and below it, without what a person types.
func (n *node) said(most int) string {
	var b strings.Builder
	n.each(func(k *node) {
		if b.Len() < most && !k.F.has(editable) {
			for _, s := range []*string{k.Text, k.Desc} {
				if t := text(s); t != "" {
					if b.Len() > 0 {
						_ = b.WriteByte(' ')
					}
					_, _ = b.WriteString(t)
				}
			}
		}
	})
	return b.String()
}

// chosen is the option that a spinner shows.
func (n *node) chosen() string {
	if len(n.Kids) == 0 {
		return text(n.Text)
	}
	var parts []string
	for _, k := range n.Kids {
		if s := k.said(identityText); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

func base(class string) string {
	return class[strings.LastIndexAny(class, ".$")+1:]
}

// snapshot makes a capture of a tree. The device's lock is held.
func (d *Device) snapshot(t *tree) *screen.Snapshot {
	d.seq++
	s := &screen.Snapshot{
		Seq: d.seq, Taken: time.Now(), Platform: string(driver.AndroidPlatform), Width: t.Width, Height: t.Height,
		Quality: screen.Quality{Verdict: screen.Complete, Reasons: t.reasons}, Namer: d,
		Root: &screen.Node{
			ID: rootID, Role: "application", Native: &screen.AndroidAccessibility{},
			Bounds: screen.Rect{W: float64(t.Width), H: float64(t.Height)},
		},
	}
	if len(t.reasons) > 0 {
		s.Quality.Verdict = screen.Degraded
	}
	if w := t.front(); w != nil {
		s.Title = d.title(w)
		s.Root.Name = s.Title
	}
	d.inFront, d.byID = t.app(), make(map[screen.NodeID]*node)
	for _, w := range t.Windows {
		if w.Root == nil {
			continue
		}
		root := w.Root
		if w.Type == keyboardWindow {
			bare := *root // its keys and proposals are no part of what an app shows
			bare.Kids, root = nil, &bare
		}
		top := d.screenNode(t, root, s)
		switch {
		case w.Type == keyboardWindow:
			top.Role, top.Name = "group", "keyboard"
		case w.Type == systemWindow:
			top.Role, top.Name = "group", w.Title
		case t.isDialog(w):
			top.Role, top.Name = "dialog", d.title(w)
			if t.hindmost(w) {
				top.State |= screen.Modal
			}
		}
		s.Root.Children = append(s.Root.Children, top)
	}
	s.Index()
	return s
}

// title is the name of a window without the package that the system puts before it, or the number of the object that
// is a popup, which is another one each time.
func (d *Device) title(w *window) string {
	if name, number, ok := strings.Cut(w.Title, ":"); ok && name == "PopupWindow" {
		if _, err := strconv.ParseUint(number, 16, 64); err == nil {
			return name
		}
	}
	if i := strings.IndexByte(w.Title, '/'); i > 0 && !strings.Contains(w.Title, " ") {
		return path.Base(w.Title)
	}
	return w.Title
}

// screenNode makes the node of a capture, and those below it.
func (d *Device) screenNode(t *tree, n *node, s *screen.Snapshot) *screen.Node {
	out := &screen.Node{
		ID: d.names.id(identity(n)), Role: role(n), Name: nameOf(n), State: states(n), Native: native(n),
		Bounds: rect(n.B), Visibility: t.visibility(n),
	}
	if _, twice := d.byID[out.ID]; twice { // what draws itself may number two parts alike
		out.ID = d.names.id(identity(n) + "|" + strconv.Itoa(len(d.byID)))
	}
	d.byID[out.ID] = n
	if !n.F.has(editable) {
		out.Text = text(n.Text)
	}
	if n.Hint != nil && n.F.has(editable) && *n.Hint != out.Name {
		out.Description = *n.Hint
	}
	if n.F.has(heading) {
		out.Level = 2
	}
	switch {
	case n.F.has(password):
	case n.F.has(editable) && !n.F.has(hintShown):
		out.Value = text(n.Text)
	case out.Role == "combobox":
		out.Value = n.chosen()
	case len(n.Range) == 3:
		out.Range = &screen.Range{Min: n.Range[0], Max: n.Range[1], Now: n.Range[2]}
		out.Value = strconv.FormatFloat(n.Range[2], 'f', -1, 64)
	}
	if out.State.Has(screen.Focused) && n.window.Focused {
		s.Focus = out.ID
	}
	if acts(n) {
		out.Ref = d.names.refs.Of(out)
	}
	for _, k := range n.Kids {
		out.Children = append(out.Children, d.screenNode(t, k, s))
	}
	if n.F.has(scrollable) {
		out.Scroll = overflow(n, out.Children)
	}
	return out
}

// acts reports whether a person could act on a node itself.
func acts(n *node) bool {
	return n.F&(clickable|longClickable|checkable|editable|scrollable) != 0 || base(text(n.Class)) == "SeekBar"
}

func rect(b box) screen.Rect {
	return screen.Rect{X: float64(b[0]), Y: float64(b[1]), W: float64(max(b[2]-b[0], 0)), H: float64(max(b[3]-b[1], 0))}
}

// overflow says on which sides a container holds more than it shows. How much more the phone says of rows that exist
// alone; of a list it knows no more than that there is something, which counts as one pixel.
func overflow(n *node, kids []*screen.Node) *screen.Overflow {
	o := &screen.Overflow{}
	for _, k := range kids {
		o.Above = max(o.Above, n.B[1]-int(k.Bounds.Y))
		o.Below = max(o.Below, int(k.Bounds.Y+k.Bounds.H)-n.B[3])
		o.Left = max(o.Left, n.B[0]-int(k.Bounds.X))
		o.Right = max(o.Right, int(k.Bounds.X+k.Bounds.W)-n.B[2])
	}
	if sideways(n) {
		o.Left, o.Right = atLeast(o.Left, n.F.has(backward)), atLeast(o.Right, n.F.has(forward))
		o.Above, o.Below = 0, 0
	} else {
		o.Above, o.Below = atLeast(o.Above, n.F.has(backward)), atLeast(o.Below, n.F.has(forward))
		o.Left, o.Right = 0, 0
	}
	return o
}

func atLeast(px int, more bool) int {
	if !more {
		return 0
	}
	return max(px, 1)
}

// sideways reports whether a container scrolls from side to side.
func sideways(n *node) bool {
	c := base(text(n.Class))
	return strings.Contains(c, "Horizontal") || strings.Contains(c, "ViewPager") || strings.Contains(c, "Gallery")
}

// visibility says whether a person could see a node.
func (t *tree) visibility(n *node) screen.Visibility {
	if !n.F.has(visible) {
		if s := n.above(scrollable); s != nil && !n.B.empty() && n.B.within(s.B).empty() {
			return screen.Offscreen
		}
		if n.B.empty() {
			if s := n.above(scrollable); s != nil && s.F.has(visible) && s.F&(forward|backward) != 0 {
				return screen.Offscreen // its box is cut down to what is seen of it
			}
		}
		return screen.Hidden
	}
	if n.B.empty() {
		return screen.Hidden
	}
	x, y := n.B.center()
	if x < 0 || y < 0 || x >= t.Width || y >= t.Height {
		return screen.Visible // a part of it is
	}
	w, hit := t.at(x, y)
	if w != nil && w != n.window && w.Layer > n.window.Layer {
		if w.Type == keyboardWindow {
			return screen.Offscreen // an action closes it
		}
		return screen.Covered
	}
	if acts(n) && t.coverOf(n, x, y) != "" || n.behind && hit != nil && !hit.under(n) && !n.under(hit) {
		return screen.Covered
	}
	return screen.Visible
}

// roles are those of the classes of widgets, by the last part of their names.
var roles = []struct{ ends, role string }{
	{"CheckedTextView", "checkbox"}, {"CheckBox", "checkbox"}, {"RadioButton", "radio"}, {"Switch", "switch"},
	{"SwitchCompat", "switch"}, {"SwitchMaterial", "switch"}, {"ToggleButton", "switch"}, {"Spinner", "combobox"},
	{"EditText", "textbox"}, {"AutoCompleteTextView", "textbox"}, {"ImageButton", "button"}, {"Button", "button"},
	{"Chip", "button"}, {"SeekBar", "slider"}, {"RatingBar", "slider"}, {"ProgressBar", "progressbar"},
	{"ImageView", "img"}, {"RecyclerView", "list"}, {"ListView", "list"}, {"GridView", "grid"}, {"TabWidget", "tablist"},
	{"TabLayout", "tablist"}, {"RadioGroup", "radiogroup"}, {"Toolbar", "toolbar"}, {"WebView", "document"},
	{"TextView", "text"}, {"Chronometer", "text"}, {"TextClock", "text"},
}

// role is the ARIA role of a node.
func role(n *node) string {
	class := base(text(n.Class))
	if r := pageRole(n); r != "" {
		return r
	}
	found := ""
	for _, r := range roles {
		if strings.HasSuffix(class, r.ends) {
			found = r.role
			break
		}
	}
	switch {
	case strings.EqualFold(text(n.RoleDesc), "tab"), strings.HasSuffix(class, "Tab"):
		return "tab"
	case n.F.has(editable):
		return "textbox"
	case n.F.has(heading) && (found == "text" || found == ""):
		return "heading"
	case found == "text" || found == "" || found == "img":
		switch {
		case n.F.has(checkable):
			return "checkbox"
		case n.F.has(clickable) && n.parent != nil && n.parent.recycles():
			return "listitem"
		case n.F.has(clickable):
			return "button"
		case n.parent != nil && n.parent.recycles() && found == "":
			return "listitem"
		}
	}
	if found == "" {
		return "generic"
	}
	return found
}

// pageRole is the ARIA role of a WebView or of an element of its page; "" when the page does not say one.
func pageRole(n *node) string {
	web := text(n.Web)
	switch {
	case n.F.has(editable), web == "" && !n.isWebView():
		return ""
	case !n.page:
		return "group" // the view; its page is the document in it
	case web == "":
		return "document"
	}
	if r, other := pageRoles[web]; other {
		return r
	}
	return strings.ToLower(web) // as in listItem and menuItemCheckBox
}

// pageRoles are the roles that Chromium names otherwise than ARIA does.
var pageRoles = map[string]string{
	"rootWebArea": "document", "webArea": "document", "staticText": "text", "inlineTextBox": "text", "image": "img",
	"genericContainer": "generic", "radioButton": "radio", "textField": "textbox", "popUpButton": "combobox",
	"comboBoxSelect": "combobox", "comboBoxMenuButton": "combobox", "textFieldWithComboBox": "combobox",
	"toggleButton": "button", "listBoxOption": "option", "menuListOption": "option", "progressIndicator": "progressbar",
	"header": "banner", "footer": "contentinfo", "contentInfo": "contentinfo", "iframe": "document",
	"labelText": "text", "sectionHeader": "generic", "sectionFooter": "generic",
}

// nameOf is what a screen reader calls a node: its description, what labels it, its text, or what is said in it.
func nameOf(n *node) string {
	switch {
	case text(n.Desc) != "":
		return *n.Desc
	case text(n.Label) != "":
		return *n.Label
	case n.F.has(editable):
		if text(n.Hint) != "" {
			return *n.Hint
		}
		if n.F.has(hintShown) {
			return text(n.Text)
		}
		return ""
	case text(n.Text) != "":
		return *n.Text
	case text(n.Pane) != "":
		return *n.Pane
	}
	switch r := role(n); {
	case n.page && r == "heading":
	case r == "combobox" || n.F&(clickable|checkable) == 0 || n.F.has(scrollable):
		return ""
	}
	return n.spoken()
}

// spoken joins what is said below a node that one taps as a whole: in what has a tap of its own, it is that one's name.
func (n *node) spoken() string {
	var parts []string
	for _, k := range n.Kids {
		if k.F&(clickable|checkable|editable|scrollable) != 0 {
			continue
		}
		if s := nameOf(k); s != "" {
			parts = append(parts, s)
		} else if s := k.spoken(); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

func states(n *node) screen.State {
	var s screen.State
	for _, m := range []struct {
		f  flags
		is screen.State
	}{
		{checkable, screen.Checkable}, {checked, screen.Checked}, {selected, screen.Selected}, {focused, screen.Focused},
		{focusable, screen.Focusable}, {editable, screen.Editable}, {password, screen.Password | screen.Masked},
		{multiLine, screen.Multiline}, {invalid, screen.Invalid}, {expandable, screen.Expandable},
		{expanded, screen.Expanded}, {clickable, screen.Clickable},
	} {
		if n.F.has(m.f) {
			s |= m.is
		}
	}
	if !n.F.has(editable) {
		s &^= screen.Multiline // every text view may wrap
	}
	if !n.F.has(enabled) {
		s |= screen.Disabled
	}
	if role(n) == "combobox" {
		s |= screen.HasPopup
	}
	return s
}

// native is a node in the words of Android. A password's text is no word of it.
func native(n *node) *screen.AndroidAccessibility {
	a := &screen.AndroidAccessibility{
		ClassName: n.Class, ResourceID: n.Resource, UniqueID: n.Unique, Text: n.Text, ContentDescription: n.Desc,
		HintText: n.Hint, LabeledByText: n.Label, StateDescription: n.State, PaneTitle: n.Pane,
		RoleDescription: n.RoleDesc, ComposeTestTag: n.Tag, PackageName: n.Package, Error: n.Err,
		Disabled: !n.F.has(enabled), IsClickable: n.F.has(clickable), IsCheckable: n.F.has(checkable),
		IsChecked: n.F.has(checked), IsSelected: n.F.has(selected), IsFocused: n.F.has(focused),
		IsEditable: n.F.has(editable), IsScrollable: n.F.has(scrollable), IsPassword: n.F.has(password),
		IsHeading: n.F.has(heading), IsMultiLine: n.F.has(multiLine),
		CollectionItemRowIndex: n.Row, CollectionItemColumnIndex: n.Col,
	}
	if n.Input != 0 {
		a.InputType = &n.Input
	}
	if n.F.has(password) && !n.F.has(hintShown) {
		a.Text = nil
	}
	return a
}

func quoted(s string) string { return fmt.Sprintf("%.60q", s) }

// changesBetween compares two trees by the elements in them.
func changesBetween(a, b *tree, own map[string]bool) (c driver.Changes, changed []string) {
	before, after := a.states(), b.states()
	for id, was := range before {
		now, ok := after[id]
		switch {
		case own[id]:
			c.Own++
		case !ok || now.says != was.says || now.is != was.is:
			c.Tree++
			changed = append(changed, id)
			c.Value = c.Value || ok && now.value != was.value
		case now.at != was.at:
			c.Scroll = c.Scroll || now.scrolls
			if !now.scrolls {
				c.Tree++
			}
			changed = append(changed, id)
		}
		if ok && was.focus != now.focus && !own[id] {
			c.Focus = true
		}
	}
	for id := range after {
		if _, ok := before[id]; !ok && !own[id] {
			c.Tree++
			changed = append(changed, id)
		}
	}
	c.Navigation = a.shows() != b.shows()
	slices.Sort(changed)
	return c, changed
}

// counts reports whether all that has changed are digits of texts that no one can type into, as of a clock.
func counts(a, b *tree, changed []string) bool {
	if len(changed) == 0 || a.shows() != b.shows() {
		return false
	}
	before, after := a.states(), b.states()
	for _, id := range changed {
		was, now := before[id], after[id]
		if was.says == now.says || was.is != now.is || was.value != "" || numbers().ReplaceAllString(was.says, "0") !=
			numbers().ReplaceAllString(now.says, "0") {
			return false
		}
	}
	return true
}

var numbers = regex.Lazy(`\d+`)

// seen is what a comparison asks of an element.
type seen struct {
	says, value string
	is          flags
	at          box
	focus       bool
	scrolls     bool // it stands in what scrolls
}

func (t *tree) states() map[string]seen {
	out := map[string]seen{}
	t.each(func(n *node) {
		if n.parent != nil && n.window.apart() {
			return
		}
		s := seen{at: n.B, focus: n.F.has(focused), scrolls: n.above(scrollable) != nil}
		if n.F.has(editable) || len(n.Range) > 0 {
			s.value = text(n.Text) + fmt.Sprint(n.Range)
		}
		s.is = n.F &^ (focused | forward | backward)
		s.says = strings.Join([]string{text(n.Text), text(n.Desc), text(n.State), text(n.Err), fmt.Sprint(n.Range)}, "\x00")
		out[identity(n)] = s
	})
	return out
}

// shows names the app window in front.
func (t *tree) shows() string {
	w := t.front()
	if w == nil || w.Root == nil {
		return ""
	}
	return strconv.Itoa(w.ID) + " " + text(w.Root.Package)
}
