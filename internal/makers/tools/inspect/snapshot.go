package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type snapshotIn struct {
	ScreenName string   `json:"screenName,omitempty" jsonschema:"what to call this screen in the report"`
	Detail     []string `json:"detail,omitempty" enum:"BOUNDS,CSS_SELECTORS,OFFSCREEN_ELEMENTS,OCCLUDED_ELEMENTS,ALL_ELEMENTS" jsonschema:"what to tell beyond the common"`
	MaxTokens  int      `json:"maxTokens,omitempty" minimum:"50" jsonschema:"bound of the text; the least important is left out first"`
	Find       string   `json:"find,omitempty" jsonschema:"only elements that match this text or regex, with what is around them"`
	Scope      string   `json:"scope,omitempty" jsonschema:"only what is in the element of this ref"`
	Page       int      `json:"page,omitempty" minimum:"1" jsonschema:"only this part of the text, from 1, with what scrolling shows"`
	Changes    bool     `json:"changes,omitempty" jsonschema:"only what changed since you last looked"`
	Screenshot bool     `json:"screenshot,omitempty" jsonschema:"with a picture"`
	action.Note
}

func webSnapshot(seen *last) tool.Tool {
	s := spec("web_snapshot", "Snapshot", "web_core").With(tool.Facts{
		Default: 5, Purpose: tool.TakeSnapshot, Asks: []string{"find"}, Unlisted: []string{"screenName", "maxTokens"},
		Occasion: tool.Anytime, Usual: []string{"find", "scope", "page"},
	})
	s.Platforms, s.Output = []driver.Platform{driver.WebPlatform}, action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in snapshotIn) (*tool.Result, error) {
		return seen.capture(ctx, env, in, in.Screenshot)
	})
}

type detailsIn struct {
	Include []string `json:"include" minItems:"1" enum:"BOUNDS,CSS_SELECTORS,OFFSCREEN_ELEMENTS,OCCLUDED_ELEMENTS" jsonschema:"what to tell beyond the common"`
	action.Note
}

// webRequestDetails answers at once with the details that upstream adds to the next snapshot: one turn less for a
// model.
func webRequestDetails(seen *last) tool.Tool {
	s := spec("web_requestDetails", "Request details", "web_core")
	s.Platforms, s.Recordable, s.Output = []driver.Platform{driver.WebPlatform}, false, action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in detailsIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{Detail: in.Include}, false)
	})
}

type noIn struct{ action.Note }

func requestDetailedViewHierarchy(seen *last) tool.Tool {
	s := spec("requestDetailedViewHierarchy", "Request detailed view hierarchy").With(tool.Facts{
		Categories: []string{"OBSERVATION", "MOBILE"}, Replaces: "web_requestDetails",
	})
	s.Recordable, s.Output = false, action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, _ noIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{Detail: []string{"BOUNDS", "ALL_ELEMENTS"}}, false)
	})
}

type takeIn struct {
	ScreenName  string `json:"screenName" minLength:"1" jsonschema:"what to call this screen in the report"`
	Description string `json:"description,omitempty" jsonschema:"what it shows"`
	action.Note
}

func takeSnapshot(seen *last) tool.Tool {
	s := spec("takeSnapshot", "Take snapshot", "core_interaction", "observation").With(tool.Facts{
		Categories: []string{"CORE_INTERACTION", "OBSERVATION", "MOBILE"}, Purpose: tool.KeepScreen,
		Sentence: func(p tool.Phrase) string { return "Keep the screen " + p.Quoted("screenName") },
	})
	s.Output = action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in takeIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{ScreenName: in.ScreenName}, true)
	})
}

// state is a captured screen as data.
type state struct {
	Found    *bool          `json:"found,omitempty" jsonschema:"whether something on the screen matches what was looked for"`
	Name     string         `json:"name,omitempty"`
	URL      string         `json:"url,omitempty"`
	Title    string         `json:"title,omitempty"`
	Platform string         `json:"platform"`
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	Quality  screen.Quality `json:"quality"`
	Dialog   *screen.Dialog `json:"dialog,omitempty"`
	Text     string         `json:"text"`
}

// captureScreen is the query of this name in the public tool list: the screen as text and data, and its picture.
func captureScreen(seen *last) tool.Tool {
	s := unrecorded("captureScreen", "Capture screen")
	s.Output = action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, _ noIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{}, true)
	})
}

// capture takes a snapshot, and a picture when asked to.
func (l *last) capture(ctx context.Context, env tool.Env, in snapshotIn, picture bool) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return nil, fault.Wrap(err, "", "capture screen")
	}
	if in.Scope != "" && snap.ByRef(strings.Trim(in.Scope, "[]@")) == nil {
		return nil, fault.New(fault.NotFound, "capture screen", "there is no element %s to look into", in.Scope)
	}
	text := l.text(ctx, env, in, snap)
	st := state{
		Name: in.ScreenName, URL: snap.URL, Title: snap.Title, Platform: snap.Platform, Width: snap.Width,
		Height:  snap.Height,
		Quality: snap.Quality, Dialog: snap.Dialog, Text: text,
	}
	if in.Find != "" {
		st.Found = new(slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
			return line != "" && line[0] != '(' && line[0] != '"' // notes, and the page itself
		}))
	}
	r, err := tool.ValueResult(st, st.Text)
	if err != nil {
		return nil, err
	}
	r.Evidence = &tool.Evidence{Screen: snap, Checked: fmt.Sprintf("captured %s", snap.URL)}
	if !picture {
		return r, nil
	}
	img, err := dev.Screenshot(ctx, driver.ScreenshotOptions{MaxSize: maxSize})
	if err != nil {
		return nil, fault.Wrap(err, "", "take screenshot")
	}
	r.Content = append(r.Content, tool.Content{Type: "image", Data: img.Data, MIME: img.MIME})
	if gap := img.Gap(); gap != "" {
		r.Content = append(r.Content, tool.Content{Type: "text", Text: gap})
	}
	return r, nil
}

// text returns the text of a capture for the caller: no longer than they want; the whole is kept for them when it is
// longer.
func (l *last) text(ctx context.Context, env tool.Env, in snapshotIn, snap *screen.Snapshot) string {
	who := l.viewer(ctx, env.Memory())
	before := who.LastView()
	tell := func(most int) string {
		if in.Changes && before != nil {
			return text.Changes(diff.Between(before, snap), most)
		}
		return text.Of(snap, text.Options{MaxTokens: most, Detail: in.Detail, Find: in.Find, Scope: in.Scope,
			Since: before})
	}
	if in.Page > 0 {
		in.Detail = append(in.Detail, text.DetailOffscreen)
	}
	if in.Find == "" && in.Scope == "" && in.Page == 0 { // who saw a part has not seen the rest
		who.Show(snap)
	}
	bound := who.MaxTokens()
	most := in.MaxTokens
	if most == 0 || bound > 0 && most > bound {
		most = bound
	}
	whole := tell(0)
	if in.Page > 0 {
		return part(whole, in.Page, cmp.Or(most, partTokens))
	}
	if most == 0 || text.Tokens(whole) <= most {
		return whole
	}
	if in.MaxTokens > 0 && in.MaxTokens == most {
		return tell(most) // as asked for: nothing is amiss
	}
	where := who.Keep(whole)
	if where == "" {
		return tell(most)
	}
	note := fmt.Sprintf("(cut at %d of %d tokens; all of it: %s)\n", most, text.Tokens(whole), where)
	if left := most - text.Tokens(note); left > most/2 {
		return tell(left) + note
	}
	return tell(most)
}

// partTokens is the length of a part of a text where nothing says how long it may be.
const partTokens = 1500

// part is one of the parts of a text, each of whole lines and at most as long as said.
func part(all string, n, most int) string {
	parts := []string{""}
	for line := range strings.Lines(all) {
		last := len(parts) - 1
		if parts[last] != "" && text.Tokens(parts[last]+line) > most {
			parts, last = append(parts, ""), last+1
		}
		parts[last] += line
	}
	if n > len(parts) {
		return fmt.Sprintf("(there is no part %d; the last one is %d)\n", n, len(parts))
	}
	return strings.TrimRight(parts[n-1], "\n") + fmt.Sprintf("\n(part %d of %d)\n", n, len(parts))
}
