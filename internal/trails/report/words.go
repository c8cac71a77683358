package report

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// target names an element by its fingerprint.
func target(f *identity.Fingerprint) string {
	s := f.Role
	if f.Name != "" {
		s += fmt.Sprintf(" %q", f.Name)
	}
	if f.Role == "" {
		s = strings.TrimSpace(f.Tag + s)
	}
	if len(f.Within) > 0 {
		s += " in " + f.Within[0]
	}
	return s
}

func isPhone(platform string) bool { return platform == string(driver.AndroidPlatform) }

// changes lists what an action did, the weightiest first.
func changes(c driver.Changes, phone bool) []string {
	var out []string
	add := func(is bool, text string) {
		if is {
			out = append(out, text)
		}
	}
	document, page := "new document", "in the page"
	if phone {
		document, page = "another screen in front", "on the screen"
	}
	add(c.Navigation, document)
	add(c.URL && !c.Navigation, "URL changed")
	add(c.Tabs, "tabs changed")
	add(c.Dialog, "dialog")
	add(c.Download, "download")
	add(c.Value, "value changed")
	add(c.Verified, "state read back")
	add(c.Focus, "focus moved")
	add(c.Selection, "selection moved")
	add(c.Canvas, "the drawing changed")
	add(c.Scroll, "scrolled")
	add(c.Tree > 0, count(c.Tree, "change", "changes")+" "+page)
	add(c.Requests > 0, count(c.Requests, "request", "requests"))
	add(c.Focused && len(out) == 0, "focus given")
	add(c.Received && len(out) == 0, "event received")
	return out
}

func answered(accepted bool) string {
	if accepted {
		return "accepted"
	}
	return "dismissed"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
