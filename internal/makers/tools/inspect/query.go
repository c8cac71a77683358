package inspect

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// anyIn names elements by plain fields (text, id) or as other tools do.
type anyIn struct {
	Text string `json:"text,omitempty" jsonschema:"text or name of the element, or part of it in whole words"`
	ID   string `json:"id,omitempty" jsonschema:"test id or id attribute"`
	locator.Target
	TimeoutMs int `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for it; default: look once"`
	action.Note
}

// named are the fields of anyIn that name elements.
var named = []string{"text", "id", "ref", "nodeSelector"}

// CallTimeout implements tool.Timed.
func (in anyIn) CallTimeout() time.Duration { return action.Limit(action.Timeout(in.TimeoutMs, 0)) }

func (in anyIn) query() (locator.Query, error) {
	if in.Text == "" && in.ID == "" && in.Empty() {
		return locator.Query{}, fault.New(fault.Invalid, "look for element", "no element named").
			WithHint("Give text, id, ref or nodeSelector.")
	}
	return locator.Query{Target: in.Target, Text: in.Text, ID: in.ID}, nil
}

// visibility is the answer of isVisible.
type visibility struct {
	Visible bool   `json:"visible" jsonschema:"a person can see it now"`
	Exists  bool   `json:"exists" jsonschema:"it is in the page at all"`
	Why     string `json:"why,omitempty" jsonschema:"why it cannot be seen"`
}

// Text implements tool.Texter.
func (s visibility) Text() string {
	if s.Why == "" {
		return strconv.FormatBool(s.Visible)
	}
	return fmt.Sprintf("%t: %s", s.Visible, s.Why)
}

// isVisible never fails because something is not there.
func isVisible() tool.Tool {
	return tool.Define(asking("isVisible", "Is visible", named...),
		func(ctx context.Context, env tool.Env, in anyIn) (visibility, error) {
			q, err := in.query()
			if err != nil {
				return visibility{}, err
			}
			q.Control = true // an icon's name is all the text it has
			best := visibility{Why: "nothing on the screen matches " + q.String()}
			err = watch(ctx, env, q, in.TimeoutMs, func(s *screen.Snapshot, nodes []*screen.Node) bool {
				best = visibility{Why: "nothing on the screen matches " + q.String()}
				if s.Quality.Verdict == screen.Degraded {
					best.Why += " (and the capture is not complete: " + strings.Join(s.Quality.Reasons, "; ") + ")"
				}
				for _, n := range nodes {
					if n.Visibility == screen.Visible {
						best = visibility{Visible: true, Exists: true}
						return true
					}
					best = visibility{Exists: true, Why: unseen(n)}
				}
				return false
			})
			return best, err
		})
}

func unseen(n *screen.Node) string {
	if n.Visibility == screen.Offscreen {
		return n.Descriptor() + " is outside the view; scrolling would show it"
	}
	return n.Descriptor() + " is there, but " + locator.Unseen(n.Visibility)
}

// watch captures the screen once, or until enough is satisfied or the time is up.
func watch(ctx context.Context, env tool.Env, q locator.Query, timeoutMs int,
	enough func(*screen.Snapshot, []*screen.Node) bool) error {
	dev, err := action.Device(env)
	if err != nil {
		return err
	}
	_, _, err = locator.Until(ctx, dev, action.Timeout(timeoutMs, 0), q.CSS(dev), func(s *screen.Snapshot) (bool, error) {
		nodes, err := q.All(s)
		if err != nil {
			return false, err
		}
		return enough(s, nodes), nil
	})
	return err
}

type hasTextIn struct {
	Text string `json:"text" minLength:"1" jsonschema:"text to look for, in whole words"`
	action.Note
}

// having is the answer of hasText.
type having struct {
	HasText bool `json:"hasText"`
}

// Text implements tool.Texter.
func (h having) Text() string { return strconv.FormatBool(h.HasText) }

// hasText answers whether a person can read the text on the page, scrolling allowed.
func hasText() tool.Tool {
	return tool.Define(asking("hasText", "Has text", "text"),
		func(ctx context.Context, env tool.Env, in hasTextIn) (having, error) {
			var out having
			err := watch(ctx, env, locator.Query{Text: in.Text}, 0, func(_ *screen.Snapshot, nodes []*screen.Node) bool {
				out.HasText = len(screen.Pick(nodes, (*screen.Node).InSight)) > 0
				return out.HasText
			})
			return out, err
		})
}

// reading is the answer of getElementText.
type reading struct {
	Found bool    `json:"found"`
	Value *string `json:"text" jsonschema:"null when there is no such element"`
}

// Text implements tool.Texter.
func (r reading) Text() string {
	if r.Value == nil {
		return "There is no such element."
	}
	return *r.Value
}

// getElementText returns the text of an element.
func getElementText() tool.Tool {
	return tool.Define(asking("getElementText", "Get element text", named...),
		func(ctx context.Context, env tool.Env, in anyIn) (reading, error) {
			q, err := in.query()
			if err != nil {
				return reading{}, err
			}
			q = q.Single()
			out, several := reading{}, error(nil)
			err = watch(ctx, env, q, in.TimeoutMs, func(snap *screen.Snapshot, nodes []*screen.Node) bool {
				if len(nodes) == 0 {
					return false
				}
				text := locator.TextOf(nodes[0])
				out, several = reading{Found: true, Value: &text}, q.Several(snap, nodes)
				return true
			})
			return out, cmp.Or(err, several)
		})
}

// tally is the answer of getElementCount.
type tally struct {
	Count int `json:"count"`
}

// Text implements tool.Texter.
func (t tally) Text() string { return strconv.Itoa(t.Count) }

// getElementCount counts the elements that a person could see.
func getElementCount() tool.Tool {
	return tool.Define(asking("getElementCount", "Get element count", named...),
		func(ctx context.Context, env tool.Env, in anyIn) (tally, error) {
			q, err := in.query()
			if err != nil {
				return tally{}, err
			}
			var out tally
			err = watch(ctx, env, q, in.TimeoutMs, func(_ *screen.Snapshot, nodes []*screen.Node) bool {
				out.Count = len(screen.Pick(nodes, (*screen.Node).InSight))
				return out.Count > 0
			})
			return out, err
		})
}

type matchesIn struct {
	Selector  *screen.Selector `json:"selector" jsonschema:"selector of the elements"`
	TimeoutMs int              `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait for a first match; default: look once"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in matchesIn) CallTimeout() time.Duration {
	return action.Limit(action.Timeout(in.TimeoutMs, 0))
}

// match is one element found, in upstream's words.
type match struct {
	IndexPath       string       `json:"indexPath" jsonschema:"child numbers from the root"`
	Bounds          *screen.Rect `json:"bounds,omitempty"`
	MatchedText     string       `json:"matchedText,omitempty"`
	AccessibilityID string       `json:"accessibilityId,omitempty"`
	ResourceID      string       `json:"resourceId,omitempty"`
	Ref             string       `json:"ref,omitempty"`
	Visible         bool         `json:"visible"`
}

type matchesOut struct {
	Matches []match `json:"matches"`
}

// Text implements tool.Texter.
func (o matchesOut) Text() string {
	if len(o.Matches) == 0 {
		return "No match."
	}
	var b strings.Builder
	for _, m := range o.Matches {
		fmt.Fprintf(&b, "%s %s %q\n", m.IndexPath, m.Ref, m.MatchedText)
	}
	return strings.TrimRight(b.String(), "\n")
}

func findMatches() tool.Tool {
	return tool.Define(asking("findMatches", "Find matches", "selector"),
		func(ctx context.Context, env tool.Env, in matchesIn) (matchesOut, error) {
			out := matchesOut{Matches: []match{}}
			q := locator.Query{Target: locator.Target{NodeSelector: in.Selector}}
			err := watch(ctx, env, q, in.TimeoutMs, func(snap *screen.Snapshot, nodes []*screen.Node) bool {
				out.Matches = out.Matches[:0]
				for _, n := range nodes {
					out.Matches = append(out.Matches, matchOf(snap, n))
				}
				return len(nodes) > 0
			})
			return out, err
		})
}

func matchOf(snap *screen.Snapshot, n *screen.Node) match {
	m := match{IndexPath: indexPath(n), MatchedText: locator.TextOf(n), AccessibilityID: n.Name, Ref: snap.RefFor(n),
		Visible: n.Visibility == screen.Visible}
	if !n.Bounds.Empty() {
		m.Bounds = &n.Bounds
	}
	if ids := n.IDs(); len(ids) > 0 {
		m.ResourceID = ids[0]
	}
	return m
}

// indexPath is "0/2/1": the way from the root.
func indexPath(n *screen.Node) string {
	var path []string
	for ; n.Parent != nil; n = n.Parent {
		for i, c := range n.Parent.Children {
			if c == n {
				path = append([]string{strconv.Itoa(i)}, path...)
			}
		}
	}
	return strings.Join(append([]string{"0"}, path...), "/")
}

// asking is one whose answer says whether what its arguments name is there.
func asking(name, title string, arguments ...string) tool.Spec {
	return unrecorded(name, title).With(tool.Facts{Asks: arguments})
}
