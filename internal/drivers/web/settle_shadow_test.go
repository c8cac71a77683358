package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// panel is a component that opens and closes with an animation of its shadow tree and forgets what it was asked for
// while one plays, as components do.
const panel = `<x-panel></x-panel><script>
customElements.define('x-panel', class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: '%MODE%' });
    root.innerHTML = '<button>Toggle</button><p hidden>Inside</p>';
    const p = root.querySelector('p');
    const play = (from, to) => p.animate([{ opacity: from }, { opacity: to }], { duration: 350 }).finished;
    root.querySelector('button').onclick = async () => {
      document.body.dataset.log = (document.body.dataset.log || '') + (p.hidden ? 'open ' : 'close ');
      if (p.hidden) { p.hidden = false; await play(0, 1); } else { await play(1, 0); p.hidden = true; }
      document.body.dataset.log += 'done ';
    };
    window.button = root.querySelector('button');
  }
});
</script>`

// TestSettleAnimationInShadowTree proves that an action has not settled while an animation that it set off plays in a
// shadow tree: document.getAnimations does not list those.
func TestSettleAnimationInShadowTree(t *testing.T) {
	for _, mode := range []string{"open", "closed"} {
		t.Run(mode, func(t *testing.T) {
			d := actPage(t, strings.Replace(panel, "%MODE%", mode, 1))
			snap, err := d.Snapshot(deadline(t), driver.SnapshotOptions{})
			if err != nil {
				t.Fatal(err)
			}
			button := byName(t, snap, "button", "Toggle").ID
			for range 3 {
				perform(t, d, driver.Tap{Target: at(button)})
			}
			want(t, "the log", js(t, d, "document.body.dataset.log.trim()"), `"open done close done open done"`)
		})
	}
}
