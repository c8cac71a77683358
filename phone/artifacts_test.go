package phone

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestArtifacts(t *testing.T) {
	for _, api := range []string{"api34", "api35", "api36"} {
		if n := len(artifacts(api)); n != 1 {
			t.Errorf("%s has %d frameworks", api, n)
		}
	}
	for _, a := range artifacts("all", "translate", "dumper", "api35") {
		if len(a.sum) != 64 || a.size == 0 || strings.Contains(a.path, "..") {
			t.Errorf("bad line: %+v", a)
		}
	}
}

// TestDownload: a file is kept only when its sum is the pinned one.
func TestDownload(t *testing.T) {
	answer := "right"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte(answer))
	}))
	defer server.Close()
	s, err := openStore(t.TempDir(), func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	a := artifact{"all", "32d7d11a2d1aa3c9f3a0d42a8e8a5d8e6a3e3a4b9d0fc8a8ee2f2ee0a2a0a0a0", 5, "x/y.jar"}
	if err := s.download(t.Context(), server.URL, a); fault.KindOf(err) != fault.Denied {
		t.Errorf("a file of another sum: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.folder, "maven", "x", "*")); left != nil {
		t.Errorf("it left %v", left)
	}
	a.sum = fmt.Sprintf("%x", sha256.Sum256([]byte("right")))
	if err := s.download(t.Context(), server.URL, a); err != nil {
		t.Error(err)
	}
	answer = "right, and more"
	if err := s.download(t.Context(), server.URL, a); fault.KindOf(err) != fault.Denied {
		t.Errorf("a file that is too long: %v", err)
	}
}

func TestRepository(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".m2"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"HOST": "mirror.test"}[name] }
	for _, c := range []struct{ mirror, want string }{
		{"", central},
		{"<mirror><mirrorOf>central</mirrorOf><url>https://${env.HOST}/maven/</url></mirror>", "https://mirror.test/maven"},
		{"<mirror><mirrorOf>*,!central</mirrorOf><url>https://a</url></mirror>", central},
		{"<mirror><mirrorOf>external:http:*</mirrorOf><url>https://a</url></mirror>", central},
		{"<mirror><mirrorOf>*</mirrorOf><url>http://plain</url></mirror>", central},
	} {
		text := "<settings><mirrors>" + c.mirror + "</mirrors></settings>"
		if err := os.WriteFile(filepath.Join(home, ".m2", "settings.xml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := repository(env, func() (string, error) { return home, nil }); got != c.want {
			t.Errorf("%s: %s, want %s", c.mirror, got, c.want)
		}
	}
}
