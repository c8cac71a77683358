package android

import "testing"

const dump = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="1"><node class="android.widget.FrameLayout" ` +
	`package="app" enabled="true" bounds="[0,0][1080,2400]"><node class="android.widget.EditText" text="Ann" resource-id="app:id/name" ` +
	`enabled="true" focused="true" clickable="true" bounds="[10,20][300,90]" /><node class="android.widget.Button" text="Save" ` +
	`enabled="true" clickable="true" bounds="[10,100][300,190]" /></node></hierarchy>`

// The dump of uiautomator becomes the same tree that the helper gives.
func TestParseDump(t *testing.T) {
	tr, err := parseDump([]byte(dump), box{0, 0, 1080, 2400})
	if err != nil {
		t.Fatal(err)
	}
	tr.link()
	root := tr.Windows[0].Root
	name, save := root.Kids[0], root.Kids[1]
	if tr.Rotation != 1 || !name.F.has(editable|focused) || value(name) != "Ann" || role(save) != "button" ||
		save.B != (box{10, 100, 300, 190}) || nameOf(save) != "Save" {
		t.Errorf("%+v %+v", name, save)
	}
	if _, err := parseDump([]byte("ERROR: null root node"), box{}); err == nil {
		t.Error("no tree is no error")
	}
}

func FuzzParseDump(f *testing.F) {
	f.Add([]byte(dump))
	f.Add([]byte("<hierarchy><node bounds='[x'/></hierarchy>"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if tr, err := parseDump(data, box{0, 0, 100, 100}); err == nil {
			tr.link()
			tr.each(func(n *node) { _ = tr.visibility(n) })
		}
	})
}
