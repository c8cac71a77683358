package network

import (
	"context"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type requestsIn struct {
	Filter string `json:"filter,omitempty" jsonschema:"only requests whose URL contains this"`
	Type   string `json:"type,omitempty" jsonschema:"only requests of this type: document, xhr, fetch, script, image and so on"`
	Failed bool   `json:"failed,omitempty" jsonschema:"only requests that failed or were answered with 400 and above"`
	Since  uint64 `json:"since,omitempty" jsonschema:"only requests after this sequence number"`
	Limit  int    `json:"limit,omitempty" minimum:"1" default:"50" jsonschema:"the newest so many"`
	action.Note
}

type requestsOut struct {
	Requests []driver.Request `json:"requests"`
	Omitted  int              `json:"omitted,omitempty" jsonschema:"older matches that the limit, or the size of a reply, left out"`
}

// longestURL bounds a URL in the text, in characters; the value has it whole.
const longestURL = 1000

// Text implements tool.Texter.
func (o requestsOut) Text() string {
	var b strings.Builder
	b.WriteString(omission(o.Omitted, "request", "filter"))
	for _, r := range o.Requests {
		fmt.Fprintf(&b, "#%d %s %s %s%s\n", r.Seq, outcome(r), r.Method, phrase.Clip(r.URL, longestURL), mocked(r))
	}
	if b.Len() == 0 {
		return "No such request."
	}
	return strings.TrimRight(b.String(), "\n")
}

func outcome(r driver.Request) string {
	switch {
	case r.Error != "":
		return "failed (" + r.Error + ")"
	case r.Status != 0:
		return fmt.Sprint(r.Status)
	case r.Done:
		return "done"
	}
	return "pending"
}

func mocked(r driver.Request) string {
	if r.Mocked {
		return " (mocked)"
	}
	return ""
}

func webRequests() tool.Tool {
	return tool.Define(devtools("web_requests", "List requests", tool.Query),
		func(ctx context.Context, env tool.Env, in requestsIn) (out requestsOut, err error) {
			out.Requests, out.Omitted, err = lately(env, "list requests", in.Limit,
				func(n driver.Network) ([]driver.Request, error) { return n.Requests(ctx, in.Since) },
				func(r driver.Request) bool {
					return strings.Contains(r.URL, in.Filter) && (in.Type == "" || strings.EqualFold(r.Type, in.Type)) &&
						(!in.Failed || r.Error != "" || r.Status >= 400)
				})
			return out, err
		})
}
