package page_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const wholeTree = "H\t1\t0\t12800\t8000\t0\t0\t3\tcomplete\thttp://x/\tTi\\ntle\n" +
	"N\t1\t2\t0\t0\t12800\t8000\t\t\tdocument\t0\tGhtml\tnTi\\ntle\n" +
	"N\t2\t0\t10\t20\t305\t40\t1\t0,12,0,0\tbutton\t512\tGbutton\tnSa\\tve\tT\n" +
	"N\t3\t1\t-15\t0\t1\t1\t\t\tlist\t0\tGul\n" +
	"N\t4\t0\t0\t0\t1\t1\t5\t\tlistitem\t0\tGli\ttone\\\\two\n"

func TestApply(t *testing.T) {
	t.Parallel()
	var d page.Document
	d.Request([]string{".a", "b["}, false)
	if err := d.Apply(wholeTree + "F\t2\t10\t10\t20\t20\nQ\t0\t2\t4\nE\t1\tbad\\tone\n"); err != nil {
		t.Fatal(err)
	}
	root := d.Tree()
	b := root.Children[0]
	if root.Name != "Ti\ntle" || b.Name != "Sa\tve" || b.Text != b.Name || b.Bounds != (screen.Rect{X: 1, Y: 2, W: 30.5, H: 4}) ||
		b.Visibility != screen.Offscreen || b.Scroll.Below != 12 {
		t.Errorf("tree = %s", outline(root, 0))
	}
	if got := root.Children[1].Children[0].Text; got != `one\two` {
		t.Errorf("text = %q", got)
	}
	if ids, _ := d.Matches(".a"); len(ids) != 2 || ids[1] != 4 {
		t.Errorf("matches = %v", ids)
	}
	if _, why := d.Matches("b["); why != "bad\tone" {
		t.Errorf("invalid = %q", why)
	}
	if d.Info.Focus != 3 || len(d.Info.Frames) != 1 || d.Info.Width != 1280 {
		t.Errorf("info = %+v", d.Info)
	}
	if err := d.Apply("H\t2\t1\t1\t1\t0\t0\t0\tcomplete\tu\tt\nU\t9\t0\t0\t10\t10\t\t\tlink\t0\tnNew\nK\t1\t9\t2\nM\t2\t50\t0\t10\t10\t\t\n"); err != nil {
		t.Fatal(err)
	}
	now := d.Tree()
	if len(now.Children) != 2 || now.Children[0].Name != "New" || now.Children[1].Bounds.X != 5 || now.Children[1].Name != "Sa\tve" {
		t.Errorf("after delta: %s", outline(now, 0))
	}
	if len(root.Children) != 2 || root.Children[0].Bounds.X != 1 {
		t.Error("a tree handed out earlier changed")
	}
	if err := d.Apply("H\t9\t7\t1\t1\t0\t0\t0\tcomplete\tu\tt\n"); !errors.Is(err, page.ErrStale) {
		t.Errorf("delta against another version: %v, want ErrStale", err)
	}
	if d.Tree() == nil {
		t.Error("a stale delta destroyed the mirror")
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	head := "H\t1\t0\t1\t1\t0\t0\t0\tcomplete\tu\tt\n"
	for name, in := range map[string]string{
		"empty": "", "no header": "N\t1\n", "bad number": "H\tx\t0\t1\n", "early end": head + "N\t1\t2\t0\t0\t0\t0\t\t\tdocument\t0\n",
		"two roots":    head + "N\t1\t0\t0\t0\t0\t0\t\t\ta\t0\nN\t2\t0\t0\t0\t0\t0\t\t\ta\t0\n",
		"twice":        head + "N\t1\t1\t0\t0\t0\t0\t\t\ta\t0\nN\t1\t0\t0\t0\t0\t0\t\t\ta\t0\n",
		"unknown kind": head + "Z\n", "unknown field": head + "N\t1\t0\t0\t0\t0\t0\t\t\ta\t0\t?x\n",
		"moved stranger": head + "M\t5\t0\t0\t0\t0\t\t\n", "kids of stranger": head + "K\t5\t6\n",
	} {
		var d page.Document
		if err := d.Apply(in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestCycle proves that a delta cannot tie the tree into a knot.
func TestCycle(t *testing.T) {
	t.Parallel()
	var d page.Document
	if err := d.Apply(wholeTree); err != nil {
		t.Fatal(err)
	}
	if err := d.Apply("H\t2\t1\t1\t1\t0\t0\t0\tcomplete\tu\tt\nK\t3\t1\n"); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("err = %v", err)
	}
	if d.Request(nil, false).Have != 0 {
		t.Error("a broken mirror still claims a version")
	}
}

func FuzzApply(f *testing.F) {
	f.Add(wholeTree, "H\t2\t1\t1\t1\t0\t0\t0\tcomplete\tu\tt\nU\t9\t0\t0\t10\t10\t\t\tlink\t0\tnNew\nK\t1\t9\t2\n")
	f.Add(wholeTree, "H\t2\t1\t1\t1\t0\t0\t0\tcomplete\tu\tt\nK\t3\t1\n")
	f.Add("H\t1\t0\n", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		var d page.Document
		if d.Apply(a) == nil {
			d.Tree()
		}
		if d.Apply(b) == nil {
			d.Tree()
		}
		_ = d.Request([]string{a, b}, true)
	})
}
