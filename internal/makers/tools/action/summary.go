package action

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// singly limits the things of a kind that get a sentence each.
const singly = 3

// Summary describes the changes by an action, in short sentences.
func Summary(e *driver.Effect) string {
	if e == nil {
		return ""
	}
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	c := e.Changes
	switch {
	case c.Navigation && e.URL == "":
		add("Another screen is in front.")
	case c.Navigation || c.URL:
		add("The page is now %s%s.", e.URL, status(e.Status))
		if e.Failed != "" {
			add("It did not load (%s).", e.Failed)
		}
	}
	if c.Value && e.Value != "" {
		add("Its value is now %q.", e.Value)
	}
	brought(e, add)
	if rest := minor(c); rest != "" {
		add("%s.", rest)
	}
	switch {
	case !c.Any():
		add("Nothing observable changed%s%s.", when(c.Focused, " but the focus"),
			when(len(e.Errors) > 0, ", and the page reported an error"))
	case len(out) == 0:
		add("It is as asked for.")
	}
	if e.Settle.Reason == "busy" {
		add("The page never came to rest (%s).", strings.Join(e.Settle.Pending, ", "))
	}
	if len(e.Retries) > 0 {
		add("Before it was sent: %s.", strings.Join(e.Retries, "; "))
	}
	return strings.Join(out, " ")
}

// brought describes the tabs, dialogs and files that an action opened.
func brought(e *driver.Effect, add func(format string, args ...any)) {
	if n := len(e.NewTabs); n > singly {
		add("It opened %d tabs, %s to %s.", n, e.NewTabs[0], e.NewTabs[n-1])
	} else {
		for _, id := range e.NewTabs {
			add("It opened tab %s; web_switchTab goes on there.", id)
		}
	}
	for _, d := range e.Dialogs[:min(len(e.Dialogs), singly)] {
		add("A %s dialog came up (%q) and was %s.", d.Type, d.Message, answered(d))
	}
	if more := len(e.Dialogs) - singly; more > 0 {
		add("%s came up after it.", Plural(more, "more dialog"))
	}
	for _, f := range e.Files[:min(len(e.Files), singly)] {
		add("It downloaded %s.", f.Name)
	}
	if more := len(e.Files) - singly; more > 0 {
		add("It downloaded %s.", Plural(more, "more file"))
	}
}

func when(so bool, text string) string {
	if !so {
		return ""
	}
	return text
}

func status(code int) string {
	if code == 0 || code == 200 {
		return ""
	}
	return fmt.Sprintf(" (HTTP %d)", code)
}

func answered(d driver.DialogEvent) string {
	switch {
	case !d.Accepted:
		return "dismissed"
	case d.Answer != "":
		return fmt.Sprintf("answered %q", d.Answer)
	}
	return "accepted"
}

// minor counts the changes that have no sentence of their own.
func minor(c driver.Changes) string {
	var parts []string
	if c.Tree > 0 && !c.Navigation {
		parts = append(parts, Plural(c.Tree, "change")+" on the screen")
	}
	if c.Requests > 0 && !c.Navigation {
		parts = append(parts, Plural(c.Requests, "request"))
	}
	if c.Canvas {
		parts = append(parts, "the drawing changed")
	}
	if c.Scroll {
		parts = append(parts, "scrolled")
	}
	if c.Focus {
		parts = append(parts, "focus moved")
	}
	if c.Selection && !c.Value && !c.Focus {
		parts = append(parts, "selection moved")
	}
	s := strings.Join(parts, ", ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Plural is a number of things: "1 request", "2 requests".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
