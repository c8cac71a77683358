package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

// A change of a settings file holds from the next question on, one that appears too; a mistake in it is an error
// until somebody mends it.
func TestFollow(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	l := Follow(Sources{Dir: dir, Env: func(name string) string { return map[string]string{homedir.Env: home}[name] }})
	is := func(want string) {
		t.Helper()
		c, err := l.Current()
		if err != nil || c.String("base-url") != want {
			t.Errorf("got %v %v, want %s", c, err, want)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is("")
	write(filepath.Join(home, fileName), "defaults: {base-url: http://user.test}\n")
	is("http://user.test")
	own := filepath.Join(dir, "trails", "config", fileName)
	write(own, "defaults: {base-url: http://own.test}\n")
	is("http://own.test")
	write(own, "defaults: [\n")
	if c, err := l.Current(); err == nil {
		t.Errorf("a mistake is not told: %v", c)
	}
	write(own, "defaults: {base-url: http://mended.test}\n")
	is("http://mended.test")
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	is("http://user.test")
}

// A file of a provider that the settings name is followed as they are, from the time before it is there.
func TestFollowNamedFile(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	l := Follow(Sources{Dir: dir, Env: func(name string) string { return map[string]string{homedir.Env: home}[name] }})
	write(t, filepath.Join(dir, "trails", "config", fileName), "providers: lab.yaml\n")
	is := func(want any) {
		t.Helper()
		for range 2 {
			c, err := l.Current()
			if err != nil {
				t.Fatal(err)
			}
			lab, _ := providersOf(c)["lab"].(map[string]any)
			if lab["base_url"] != want {
				t.Errorf("got %v, want %v", lab, want)
			}
		}
	}
	is(nil)
	write(t, filepath.Join(dir, "trails", "config", "lab.yaml"), "{ provider_id: lab, base_url: https://a.test }")
	is("https://a.test")
	write(t, filepath.Join(dir, "trails", "config", "lab.yaml"), "{ provider_id: lab, base_url: https://other.test }")
	is("https://other.test")
}
