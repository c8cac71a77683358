package identity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// captured is a screen as the files of recorded phone screens keep it.
type captured struct {
	Bounds   *struct{ Left, Top, Right, Bottom float64 }
	Detail   json.RawMessage `json:"driverDetail"`
	Children []captured
}

// node reads a captured node. Its fields are the ones of ours; only enabled is told the other way round.
func (c captured) node(t testing.TB) *screen.Node {
	var kind struct {
		Class              string
		Enabled, IsEnabled *bool
		Item               *struct{ RowIndex, ColumnIndex *int } `json:"collectionItemInfo"`
	}
	if err := json.Unmarshal(c.Detail, &kind); err != nil {
		t.Fatal(err)
	}
	disabled := kind.Enabled != nil && !*kind.Enabled || kind.IsEnabled != nil && !*kind.IsEnabled
	n := &screen.Node{Role: "view", NoBox: c.Bounds == nil}
	switch kind.Class {
	case "androidAccessibility":
		d := &screen.AndroidAccessibility{Disabled: disabled}
		if kind.Item != nil {
			d.CollectionItemRowIndex, d.CollectionItemColumnIndex = kind.Item.RowIndex, kind.Item.ColumnIndex
		}
		n.Native = d
	case "androidMaestro":
		n.Native = &screen.AndroidMaestro{Disabled: disabled}
	case "iosMaestro":
		n.Native = &screen.IOSMaestro{}
	case "iosAxe":
		n.Native = &screen.IOSAxe{Disabled: disabled}
	default:
		t.Fatalf("a node of %q", kind.Class)
	}
	if err := json.Unmarshal(c.Detail, n.Native); err != nil {
		t.Fatal(err)
	}
	if b := c.Bounds; b != nil {
		n.Bounds = box(b.Left, b.Top, b.Right-b.Left, b.Bottom-b.Top)
	}
	for _, k := range c.Children {
		n.Children = append(n.Children, k.node(t))
	}
	return n
}

// drawPhone draws a screen of one driver: bars, lists with rows, forms, and wrappers that say nothing.
func drawPhone(r *rand.Rand, driver string) *screen.Snapshot {
	words := []string{"Pay", "PAY", "Send  now", " Send now", "Milk", "Bread\nand butter", "Settings", "Ada", "Ben", "$5.00", "a\\b", `\E?`,
		"", "Order 48213", "12:30"}
	serial := 0
	some := func(p float64, s string) *string {
		if r.Float64() < p {
			return &s
		}
		return nil
	}
	word := func() string {
		if w := words[r.Intn(len(words))]; r.Intn(3) > 0 {
			return w
		}
		serial++
		return fmt.Sprintf("Thing %d", serial)
	}
	class := func() string { return []string{"View", "Button", "TextView", "EditText"}[r.Intn(4)] }
	native := func(leaf bool) screen.Native {
		says := 0.1
		if leaf {
			says = 0.8
		}
		id := some(0.2, fmt.Sprintf("app:id/%c", 'a'+rune(r.Intn(12))))
		switch driver {
		case "androidAccessibility":
			d := &screen.AndroidAccessibility{ClassName: some(0.95, class()), ResourceID: id, Text: some(says, word()),
				ContentDescription: some(says/3, word()), HintText: some(says/5, word()),
				IsClickable: r.Intn(2) == 0, IsCheckable: r.Intn(8) == 0, Disabled: r.Intn(8) == 0, IsEditable: r.Intn(8) == 0}
			if r.Intn(10) == 0 {
				d.CollectionItemRowIndex, d.CollectionItemColumnIndex = new(r.Intn(9)), new(0)
			}
			return d
		case "androidMaestro":
			return &screen.AndroidMaestro{ClassName: some(0.9, class()), ResourceID: id, Text: some(says, word()), AccessibilityText: some(says/3, word()),
				Clickable: r.Intn(2) == 0}
		case "iosMaestro":
			return &screen.IOSMaestro{ClassName: some(0.2, class()), ResourceID: id, AccessibilityText: some(says, word())}
		case "iosAxe":
			return &screen.IOSAxe{Role: some(0.95, "AX"+class()), UniqueID: id, Label: some(says, word()), Value: some(says/4, word()), Type: some(0.9, class())}
		}
		return &screen.Compose{Role: some(0.5, class()), TestTag: id, Text: some(says, word()), ContentDescription: some(says/4, word()), IsFocused: r.Intn(9) == 0}
	}
	y := 0.0
	var grow func(depth int) *screen.Node
	grow = func(depth int) *screen.Node {
		n := &screen.Node{Role: "view"}
		top := y
		kids := 0
		if depth > 0 {
			kids = []int{0, 1, 1, 2, 3, 5}[r.Intn(6)]
		}
		for range kids {
			n.Children = append(n.Children, grow(depth-1))
		}
		if kids == 0 {
			y += 20
		}
		n.Native, n.Bounds = native(kids == 0), box(float64(r.Intn(3)*50), top, 100, y-top)
		return n
	}
	root := &screen.Node{Role: "view", Native: native(false)}
	for range 4 {
		root.Children = append(root.Children, grow(6))
	}
	return phone(root)
}

// withOneMore is a copy of the screen with one element added somewhere; its nodes keep their ids.
func withOneMore(r *rand.Rand, s *screen.Snapshot) *screen.Snapshot {
	var clone func(n *screen.Node) *screen.Node
	var all []*screen.Node
	clone = func(n *screen.Node) *screen.Node {
		c := *n
		c.Children = nil
		for _, k := range n.Children {
			c.Children = append(c.Children, clone(k))
		}
		all = append(all, &c)
		return &c
	}
	out := &screen.Snapshot{Platform: s.Platform, Quality: s.Quality, Root: clone(s.Root)}
	like := all[r.Intn(len(all))]
	p := all[r.Intn(len(all))]
	added := &screen.Node{ID: screen.NodeID(len(all) + 1), Role: "view", Bounds: box(p.Bounds.X, p.Bounds.Y+p.Bounds.H/2, 40, 20)}
	var text *string
	if r.Intn(2) == 0 {
		text = new("An element that was not there")
	}
	switch d := like.Native.(type) {
	case *screen.AndroidAccessibility:
		added.Native = &screen.AndroidAccessibility{ClassName: d.ClassName, Text: text, IsClickable: d.IsClickable}
	case *screen.AndroidMaestro:
		added.Native = &screen.AndroidMaestro{ClassName: d.ClassName, Text: text, Clickable: d.Clickable}
	case *screen.IOSMaestro:
		added.Native = &screen.IOSMaestro{ClassName: d.ClassName, AccessibilityText: text}
	case *screen.IOSAxe:
		added.Native = &screen.IOSAxe{Role: d.Role, Type: d.Type, Label: text}
	case *screen.Compose:
		added.Native = &screen.Compose{Role: d.Role, Text: text}
	}
	p.Children = slices.Insert(p.Children, r.Intn(len(p.Children)+1), added)
	out.Index()
	return out
}

// wordFields are the fields that a translation would change.
var wordFields = regexp.MustCompile(`"(?:text|accessibilityText|contentDescription|hintText|label|value|title)Regex"`)

// survey makes a selector for every node of the screens, and tells how they fare.
type survey struct {
	nodes, bare, lost int
	took              []time.Duration
	worst             []string
}

// selectorTime is how long a selector may take. One that took longer is made again, and the shortest time counts: other
// processes take the rest.
const selectorTime = 5 * time.Millisecond

func (v *survey) add(t *testing.T, r *rand.Rand, name string, s *screen.Snapshot) {
	t.Helper()
	later := withOneMore(r, s)
	for _, n := range screen.Preorder(s.Root) {
		best, sel, err := time.Hour, screen.Selector{}, error(nil)
		for made := 0; made == 0 || made < 3 && best > selectorTime; made++ {
			start := time.Now()
			sel, err = SelectorFor(s, n.ID)
			best = min(best, time.Since(start))
		}
		v.took = append(v.took, best)
		said, _ := json.Marshal(sel)
		if err != nil {
			t.Fatalf("%s: node %d: %v", name, n.ID, err)
		}
		var again screen.Selector
		if err := json.Unmarshal(said, &again); err != nil {
			t.Fatal(err)
		}
		if found, err := s.Find(again); err != nil || len(found) != 1 || found[0] != n {
			t.Fatalf("%s: node %d: %s finds %d (%v)", name, n.ID, said, len(found), err)
		}
		if v.nodes%20 == 0 {
			plain, err := StructuralSelectorFor(s, n.ID)
			data, _ := json.Marshal(plain)
			if found, ferr := s.Find(plain); err != nil || ferr != nil || len(found) != 1 || found[0] != n || wordFields.Match(data) {
				t.Fatalf("%s: node %d: structural %s finds %d (%v, %v)", name, n.ID, data, len(found), err, ferr)
			}
		}
		v.nodes++
		if sel.Index != nil && sel.ChildOf == nil && sel.Above == nil && sel.Below == nil && sel.LeftOf == nil && sel.RightOf == nil {
			v.bare++
			v.worst = append(v.worst, fmt.Sprintf("%s %d bare: %s", name, n.ID, said))
		}
		if found, err := later.Find(sel); err != nil || len(found) != 1 || found[0].ID != n.ID {
			v.lost++
			v.worst = append(v.worst, fmt.Sprintf("%s %d lost: %s", name, n.ID, said))
		}
	}
}

func (v *survey) check(t *testing.T) {
	t.Helper()
	slices.Sort(v.took)
	share := func(n int) float64 { return 100 * float64(n) / float64(v.nodes) }
	t.Logf("%d nodes: bare index %.2f %%, lost after one added element %.2f %%, p50 %s, p99 %s, longest %s",
		v.nodes, share(v.bare), share(v.lost), v.took[len(v.took)/2], v.took[len(v.took)*99/100], v.took[len(v.took)-1])
	if p99 := v.took[len(v.took)*99/100]; p99 > testtime.Within(selectorTime) {
		t.Errorf("one in a hundred took %s or longer", p99)
	}
	if share(v.bare) >= 2 || share(v.lost) > 3 {
		t.Errorf("bare %d, lost %d of %d:\n%s", v.bare, v.lost, v.nodes, strings.Join(v.worst[:min(len(v.worst), 20)], "\n"))
	}
}

// TestPhoneSelectorsLast: on screens of every driver each selector finds its node, few count, and most find it when
// there is one element more.
func TestPhoneSelectorsLast(t *testing.T) {
	for _, driver := range screen.Phones {
		t.Run(driver.Block(), func(t *testing.T) {
			r := rand.New(rand.NewSource(7))
			v := survey{}
			for i := range 4 {
				v.add(t, r, fmt.Sprint("screen ", i), drawPhone(r, driver.Block()))
			}
			v.check(t)
		})
	}
}

// TestPhoneCaptures does the same on recorded screens, files *.example.json below the folder that TRAILBLAZE_CAPTURES
// names.
func TestPhoneCaptures(t *testing.T) {
	folder := os.Getenv("TRAILBLAZE_CAPTURES")
	if folder == "" {
		t.Skip("TRAILBLAZE_CAPTURES names no folder")
	}
	r := rand.New(rand.NewSource(7))
	surveys := map[string]*survey{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".example.json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var file struct {
			Tree *captured `json:"trailblazeNodeTree"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if file.Tree == nil {
			return nil
		}
		s := phone(file.Tree.node(t))
		v := surveys[s.Root.Native.Block()]
		if v == nil {
			v = &survey{}
			surveys[s.Root.Native.Block()] = v
		}
		v.add(t, r, filepath.Base(path), s)
		return nil
	})
	if err != nil || len(surveys) == 0 {
		t.Fatal("no captures", err)
	}
	for block, v := range surveys {
		t.Run(block, func(t *testing.T) { v.check(t) })
	}
}

func BenchmarkSelectorForPhone(b *testing.B) {
	for _, driver := range screen.Phones {
		b.Run(driver.Block(), func(b *testing.B) {
			s := drawPhone(rand.New(rand.NewSource(7)), driver.Block())
			all := screen.Preorder(s.Root)
			for i := 0; b.Loop(); i++ {
				if _, err := SelectorFor(s, all[i%len(all)].ID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
