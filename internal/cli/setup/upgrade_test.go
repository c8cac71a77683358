package setup

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

// asking is a server of releases and the requests that it got.
func asking(t *testing.T, status int, body string) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.URL.String()+" "+r.UserAgent())
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/latest", asked
}

func upgrade(t *testing.T, version, url string, asJSON bool, args ...string) (string, error) {
	t.Helper()
	was := shell.Version
	shell.Version = version
	defer func() { shell.Version = was }()
	var out bytes.Buffer
	home := t.TempDir()
	cmd := NewUpgrade(&shell.Shell{JSON: asJSON, Streams: shell.Streams{Out: &out, Err: &out, Dir: home, Env: func(k string) string {
		return map[string]string{"TRAILBLAZE_HOME": home, "TRAILBLAZE_RELEASES": url}[k]
	}}})
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestUpgradeCheck(t *testing.T) {
	for _, tt := range []struct {
		name, version, tag, want string
		newer                    string // in JSON
	}{
		{"newer", "0.9.0", "v0.10.0", "Release 0.10.0 is newer than this one, 0.9.0. To install it:\n  unpack", "true"},
		{"same", "0.10.0", "v0.10.0", "This is the newest release, 0.10.0.", "false"},
		{"older", "0.11.0", "0.10.0", "This is the newest release", "false"},
		{"a prerelease comes before its release", "0.10.0-rc.1", "v0.10.0", "is newer", "true"},
		{"a commit after a release is no release", "v0.10.0-4-gabcdef0", "v0.11.0", "This build, v0.10.0-4-gabcdef0, is no release", ""},
		{"a commit", "abcdef0", "v0.11.0", "is no release", ""},
		{"a version that the go command made", "v0.0.0-20261126080000-abcdef012345", "v0.11.0", "is no release", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, asked := asking(t, http.StatusOK, `{"tag_name":"`+tt.tag+`","html_url":"https://elsewhere.example"}`)
			out, err := upgrade(t, tt.version, url, false, "--check")
			if err != nil || !strings.Contains(out, tt.want) {
				t.Errorf("printed %q, %v; want %q", out, err, tt.want)
			}
			if want := []string{"GET /latest trailblaze"}; len(*asked) != 1 || (*asked)[0] != want[0] {
				t.Errorf("asked %q, want %q", *asked, want)
			}
			out, err = upgrade(t, tt.version, url, true, "--check")
			var doc map[string]any
			if err != nil || json.Unmarshal([]byte(out), &doc) != nil {
				t.Fatalf("printed %q, %v", out, err)
			}
			got, _ := json.Marshal(doc["newer"])
			if strings.Replace(string(got), "null", "", 1) != tt.newer {
				t.Errorf("newer is %s, want %q", got, tt.newer)
			}
		})
	}
}

// TestUpgradeRefuses: an answer that names no version is an error, and without --check nothing is asked.
func TestUpgradeRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		body   string
		kind   fault.Kind
		want   string
	}{
		{"not found", http.StatusNotFound, `{}`, fault.Unavailable, "404"},
		{"no JSON", http.StatusOK, `<html>`, fault.Unavailable, "named no version"},
		{"no version", http.StatusOK, `{"tag_name":"\u001b[2Jboo"}`, fault.Unavailable, "named no version"},
		{"huge", http.StatusOK, strings.Repeat(" ", checkBytes) + `{"tag_name":"v9.9.9"}`, fault.Unavailable, "named no version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, _ := asking(t, tt.status, tt.body)
			out, err := upgrade(t, "0.1.0", url, false, "--check")
			if fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.want) || fault.HintOf(err) == "" {
				t.Errorf("printed %q, %v (%s)", out, err, fault.KindOf(err))
			}
		})
	}
	url, asked := asking(t, http.StatusOK, `{"tag_name":"v9.9.9"}`)
	if out, err := upgrade(t, "0.1.0", url, false); fault.KindOf(err) != fault.Invalid || !strings.Contains(fault.HintOf(err), url) {
		t.Errorf("without --check: %q, %v", out, err)
	}
	if len(*asked) != 0 {
		t.Errorf("asked %q without --check", *asked)
	}
}

// TestUpgradeCommands: the command fits the way in which the program was installed.
func TestUpgradeCommands(t *testing.T) {
	venv := t.TempDir()
	if err := os.WriteFile(filepath.Join(venv, "pyvenv.cfg"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/home/a/app/node_modules/@trailblaze/linux-x64/bin/trailblaze":    "npm install trailblaze@latest",
		"C:/Users/a/app/node_modules/@trailblaze/win32-x64/trailblaze.exe": "npm install trailblaze@latest",
		"/opt/homebrew/Cellar/trailblaze/0.1.0/bin/trailblaze":             "brew upgrade trailblaze",
		"/usr/bin/trailblaze":                      "apt-get install ./trailblaze_",
		"/home/a/go/bin/trailblaze":                "go install ",
		filepath.ToSlash(venv) + "/bin/trailblaze": "pip install --upgrade trailblaze-cli",
		"/home/a/bin/trailblaze":                   "unpack the archive",
	} {
		if got := upgradeOf("linux", path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
