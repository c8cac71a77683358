package network

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type eventIn struct {
	EventName string `json:"eventName" pattern:"\\S" jsonschema:"name of the analytics event, as it stands in the URL or the body of the request that reports it"`
	URL       string `json:"url,omitempty" jsonschema:"only requests whose URL contains this"`
	TimeoutMs int    `json:"timeoutMs,omitempty" minimum:"0" jsonschema:"how long to wait; default 5000"`
	action.Note
}

// CallTimeout implements tool.Timed.
func (in eventIn) CallTimeout() time.Duration {
	return action.Limit(action.Timeout(in.TimeoutMs, locator.AssertionTimeout))
}

// webAssertNetworkEvent waits until a request has reported the event.
func webAssertNetworkEvent() tool.Tool {
	s := web("web_assertNetworkEvent", "Assert network event", tool.Assertion).With(tool.Facts{
		Categories: []string{"VERIFICATION", "NETWORK"},
	})
	s.Groups, s.Output = []string{"web_verification"}, action.Output[driver.Request]()
	return tool.Define(s, func(ctx context.Context, env tool.Env, in eventIn) (*tool.Result, error) {
		net, err := action.Capability[driver.Network](env, "watch requests")
		if err != nil {
			return nil, err
		}
		var hit *driver.Request
		seen := 0
		_, ok, err := locator.Until(ctx, env.Device(), action.Timeout(in.TimeoutMs, locator.AssertionTimeout), nil,
			func(*screen.Snapshot) (bool, error) {
				list, err := net.Requests(ctx, 0)
				seen = len(list)
				for i := range list {
					if strings.Contains(list[i].URL, in.URL) && reports(list[i], in.EventName) {
						hit = &list[i]
						return true, nil
					}
				}
				return false, err
			})
		switch {
		case err != nil:
			return nil, fault.Wrap(err, "", "watch requests")
		case !ok:
			return nil, fault.New(fault.Assertion, "wait for network event", "none of %s reports %q",
				action.Plural(seen, "request"), in.EventName).
				WithDetail(fault.Detail{Looked: "a request that reports " + in.EventName})
		}
		text := fmt.Sprintf("%s %s reported %q.", hit.Method, hit.URL, in.EventName)
		r, err := tool.ValueResult(hit, text)
		if err == nil {
			r.Evidence = &tool.Evidence{Checked: text}
		}
		return r, err
	})
}

// reports searches for the event's name as a whole word in the URL and the body: "cart" is not reported by
// "cart_open".
func reports(r driver.Request, event string) bool {
	target, err := url.QueryUnescape(r.URL)
	if err != nil {
		target = r.URL
	}
	body, err := url.QueryUnescape(r.PostData)
	if err != nil {
		body = r.PostData
	}
	return containsWord(target, event) || containsWord(r.URL, event) || containsWord(body, event) ||
		containsWord(r.PostData, event)
}

func containsWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		if !nameByte(text, i-1) && !nameByte(text, i+len(word)) {
			return true
		}
		at = i + 1
	}
}

func nameByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
