package page

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type tabsOut struct {
	Tabs []driver.Tab `json:"tabs"`
}

// Text implements tool.Texter.
func (o tabsOut) Text() string {
	var b strings.Builder
	for _, t := range o.Tabs {
		mark := " "
		if t.Active {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s %s %q\n", mark, t.ID, t.URL, t.Title)
	}
	if b.Len() == 0 {
		return "No tab is open."
	}
	return strings.TrimRight(b.String(), "\n")
}

func webListTabs() tool.Tool {
	return tool.Define(web("web_listTabs", "List tabs", tool.Query).With(tool.Facts{
		Categories: []string{"TABS"}, Occasion: tool.AtTabs,
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (tabsOut, error) {
		tabs, err := action.Capability[driver.Tabs](env, "list tabs")
		if err != nil {
			return tabsOut{}, err
		}
		list, err := tabs.Tabs(ctx)
		return tabsOut{Tabs: list}, fault.Wrap(err, "", "list tabs")
	})
}

type newTabIn struct {
	URL string `json:"url,omitempty" jsonschema:"what to open in it; default an empty page"`
	action.Expect
	action.Note
}

func webNewTab(root string) tool.Tool {
	return action.Define(web("web_newTab", "New tab", tool.Action).With(tool.Facts{
		Categories: []string{"TABS"}, Effects: &tool.Effects{Opens: []string{"url"}}, Purpose: tool.OpenTab,
		Sentence: func(p tool.Phrase) string { return "Open a tab" + tool.Join(" with ", p.Plain("url")) },
	}), func(ctx context.Context, env tool.Env, in newTabIn) (*tool.Result, error) {
		tabs, err := action.Capability[driver.Tabs](env, "open tab")
		if err != nil {
			return nil, err
		}
		to := ""
		if in.URL != "" {
			if to, err = absolute(in.URL, placesOf(ctx, env, "", root)); err != nil {
				return nil, err
			}
		}
		tab, err := tabs.NewTab(ctx, to)
		if err != nil {
			return nil, fault.Wrap(err, "", "open tab")
		}
		r := tool.TextResult("Opened tab %s (%s). It is the active one now.", tab.ID, tab.URL)
		r.Evidence = switched(tab.URL, tab.ID)
		return r, nil
	})
}

// switched is the evidence of another tab being on the screen.
func switched(url string, opened ...string) *tool.Evidence {
	return &tool.Evidence{Effect: &driver.Effect{URL: url, NewTabs: opened, Changes: driver.Changes{Tabs: true},
		Settle: driver.Settle{Reason: "quiet"}}}
}

type switchTabIn struct {
	Tab   string `json:"tab,omitempty" jsonschema:"id of the tab, as web_listTabs prints it"`
	Index *int   `json:"index,omitempty" minimum:"0" jsonschema:"instead of tab: its place in opening order, from 0"`
	URL   string `json:"url,omitempty" jsonschema:"instead of tab: part of its URL"`
	Title string `json:"title,omitempty" jsonschema:"instead of tab: part of its title"`
	action.Note
}

func webSwitchTab() tool.Tool {
	return action.Define(web("web_switchTab", "Switch tab", tool.Action).With(tool.Facts{
		Categories: []string{"TABS"}, Idempotent: true, Purpose: tool.SwitchTab,
		Occasion: tool.AtTabs, Sentence: tool.Always("Switch to another tab"),
	}), func(ctx context.Context, env tool.Env, in switchTabIn) (*tool.Result, error) {
		tabs, err := action.Capability[driver.Tabs](env, "switch tab")
		if err != nil {
			return nil, err
		}
		tab, at, err := in.find(ctx, tabs)
		if err != nil {
			return nil, err
		}
		if err := tabs.SwitchTab(ctx, tab.ID); err != nil {
			return nil, fault.Wrap(err, "", "switch tab")
		}
		r := tool.TextResult("Tab %s (%s) is the active one now.", tab.ID, tab.URL)
		r.Evidence, r.Record = switched(tab.URL), in.durable(at)
		return r, nil
	})
}

func webCloseTab() tool.Tool {
	return action.Define(web("web_closeTab", "Close tab", tool.Action).With(tool.Facts{
		Categories: []string{"TABS"}, Purpose: tool.CloseTab,
		Occasion: tool.AtTabs, Sentence: tool.Always("Close the tab"),
	}), func(ctx context.Context, env tool.Env, in switchTabIn) (*tool.Result, error) {
		tabs, err := action.Capability[driver.Tabs](env, "close tab")
		if err != nil {
			return nil, err
		}
		tab, at, err := in.find(ctx, tabs)
		if err == nil && !in.says() {
			err = alone(ctx, tabs, tab)
		}
		if err != nil {
			return nil, err
		}
		if err := tabs.CloseTab(ctx, tab.ID); err != nil {
			return nil, fault.Wrap(err, "", "close tab")
		}
		r := tool.TextResult("Closed tab %s (%s).", tab.ID, tab.URL)
		r.Evidence, r.Record = switched(""), in.durable(at)
		return r, nil
	})
}

// find returns the tab that is meant; without any argument the active one. Several are an error: with a guess the
// caller would act on the wrong page.
func (in switchTabIn) find(ctx context.Context, tabs driver.Tabs) (tab driver.Tab, at int, err error) {
	list, err := tabs.Tabs(ctx)
	if err != nil {
		return driver.Tab{}, 0, fault.Wrap(err, "", "list tabs")
	}
	hits := 0
	for i, t := range list {
		if in.matches(i, t) {
			tab, at = t, i
			hits++
		}
	}
	open := tabsOut{list}.Text()
	switch hits {
	case 0:
		return driver.Tab{}, 0, fault.New(fault.NotFound, "find tab", "no such tab").
			WithDetail(fault.Detail{Looked: "tab " + in.Tab + in.URL + in.Title, Candidates: strings.Split(open, "\n")}).
			WithHint("Open tabs:\n%s", open)
	case 1:
		return tab, at, nil
	}
	return driver.Tab{}, 0, fault.New(fault.Invalid, "find tab", "%d tabs match", hits).WithHint("Open tabs:\n%s", open)
}

// durable names the tab by its place: an id means nothing in another session.
func (in switchTabIn) durable(at int) *tool.Call {
	if in.Tab == "" {
		return nil
	}
	return action.Patch("", map[string]any{"tab": nil, "index": at})
}

// says reports whether a tab is named at all.
func (in switchTabIn) says() bool {
	return in.Tab != "" || in.Index != nil || in.URL != "" || in.Title != ""
}

// alone refuses to close a tab without a name when it has opened others: one of those may be meant. A replay then
// tries the one that was opened last.
func alone(ctx context.Context, tabs driver.Tabs, tab driver.Tab) error {
	list, err := tabs.Tabs(ctx)
	if err != nil {
		return fault.Wrap(err, "", "list tabs")
	}
	for _, t := range list {
		if t.Opener == tab.ID {
			return fault.New(fault.NotFound, "find tab",
				"the call does not say which tab to close, and tab %s has opened tab %s", tab.ID, t.ID).
				WithHint("Name it. Open tabs:\n%s", tabsOut{list}.Text())
		}
	}
	return nil
}

func (in switchTabIn) matches(i int, t driver.Tab) bool {
	switch {
	case in.Tab != "":
		return t.ID == in.Tab
	case in.Index != nil:
		return i == *in.Index
	case in.URL != "":
		return strings.Contains(t.URL, in.URL)
	case in.Title != "":
		return strings.Contains(t.Title, in.Title)
	}
	return t.Active
}

type frame struct {
	Frame int    `json:"frame" jsonschema:"number of the frame; 0 is the page itself"`
	Ref   string `json:"ref,omitempty" jsonschema:"of the iframe element"`
	Name  string `json:"name,omitempty"`
	Nodes int    `json:"nodes" jsonschema:"how many elements of it the snapshot holds"`
}

type framesOut struct {
	Frames []frame `json:"frames"`
}

// Text implements tool.Texter.
func (o framesOut) Text() string {
	var b strings.Builder
	for _, f := range o.Frames {
		fmt.Fprintf(&b, "frame %d %s %q: %s\n", f.Frame, f.Ref, f.Name, action.Plural(f.Nodes, "element"))
	}
	if b.Len() == 0 {
		return "The page has no frames."
	}
	return b.String() + "Elements in frames are addressed by ref like all others."
}

// webListFrames lists the frames. There is nothing to switch to: a ref reaches into every frame.
func webListFrames() tool.Tool {
	return tool.Define(devtools("web_listFrames", "List frames", tool.Query).With(tool.Facts{
		Categories: []string{"TABS"},
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (framesOut, error) {
		dev, err := action.Device(env)
		if err != nil {
			return framesOut{}, err
		}
		snap, err := dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			return framesOut{}, fault.Wrap(err, "", "capture screen")
		}
		return framesOut{Frames: frames(snap)}, nil
	})
}

func frames(snap *screen.Snapshot) []frame {
	out := []frame{}
	for _, n := range snap.Below(snap.Root) {
		web, ok := n.Native.(*screen.Web)
		if !ok || web.Tag != "iframe" && web.Tag != "frame" {
			continue
		}
		f := frame{Ref: n.Ref, Name: n.Name}
		for _, c := range snap.Below(n)[1:] {
			if w, ok := c.Native.(*screen.Web); ok && f.Nodes == 0 {
				f.Frame = w.Frame
			}
			f.Nodes++
		}
		out = append(out, f)
	}
	return out
}
