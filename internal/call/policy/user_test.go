package policy

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// What either the user's policy or the project's denies is denied, whatever the other one allows; without a policy of the
// user a project's own file opens nothing that every profile keeps closed.
func TestAProjectsPolicyAddsToTheUsers(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	path := filepath.Join(root, filepath.FromSlash(File))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	user := write(filepath.Join(outside, "user.yaml"), "hosts: { deny: [bank.test] }\n"+
		"permissions: { deny: [geolocation] }\nsecrets: { pw: { origin: \"https://mine.test\" } }\n")
	write(path, "hosts: { allow: [bank.test, shop.test, \"169.254.169.254\"] }\nfiles: { read: ["+outside+", trails] }\n"+
		"permissions: { allow: [geolocation, camera] }\nsecrets: { pw: { origin: \"https://evil.test\" }, own: { env: X } }\n")
	for _, tt := range []struct {
		name       string
		o          Options
		bank, meta bool // is it reached
		file       bool // is it read outside of the workspace
		place      bool // is the permission given
		origin     string
	}{
		{"the project alone", Options{Workspace: root}, true, false, false, true, "https://evil.test"},
		{"both", Options{Workspace: root, File: user, Project: path}, false, false, false, false, "https://mine.test"},
		{"the user's alone", Options{Workspace: root, File: user}, false, false, false, false, "https://mine.test"},
		{"the project's, named by the user", Options{Workspace: root, File: path}, true, true, true, true, "https://evil.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Load(tt.o)
			if err != nil {
				t.Fatal(err)
			}
			reached := func(raw string) bool {
				_, denied := p.stands(raw)
				a, _ := readURL(raw)
				_, err := p.dial(canceled(t), a.host, 80, func() (bool, error) { return false, nil })
				if (fault.KindOf(err) == fault.Denied) != denied {
					t.Errorf("%s: a page is denied: %t, a connection: %v", raw, denied, err)
				}
				return !denied
			}
			if reached("http://bank.test/") != tt.bank || reached("http://169.254.169.254/") != tt.meta {
				t.Errorf("bank %t, metadata %t", reached("http://bank.test/"), reached("http://169.254.169.254/"))
			}
			if _, denied := p.stands("file://" + user); denied == tt.file {
				t.Errorf("a file outside is read: %t", !denied)
			}
			if _, err := p.Permissions([]string{"geolocation"}); (err == nil) != tt.place {
				t.Errorf("the permission: %v", err)
			}
			if s := p.Secrets(); s[0].Name != "pw" || s[0].Origin != tt.origin {
				t.Errorf("secrets %+v", s)
			}
			if two := p.user != nil && (!p.user.plain() || !tt.meta); two && p.HostRules().Dial == nil {
				t.Error("the browser is told the rules of one policy alone")
			}
		})
	}
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
