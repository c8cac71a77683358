package observe

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// These limit the errors of the console in a reply: so many different errors, the newest, each cut at so many
// characters.
const maxErrors, errorText = 3, 120

// errors is one line about what went wrong in the pages since this client's last reply: uncaught errors, errors in the
// console, and requests that failed; "" when nothing did. at is the address of the page, whose origin is left out.
func (o *Observer) errors(ctx context.Context, dev driver.Device, client, at string) string {
	c, ok := driver.As[driver.Console](dev)
	if !ok {
		return ""
	}
	o.mu.Lock()
	since := o.lastViews[client].console
	o.mu.Unlock()
	list, err := c.ConsoleMessages(ctx, since)
	if err != nil || len(list) == 0 {
		return ""
	}
	o.mu.Lock()
	l := o.lastViews[client]
	l.console = list[len(list)-1].Seq
	o.lastViews[client] = l
	o.mu.Unlock()
	return errorLine(list, driver.Origin(at))
}

func errorLine(list []driver.ConsoleMessage, origin string) string {
	var texts []string
	times, all := map[string]int{}, 0
	for _, m := range list {
		if !m.Failure() {
			continue
		}
		text, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		if origin != "" {
			text = strings.ReplaceAll(text, origin+"/", "/")
		}
		if r := []rune(text); len(r) > errorText {
			text = string(r[:errorText-1]) + "…"
		}
		all++
		if times[text]++; times[text] == 1 {
			texts = append(texts, text)
		}
	}
	if all == 0 {
		return ""
	}
	var told []string
	for _, text := range texts[max(0, len(texts)-maxErrors):] {
		t := strconv.Quote(text)
		if n := times[text]; n > 1 {
			t += fmt.Sprintf(" (%d times)", n)
		}
		told = append(told, t)
	}
	if more := len(texts) - maxErrors; more > 0 {
		told = append(told, fmt.Sprintf("and %d more before", more))
	}
	what := "1 error"
	if all > 1 {
		what = fmt.Sprintf("%d errors", all)
	}
	return "! " + what + " logged: " + strings.Join(told, ", ") + "\n"
}
