package page

import (
	"context"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type urlOut struct {
	URL   string `json:"url" jsonschema:"of the active tab"`
	Title string `json:"title,omitempty"`
}

// Text implements tool.Texter.
func (o urlOut) Text() string {
	if o.Title == "" {
		return o.URL
	}
	return fmt.Sprintf("%s (%s)", o.URL, o.Title)
}

func webCurrentURL() tool.Tool {
	return tool.Define(web("web_currentUrl", "Current URL", tool.Query),
		func(ctx context.Context, env tool.Env, _ action.NoInput) (urlOut, error) {
			nav, err := action.Capability[driver.Navigator](env, "read current URL")
			if err != nil {
				return urlOut{}, err
			}
			here, err := nav.URL(ctx)
			if err != nil {
				return urlOut{}, fault.Wrap(err, "", "read current URL")
			}
			return urlOut{URL: here}, nil
		})
}

type waitForURLIn struct {
	Pattern   string `json:"pattern" pattern:"\\S" jsonschema:"regular expression that some part of the URL must match"`
	TimeoutMs int    `json:"timeoutMs,omitempty" minimum:"0" default:"30000" jsonschema:"how long to wait"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in waitForURLIn) CallTimeout() time.Duration {
	return action.Limit(time.Duration(in.TimeoutMs) * time.Millisecond)
}

func webWaitForURL() tool.Tool {
	s := web("web_waitForUrl", "Wait for URL", tool.Assertion).With(tool.Facts{
		Categories: []string{"NAVIGATION", "VERIFICATION"}, Purpose: tool.AwaitAddress,
		Sentence: func(p tool.Phrase) string { return "The address is " + p.Plain("pattern") },
	})
	s.Output = action.Output[urlOut]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in waitForURLIn) (*tool.Result, error) {
		dev, err := action.Device(env)
		if err != nil {
			return nil, err
		}
		re, err := regex.Compile(in.Pattern, regex.Search)
		if err != nil {
			return nil, err
		}
		snap, ok, err := locator.Until(ctx, dev, time.Duration(in.TimeoutMs)*time.Millisecond, nil,
			func(s *screen.Snapshot) (bool, error) {
				return re.Match(ctx, s.URL)
			})
		ev := &tool.Evidence{Screen: snap}
		switch {
		case err != nil:
			return &tool.Result{Evidence: ev}, fault.Wrap(err, "", "wait for URL")
		case !ok:
			return &tool.Result{Evidence: ev},
				fault.New(fault.Assertion, "wait for URL", "the URL is %s and does not match %s", snap.URL, in.Pattern).
					WithDetail(fault.Detail{Looked: "URL matching " + in.Pattern, Candidates: []string{snap.URL}})
		}
		ev.Checked = fmt.Sprintf("the URL %s matches %s", snap.URL, in.Pattern)
		r, err := tool.ValueResult(urlOut{URL: snap.URL, Title: snap.Title}, "The URL is "+snap.URL+".")
		if err == nil {
			r.Evidence = ev
		}
		return r, err
	})
}
