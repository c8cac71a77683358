package tools_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const formPage = `
<label>Size <select id=s><option value=s>Small<option value=m>Medium<option value=l>Large</select></label>
<label>Tags <select id=m multiple><option>red<option>green<option>blue</select></label>
<label><input type=checkbox id=c onchange="out.textContent='changed '+c.checked"> Agree</label>
<label><input type=radio name=r id=r1> One</label><label><input type=radio name=r id=r2> Two</label>
<label>File <input type=file id=f multiple onchange="out.textContent=[...f.files].map(x=>x.name+':'+x.size).join()"></label>
<p id=out></p>`

func TestSelectOption(t *testing.T) {
	t.Parallel()
	w := open(t, formPage)
	for _, tt := range []struct{ by, want string }{{"Large", "l"}, {"m", "m"}, {"0", "s"}} {
		w.do("web_selectOption", args{"ref": `combobox "Size"`, "values": []string{tt.by}})
		w.is(`s.value`, tt.want)
	}
	w.do("web_selectOption", args{"ref": `listbox "Tags"`, "values": []string{"red", "blue"}})
	w.is(`[...m.selectedOptions].map(o => o.value).join()`, "red,blue")
	if _, err := w.call("web_selectOption", args{"ref": `combobox "Size"`, "values": []string{"Huge"}, "timeoutMs": 300}); err == nil {
		t.Error("an option that is not there was chosen")
	}
}

func TestSetChecked(t *testing.T) {
	t.Parallel()
	w := open(t, formPage)
	w.do("web_setChecked", args{"ref": `checkbox "Agree"`})
	w.is(`c.checked + ' ' + out.textContent`, "true changed true")
	w.js(`out.textContent = ''`)
	w.do("web_setChecked", args{"ref": `checkbox "Agree"`, "checked": true})
	w.is(`c.checked + ' ' + out.textContent`, "true ")
	if !w.last.Evidence.Effect.Changes.Verified {
		t.Error("a state that was so already is not evidence")
	}
	w.do("web_setChecked", args{"ref": `checkbox "Agree"`, "checked": false})
	w.is(`c.checked`, "false")
	w.do("web_setChecked", args{"ref": `radio "Two"`})
	w.is(`r2.checked`, "true")
}

func TestUploadFile(t *testing.T) {
	t.Parallel()
	w := open(t, formPage)
	w.file("a.txt", "hello")
	w.file("b.txt", "hi")
	w.do("web_uploadFile", args{"ref": "css=#f", "paths": []string{"a.txt", filepath.Join(w.root, "b.txt")}})
	w.is(`out.textContent`, "a.txt:5,b.txt:2")

	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	w.file(".env", "KEY=1")
	if err := os.MkdirAll(filepath.Join(w.root, "trails", "config"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.file("trails/config/policy.yaml", "profile: ci")
	if err := os.Symlink(".env", filepath.Join(w.root, "env.txt")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		kind       fault.Kind
	}{
		{"a hidden file", ".env", fault.Denied},
		{"a hidden file by its whole path", filepath.Join(w.root, ".env"), fault.Denied},
		{"a setting", "trails/./config/policy.yaml", fault.Denied},
		{"a link to a hidden file", "env.txt", fault.Denied},
		{"an absolute path elsewhere", outside, fault.Denied},
		{"a way up", "../x.txt", fault.Denied},
		{"a link that leads out", "link.txt", fault.Denied},
		{"nothing there", "none.txt", fault.NotFound},
		{"a folder", ".", fault.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.refuse(tt.kind, "web_uploadFile", args{"ref": "css=#f", "paths": []string{tt.path}})
			w.is(`out.textContent`, "a.txt:5,b.txt:2")
		})
	}
}
