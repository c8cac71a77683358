package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// panel is a component that opens and closes with an animation of its shadow tree and forgets what
// it was asked for while one plays, as components do.
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

// TestSettleAnimationInShadowTree proves that an action has not settled while an animation that it
// set off plays in a shadow tree: document.getAnimations does not list those.
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

// TestFadingInShadowTreeIsSeen proves that a second capture looks again at what an animation in a
// shadow tree changed, although nothing in the tree did.
func TestFadingInShadowTreeIsSeen(t *testing.T) {
	d := actPage(t, `<x-y></x-y><script>
const root = document.querySelector('x-y').attachShadow({mode: 'open'});
root.innerHTML = '<p>Paid</p>';
const fade = root.querySelector('p').animate([{opacity: 0}, {opacity: 0, offset: .99}, {opacity: 1}], {duration: 1000});
fade.pause();
window.go = () => { fade.play(); return fade.finished.then(() => true); };
</script>`)
	look := func() screen.Visibility {
		snap, err := d.Snapshot(deadline(t), driver.SnapshotOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range snap.FindText("Paid") {
			return n.Visibility
		}
		t.Fatal("the text is not on the screen")
		return 0
	}
	if got := look(); got != screen.Transparent {
		t.Errorf("before it fades in the text is %v, want transparent", got)
	}
	if _, err := d.Evaluate(deadline(t), "window.go()", 0); err != nil {
		t.Fatal(err)
	}
	if got := look(); got != screen.Visible {
		t.Errorf("after it has faded in the text is %v, want visible", got)
	}
}
