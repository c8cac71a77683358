package tools_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// BenchmarkClick tells what a tool call adds to the device's own action: finding the element, identity, evidence, log.
func BenchmarkClick(b *testing.B) {
	w := open(b, strings.Repeat(`<p>Some text <a href="#">and a link</a></p>`, 300)+
		`<button id=b onclick="this.textContent = 'Count ' + (window.n = (window.n || 0) + 1)" aria-label=Count>Count</button>`)
	w.do("web_click", args{"ref": `button "Count"`})
	ev := w.last.Evidence
	snap, err := w.dev.Snapshot(w.ctx(), driver.SnapshotOptions{})
	if err != nil {
		b.Fatal(err)
	}
	nodes, err := snap.Find(*ev.Selector)
	if err != nil || len(nodes) != 1 {
		b.Fatalf("%d buttons, %v", len(nodes), err)
	}
	b.Run("action", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.dev.Perform(b.Context(), driver.Tap{Target: driver.Target{Node: nodes[0].ID}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("capture and action", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.dev.Snapshot(b.Context(), driver.SnapshotOptions{}); err != nil {
				b.Fatal(err)
			}
			if _, err := w.dev.Perform(b.Context(), driver.Tap{Target: driver.Target{Node: nodes[0].ID}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tool", func(b *testing.B) {
		for b.Loop() {
			w.do("web_click", args{"nodeSelector": ev.Selector, "fingerprint": ev.Target})
		}
	})
}
