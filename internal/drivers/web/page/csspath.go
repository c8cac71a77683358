package page

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// cssPaths sets for every element a CSS selector that is unique in its document and likely to stay so: by its test id,
// or by an id that a person chose. Every element with either is in the tree, so that the tree shows which are unique.
func cssPaths(root *screen.Node) {
	count := map[string]int{}
	var each func(n *screen.Node, f func(w *screen.Web))
	each = func(n *screen.Node, f func(w *screen.Web)) {
		if w, ok := n.Native.(*screen.Web); ok && (w.TestID != "" || w.HTMLID != "") {
			f(w)
		}
		for _, c := range n.Children {
			each(c, f)
		}
	}
	each(root, func(w *screen.Web) {
		count["t"+w.TestID]++
		count["i"+w.HTMLID]++
	})
	each(root, func(w *screen.Web) {
		switch {
		case w.TestID != "" && count["t"+w.TestID] == 1:
			w.CSS = `[data-testid="` + quote(w.TestID) + `"]`
		case w.HTMLID != "" && count["i"+w.HTMLID] == 1 && stable(w.HTMLID):
			w.CSS = byHTMLID(w.HTMLID)
		}
	})
}

var quote = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace

var plainID = regex.Lazy(`^[A-Za-z_][\w-]*$`)

func byHTMLID(id string) string {
	if plainID().MatchString(id) {
		return "#" + id
	}
	return `[id="` + quote(id) + `"]`
}

// made matches ids that frameworks count up or draw at random; they change with the next render.
var made = regex.Lazy(`(?i)^:|:$|\d{4,}|[0-9a-f]{8,}|^(radix|headlessui|mui|react-aria|ember|ext-gen|` +
	`yui|rc|el-id|downshift|cdk|mat)[-_:]?.*\d|[-_:]r\d+[-_:]?|__BVID__`)

func stable(id string) bool { return len(id) <= 60 && !made().MatchString(id) }
