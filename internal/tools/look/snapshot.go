package look

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type snapshotIn struct {
	ScreenName string   `json:"screenName,omitempty" jsonschema:"what to call this screen in the report"`
	Detail     []string `json:"detail,omitempty" enum:"BOUNDS,CSS_SELECTORS,OFFSCREEN_ELEMENTS,OCCLUDED_ELEMENTS,ALL_ELEMENTS" jsonschema:"what to tell beyond the common"`
	MaxTokens  int      `json:"maxTokens,omitempty" minimum:"50" jsonschema:"about how long the text may be; the least important is left out first"`
	Find       string   `json:"find,omitempty" jsonschema:"only elements that match this text, with what is around them"`
	Scope      string   `json:"scope,omitempty" jsonschema:"only what is in the element of this ref"`
	Changes    bool     `json:"changes,omitempty" jsonschema:"only what changed since the last snapshot of this session"`
	perform.Note
}

func webSnapshot(seen *last) tool.Tool {
	s := spec("web_snapshot", "Snapshot", "web_core")
	s.Platforms, s.Output = []driver.Platform{driver.WebPlatform}, perform.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in snapshotIn) (*tool.Result, error) {
		return seen.capture(ctx, env, in, false)
	})
}

type detailsIn struct {
	Include []string `json:"include" minItems:"1" enum:"BOUNDS,CSS_SELECTORS,OFFSCREEN_ELEMENTS,OCCLUDED_ELEMENTS" jsonschema:"what to tell beyond the common"`
	perform.Note
}

// webRequestDetails answers at once with what upstream adds to the next snapshot: one turn less for a model.
func webRequestDetails(seen *last) tool.Tool {
	s := spec("web_requestDetails", "Request details", "web_core")
	s.Platforms, s.Recordable, s.Output = []driver.Platform{driver.WebPlatform}, false, perform.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in detailsIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{Detail: in.Include}, false)
	})
}

type noIn struct{ perform.Note }

func requestDetailedViewHierarchy(seen *last) tool.Tool {
	s := spec("requestDetailedViewHierarchy", "Request detailed view hierarchy")
	s.Recordable, s.Output = false, perform.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, _ noIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{Detail: []string{"BOUNDS", "ALL_ELEMENTS"}}, false)
	})
}

type takeIn struct {
	ScreenName  string `json:"screenName" minLength:"1" jsonschema:"what to call this screen in the report"`
	Description string `json:"description,omitempty" jsonschema:"what it shows"`
	perform.Note
}

func takeSnapshot(seen *last) tool.Tool {
	s := spec("takeSnapshot", "Take snapshot", "core_interaction", "observation")
	s.Output = perform.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in takeIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{ScreenName: in.ScreenName}, true)
	})
}

// state is a captured screen as data (R29).
type state struct {
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

// captureScreen is the query of the founding documents (R29): the screen as text and data, and its picture.
func captureScreen(seen *last) tool.Tool {
	s := quiet("captureScreen", "Capture screen")
	s.Output = perform.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, _ noIn) (*tool.Result, error) {
		return seen.capture(ctx, env, snapshotIn{}, true)
	})
}

// capture takes a snapshot, and a picture when asked to.
func (l *last) capture(ctx context.Context, env tool.Env, in snapshotIn, picture bool) (*tool.Result, error) {
	dev, err := perform.Device(env)
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
	before := l.swap(env.Memory(), snap)
	text := snap.Text(screen.TextOptions{MaxTokens: in.MaxTokens, Detail: in.Detail, Find: in.Find, Scope: in.Scope})
	if in.Changes && before != nil {
		text = screen.Diff(before, snap).Text(in.MaxTokens)
	}
	st := state{
		Name: in.ScreenName, URL: snap.URL, Title: snap.Title, Platform: snap.Platform, Width: snap.Width, Height: snap.Height,
		Quality: snap.Quality, Dialog: snap.Dialog, Text: text,
	}
	r, err := tool.ValueResult(st, st.Text)
	if err != nil {
		return nil, err
	}
	r.Evidence = &tool.Evidence{Screen: snap, Checked: fmt.Sprintf("captured %s", snap.URL)}
	if !picture {
		return r, nil
	}
	img, err := dev.Screenshot(ctx, driver.ScreenshotOptions{})
	if err != nil {
		return nil, fault.Wrap(err, "", "take screenshot")
	}
	r.Content = append(r.Content, tool.Content{Type: "image", Data: img.Data, MIME: img.MIME})
	return r, nil
}
