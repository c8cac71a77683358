package locator_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func button(name, ref string) *screen.Node {
	return &screen.Node{Role: "button", Name: name, Text: name, Ref: ref, State: screen.Clickable, Bounds: screen.Rect{X: 10, Y: 10, W: 80, H: 20}}
}

func hidden(n *screen.Node, v screen.Visibility) *screen.Node {
	n.Visibility = v
	return n
}

func TestResolve(t *testing.T) {
	index := 1
	yes := true
	disabled := button("Save", "e9")
	disabled.State |= screen.Disabled
	tests := []struct {
		name  string
		page  []*screen.Node
		query locator.Query
		want  string // ref; "" is not found
		kind  fault.Kind
	}{
		{"a ref", []*screen.Node{button("Save", "e1"), button("Open", "e2")}, locator.Query{Target: locator.Target{Ref: "e2"}}, "e2", ""},
		{"a ref in brackets", []*screen.Node{button("Save", "e1")}, locator.Query{Target: locator.Target{Ref: "[e1]"}}, "e1", ""},
		{"a ref is never a text", []*screen.Node{button("e7", "e1")}, locator.Query{Target: locator.Target{Ref: "e7"}}, "", fault.NotFound},
		{"a descriptor", []*screen.Node{button("Save", "e1"), button("Open", "e2")}, locator.Query{Target: locator.Target{Ref: `button "Open"`}}, "e2", ""},
		{"a text", []*screen.Node{button("Save all", "e1")}, locator.Query{Text: "Save"}, "e1", ""},
		{"never inside a word", []*screen.Node{button("Unpaid", "e1")}, locator.Query{Text: "Paid", Once: true}, "", fault.NotFound},
		{"a text and its index", []*screen.Node{button("Add", "e1"), button("Add", "e2")}, locator.Query{Text: "Add", Index: &index}, "e2", ""},
		{"an index too many", []*screen.Node{button("Add", "e1")}, locator.Query{Text: "Add", Index: &index, Once: true}, "", fault.NotFound},
		{"an id", []*screen.Node{{Role: "button", Ref: "e1", Native: &screen.Web{TestID: "save"}}, {Role: "button", Ref: "e2", Native: &screen.Web{HTMLID: "open"}}},
			locator.Query{ID: "open"}, "e2", ""},
		{"only enabled ones", []*screen.Node{disabled, button("Save", "e2")}, locator.Query{Text: "Save", Enabled: &yes}, "e2", ""},
		{"what can be seen comes first", []*screen.Node{hidden(button("Save", "e1"), screen.Hidden), button("Save", "e2")},
			locator.Query{Target: locator.Target{Ref: `button "Save"`}}, "e2", ""},
		{"but a selector's index is kept", []*screen.Node{hidden(button("Save", "e1"), screen.Hidden), button("Save", "e2")},
			locator.Query{Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}, Index: new(int)}}}, "e1", ""},
		{"all fields of a selector must hold", []*screen.Node{button("Save", "e1")},
			locator.Query{Once: true, Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "link",
				AriaNameRegex: "Save"}}}}, "", fault.NotFound},
		{"a selector's second", []*screen.Node{button("Save", "e1"), {Role: "button", Name: "Save", Ref: "e2", Bounds: screen.Rect{X: 10, Y: 90, W: 80, H: 20}}},
			locator.Query{Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaNameRegex: "Save"}, Index: &index}}}, "e2", ""},
		{"a snapshot ref beside a selector is not a second chance", []*screen.Node{button("Other", "e1")},
			locator.Query{Once: true, Target: locator.Target{Ref: "e1",
				NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaNameRegex: "Save"}}}}, "", fault.NotFound},
		{"nothing named", []*screen.Node{button("Save", "e1")}, locator.Query{}, "", fault.Invalid},
		{"the recorded one of several", []*screen.Node{button("Save", "e1"), {Role: "link", Name: "Save", Ref: "e2"}},
			locator.Query{Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaNameRegex: "Save"}},
				Fingerprint: &identity.Fingerprint{Role: "link", Name: "Save"}}}, "e2", ""},
		{"another one than was recorded", []*screen.Node{button("Save", "e1")},
			locator.Query{Once: true, Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button"}},
				Fingerprint: &identity.Fingerprint{Role: "button", Name: "Delete"}}}, "", fault.Assertion},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dev := tooltest.NewDevice(tooltest.Page(tt.page...))
			found, err := locator.Resolve(t.Context(), dev, tt.query)
			if got := fault.KindOf(err); got != tt.kind {
				t.Fatalf("Resolve(%s) error = %v, want kind %q", tt.query, err, tt.kind)
			}
			if err != nil {
				return
			}
			if found.Node.Ref != tt.want {
				t.Errorf("Resolve(%s) = %s, want %s", tt.query, found.Node.Ref, tt.want)
			}
		})
	}
}

func TestFailuresTellWhatWasLookedFor(t *testing.T) {
	dev := tooltest.NewDevice(tooltest.Page(button("Save draft", "e1"), button("Cancel", "e2")))
	_, err := locator.Resolve(t.Context(), dev, locator.Query{Once: true, Target: locator.Target{Ref: `button "Save"`}})
	d := fault.DetailOf(err)
	if d == nil || d.Looked != `ref button "Save"` {
		t.Fatalf("detail = %+v, want what was looked for", d)
	}
	if !slices.ContainsFunc(d.Candidates, func(c string) bool { return strings.HasPrefix(c, `button "Save draft": its name is`) }) {
		t.Errorf("candidates = %q, want the nearest with its difference", d.Candidates)
	}
}

// TestCandidatesAreToldOnce proves that each is told once: the buttons of many rows must not push out what else is
// near.
func TestCandidatesAreToldOnce(t *testing.T) {
	page := tooltest.Page(button("Delete", "e1"), button("Delete", "e2"), button("Delete", "e3"), button("Delete", "e4"),
		button("Delete", "e5"), button("Create invoice", "e6"))
	page.Root.Name = "Invoice"
	_, err := locator.Resolve(t.Context(), tooltest.NewDevice(page), locator.Query{Once: true, Target: locator.Target{Ref: `button "Add invoice"`}})
	want := []string{`button "Create invoice": its name is "Create invoice", looked for "Add invoice"`,
		`button "Delete": its name is "Delete", looked for "Add invoice"`}
	if diff := cmp.Diff(want, fault.DetailOf(err).Candidates); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

func TestStaleRefIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dev := tooltest.NewDevice(tooltest.Page(button("Save", "e1")))
		began := time.Now()
		_, err := locator.Resolve(t.Context(), dev, locator.Query{Target: locator.Target{Ref: "[e7]"}})
		if err == nil || !strings.HasPrefix(errText(err), "Element ref '[e7]' not found on current screen") || !strings.Contains(err.Error(), "it was removed") {
			t.Errorf("error = %v, want upstream's beginning and what became of the element", err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("a ref that cannot come back was waited for %s", took)
		}
	})
}

// errText is the message without the operation in front.
func errText(err error) string {
	_, rest, _ := strings.Cut(err.Error(), ": ")
	return rest
}

func TestResolveWaitsForTheElement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dev := tooltest.NewDevice(tooltest.Page(button("Loading", "e1")))
		time.AfterFunc(3*time.Second, func() { dev.Show(tooltest.Page(button("Save", "e2"))) })
		began := time.Now()
		found, err := locator.Resolve(tool.WithRecorded(t.Context()), dev, locator.Query{Target: locator.Target{Ref: `button "Save"`}})
		if err != nil || found.Node.Ref != "e2" {
			t.Fatalf("Resolve = %v, %v, want e2", found, err)
		}
		if took := time.Since(began); took < 3*time.Second || took > 3200*time.Millisecond {
			t.Errorf("woke after %s, want right after the change at 3s", took)
		}
	})
}

// TestResolveGivesUp proves how long a name is waited for: a recorded step as long as upstream's, a live caller less
// than two seconds, and whatever the caller says.
func TestResolveGivesUp(t *testing.T) {
	target := locator.Target{Ref: `button "Save"`}
	tests := []struct {
		name  string
		ctx   context.Context
		query locator.Query
		want  time.Duration
	}{
		{"recorded", tool.WithRecorded(t.Context()), locator.Query{Target: target}, 10 * time.Second},
		{"live", t.Context(), locator.Query{Target: target}, 1500 * time.Millisecond},
		{"live by text", t.Context(), locator.Query{Text: "Save"}, 1500 * time.Millisecond},
		{"live with a timeout", t.Context(), locator.Query{Target: target, Timeout: 4 * time.Second}, 4 * time.Second},
		{"live by selector", t.Context(),
			locator.Query{Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "link"}}}}, 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ctx := context.WithoutCancel(tt.ctx) // of this bubble: no channel from outside
				_, err := locator.Resolve(ctx, tooltest.NewDevice(tooltest.Page(button("Loading", "e1"))), tt.query)
				if fault.KindOf(err) != fault.NotFound {
					t.Errorf("error = %v, want not found", err)
				}
				if took := time.Since(began); took < tt.want || took > tt.want+100*time.Millisecond {
					t.Errorf("gave up after %s, want %s", took, tt.want)
				}
			})
		})
	}
}

// TestResolveRefusesSeveral proves that a name of two elements is no choice: live it is told soon, with what tells them
// apart; a recorded step waits for one of them to go.
func TestResolveRefusesSeveral(t *testing.T) {
	two := func() *screen.Snapshot { return tooltest.Page(button("Save", "e1"), button("Save", "e2")) }
	t.Run("live", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err := locator.Resolve(t.Context(), tooltest.NewDevice(two()), locator.Query{Target: locator.Target{Ref: `button "Save"`}})
			if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), `button "Save" e1; button "Save" e2`) {
				t.Errorf("error = %v, want a conflict that lists both", err)
			}
			if took := time.Since(began); took > 500*time.Millisecond {
				t.Errorf("told after %s", took)
			}
		})
	})
	t.Run("recorded", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			dev := tooltest.NewDevice(two())
			time.AfterFunc(3*time.Second, func() { dev.Show(tooltest.Page(button("Save", "e2"))) })
			found, err := locator.Resolve(tool.WithRecorded(t.Context()), dev, locator.Query{Target: locator.Target{Ref: `button "Save"`}})
			if err != nil || found.Node.Ref != "e2" {
				t.Errorf("Resolve = %v, %v, want the one that stayed", found, err)
			}
		})
	})
	t.Run("recorded, and none goes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, err := locator.Resolve(tool.WithRecorded(t.Context()), tooltest.NewDevice(two()), locator.Query{Text: "Save"})
			if fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "fits 2 elements") {
				t.Errorf("error = %v, want the failure of an app that has two", err)
			}
		})
	})
}

func TestResolveStopsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		dev := tooltest.NewDevice(tooltest.Page())
		_, err := locator.Resolve(ctx, dev, locator.Query{Text: "x"})
		if fault.KindOf(err) != fault.Canceled {
			t.Errorf("error = %v, want canceled", err)
		}
	})
}

// TestDeadlineTellsWhatTheSearchKnows proves that a caller's deadline, shorter than the search's own patience, still
// says what was looked for and what is near, and stays a deadline.
func TestDeadlineTellsWhatTheSearchKnows(t *testing.T) {
	tests := []struct {
		name string
		find func(context.Context, *tooltest.Device) error
		want string
	}{
		{"resolve", func(ctx context.Context, dev *tooltest.Device) error {
			_, err := locator.Resolve(ctx, dev, locator.Query{Target: locator.Target{Ref: `button "Save"`}})
			return err
		}, `nothing on the screen matches ref button "Save"`},
		{"see", func(ctx context.Context, dev *tooltest.Device) error {
			_, err := locator.See(ctx, dev, locator.Query{Text: "Save"}, nil)
			return err
		}, `nothing on the screen matches text "Save"`},
		{"absent", func(ctx context.Context, dev *tooltest.Device) error {
			_, err := locator.Absent(ctx, dev, locator.Query{Text: "Safe"})
			return err
		}, `button "Safe" is on the screen`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				err := tt.find(ctx, tooltest.NewDevice(tooltest.Page(button("Safe", "e1"))))
				if fault.KindOf(err) != fault.Timeout || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error = %v, want a timeout that says %q", err, tt.want)
				}
				if d := fault.DetailOf(err); d == nil || len(d.Candidates) == 0 {
					t.Errorf("detail = %+v, want what is near", d)
				}
			})
		})
	}
}

// R258: a missing device is an error, not an absence.
func TestNoDevice(t *testing.T) {
	if _, err := locator.Resolve(t.Context(), nil, locator.Query{Text: "x"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Resolve without a device: %v, want unavailable", err)
	}
	if _, err := locator.See(t.Context(), nil, locator.Query{Text: "x"}, nil); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("See without a device: %v, want unavailable", err)
	}
	if _, err := locator.Absent(t.Context(), nil, locator.Query{Text: "x"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Absent without a device: %v, want unavailable", err)
	}
}
