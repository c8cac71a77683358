package policy

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestBesideTheDevice: files and hosts that a built-in tool reaches without the browser are decided about like all
// others, before the call, and a host once more by the address that it is connected to.
func TestBesideTheDevice(t *testing.T) {
	here := serve(t, "127.0.0.1:0")
	base := "http://" + here.addr
	credentials := "http://169.254.169.254/latest"
	name, addr := nameOfOwn(t)
	named := serve(t, addr)
	u, err := url.Parse("http://" + named.addr)
	if err != nil {
		t.Fatal(err)
	}
	byName := "http://" + name + ":" + u.Port()
	for _, test := range []struct {
		name, file, tool string
		args             map[string]any
		denied           string // the rule; "": allowed
	}{
		{"a host", "", "httpGet", map[string]any{"url": base}, ""},
		{"a denied host", "hosts: {deny: [127.0.0.1]}", "httpGet", map[string]any{"url": base}, "hosts.deny"},
		{"a host that is not listed", "hosts: {allow: [shop.test]}", "httpSend", map[string]any{"url": base}, "hosts.allow"},
		{"a private address", "hosts: {private: deny}", "httpSend", map[string]any{"url": base}, "hosts.private"},
		{"a private address as one number", "hosts: {private: deny}", "httpGet", map[string]any{"url": "http://2130706433:1/"}, "hosts.private"},
		{"a name of a private address", "hosts: {private: deny}", "httpGet", map[string]any{"url": byName}, "hosts.private"},
		{"credentials", "", "httpGet", map[string]any{"url": credentials}, "metadata"},
		{"another scheme", "hosts: {schemes: [https]}", "httpGet", map[string]any{"url": base}, "hosts.schemes"},
		{"a file", "", "readFile", map[string]any{"path": "notes/a.txt"}, ""},
		{"a file that is not listed", "files: {read: [fixtures]}", "readFile", map[string]any{"path": "notes/a.txt"}, "files.read"},
		{"a file to write", "", "writeFile", map[string]any{"path": "notes/b.txt", "text": "x"}, ""},
		{"one that is not listed", "files: {write: [trails]}", "writeFile", map[string]any{"path": "notes/b.txt", "text": "x"}, "files.write"},
		{"one outside", "", "writeFile", map[string]any{"path": "../b.txt", "text": "x"}, "files outside"},
		{"in ci", "profile: ci", "httpGet", map[string]any{"url": base}, "actions.allow"},
		{"in ci, where a file is written", "profile: ci\nactions: {allow: [writeFile]}", "writeFile",
			map[string]any{"path": "notes/b.txt", "text": "x"}, "files.write"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, "notes"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, "notes", "a.txt"), []byte("Ann"), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := Parse(root+"/policy.yaml", []byte(test.file), Options{Workspace: root})
			if err != nil {
				t.Fatal(err)
			}
			reg, err := tool.NewRegistry(tools.BuiltinIn(root, nil)...)
			if err != nil {
				t.Fatal(err)
			}
			s, err := session.Open(t.Context(), session.Options{Title: "policy"})
			if err != nil {
				t.Fatal(err)
			}
			d := dispatch.New(dispatch.Options{Registry: reg, Middleware: []dispatch.Middleware{p.Middleware()}})
			t.Cleanup(func() {
				_ = d.Close(context.WithoutCancel(t.Context()))
				_ = s.CloseWith(event.Passed, nil)
			})
			before := len(slices.Concat(here.called(), named.called()))
			_, err = (&bench{t: t, d: d, s: s}).call(test.tool, test.args)
			if (err == nil) != (test.denied == "") || err != nil && (fault.KindOf(err) != fault.Denied || !strings.Contains(err.Error(), test.denied)) {
				t.Errorf("%v, want a denial by %q", err, test.denied)
			}
			if n := len(slices.Concat(here.called(), named.called())); err != nil && n != before {
				t.Errorf("a denied call reached the server")
			}
		})
	}
	p := parse(t, "hosts: {private: deny}")
	if conn, err := p.connect(t.Context(), name, 80, false); fault.KindOf(err) != fault.Denied {
		t.Errorf("connected to %s: %v %v", name, conn, err)
	}
}
