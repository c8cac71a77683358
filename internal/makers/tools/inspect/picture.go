package inspect

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// maxSize limits the longer side of pictures that come with text, in px: models do not scale such a picture down.
const maxSize = 1536

type screenshotIn struct {
	Format     string `json:"format,omitempty" enum:"JPEG,PNG,WEBP" default:"JPEG" jsonschema:"of the picture"`
	Quality    int    `json:"quality,omitempty" minimum:"1" maximum:"100" jsonschema:"of JPEG and WEBP; default 80"`
	FullPage   bool   `json:"fullPage,omitempty" jsonschema:"the whole page, not only what is in view"`
	Ref        string `json:"ref,omitempty" jsonschema:"only this element, which must be in view"`
	MaxSize    int    `json:"maxDimension,omitempty" minimum:"16" jsonschema:"px of the longer side; default 1536"`
	ScreenName string `json:"screenName,omitempty" jsonschema:"what to call this screen in the report"`
	action.Note
}

// pictureOut describes the picture beside it.
type pictureOut struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
	MIME   string `json:"mime"`
	URL    string `json:"url,omitempty"`
}

// getScreenshot is the tool of that name from upstream.
func getScreenshot() tool.Tool {
	s := spec("getScreenshot", "Screenshot", "observation").With(tool.Facts{
		Categories: []string{"OBSERVATION", "MOBILE", "PRIMITIVES"},
	})
	s.Recordable, s.Output = false, action.Output[pictureOut]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in screenshotIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		o := driver.ScreenshotOptions{Format: strings.ToLower(in.Format), Quality: in.Quality, FullPage: in.FullPage,
			MaxSize: in.MaxSize}
		if o.MaxSize == 0 {
			o.MaxSize = maxSize
		}
		if in.Ref != "" {
			found, err := locator.Resolve(ctx, dev, locator.Query{Target: locator.Target{Ref: in.Ref}})
			if err != nil {
				return nil, err
			}
			if found.Node.Visibility != screen.Visible {
				return nil, fault.New(fault.NotFound, "take screenshot", "%s is not in view", found.Snapshot.ReplyName(found.Node)).
					WithHint("Scroll to it first, or take the whole page with fullPage.")
			}
			o.Clip = &found.Node.Bounds
		}
		img, err := dev.Screenshot(ctx, o)
		if err != nil {
			return nil, fault.Wrap(err, "", "take screenshot")
		}
		out := pictureOut{Width: img.Width, Height: img.Height, Bytes: len(img.Data), MIME: img.MIME}
		if nav, ok := driver.As[driver.Navigator](dev); ok {
			out.URL, _ = nav.URL(ctx) // a page that cannot say where it is still has a picture
		}
		r, err := tool.ValueResult(out,
			strings.TrimSpace(fmt.Sprintf("%d × %d px, %d kB\n%s", out.Width, out.Height, (out.Bytes+1023)/1024, img.Gap())))
		if err != nil {
			return nil, err
		}
		r.Content = append(r.Content, tool.Content{Type: "image", Data: img.Data, MIME: img.MIME})
		return r, nil
	})
}

type hierarchyIn struct {
	Verbosity string `json:"verbosity,omitempty" enum:"MINIMAL,STANDARD,FULL" default:"STANDARD" jsonschema:"MINIMAL: the essentials; STANDARD: what is in view; FULL: all, with where it is"`
	MaxTokens int    `json:"maxTokens,omitempty" minimum:"50" jsonschema:"bound of the text; the least important is left out first"`
	Find      string `json:"find,omitempty" jsonschema:"only elements that match this text or regex, with what is around them"`
	Changes   bool   `json:"changes,omitempty" jsonschema:"only what changed since you last looked"`

	Scope      string   `json:"scope,omitempty" jsonschema:"only what is in the element of this ref"`
	Detail     []string `json:"detail,omitempty" enum:"BOUNDS,CSS_SELECTORS,OFFSCREEN_ELEMENTS,ALL_ELEMENTS" jsonschema:"what to tell beyond the common"`
	Screenshot bool     `json:"screenshot,omitempty" jsonschema:"with a picture"`
	action.Note
}

const minimalTokens = 600 // of a MINIMAL view

// viewHierarchy is the tool of that name from upstream: a snapshot on every platform.
func viewHierarchy(seen *last) tool.Tool {
	s := spec("viewHierarchy", "View hierarchy", "observation").With(tool.Facts{
		Categories: []string{"OBSERVATION", "MOBILE", "PRIMITIVES"}, Default: 5, Replaces: "web_snapshot",
		Purpose: tool.TakeSnapshot, Unlisted: []string{"scope", "detail", "screenshot"},
	})
	s.Recordable, s.Output = false, action.Output[state]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in hierarchyIn) (*tool.Result, error) {
		look := snapshotIn{MaxTokens: in.MaxTokens, Find: in.Find, Changes: in.Changes, Scope: in.Scope, Detail: in.Detail}
		switch in.Verbosity {
		case "FULL":
			look.Detail = []string{"BOUNDS", "ALL_ELEMENTS"}
		case "MINIMAL":
			if look.MaxTokens == 0 || look.MaxTokens > minimalTokens {
				look.MaxTokens = minimalTokens
			}
		}
		return seen.capture(ctx, env, look, in.Screenshot)
	})
}
