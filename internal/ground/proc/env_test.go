package proc

import (
	"slices"
	"strings"
	"testing"
)

// TestEnv: what programs need is kept, everything else stays out unless it is asked for.
func TestEnv(t *testing.T) {
	in := []string{"PATH=/bin", "https_proxy=http://p", "LC_ALL=C", "GITHUB_TOKEN=t", "TRAILBLAZE_SECRET_PW=x", "TRAILBLAZE_HOME=/h",
		"AWS_SECRET_ACCESS_KEY=k", "XDG_RUNTIME_DIR=/r", "ANDROID_ADB_SERVER_PORT=1",
		"ANDROID_KEYSTORE_PASSWORD=p"}
	got := Env(in, func(name string) bool { return name == "TRAILBLAZE_HOME" })
	want := []string{"PATH=/bin", "https_proxy=http://p", "LC_ALL=C", "TRAILBLAZE_HOME=/h", "XDG_RUNTIME_DIR=/r", "ANDROID_ADB_SERVER_PORT=1"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if out := Env(in, nil); slices.ContainsFunc(out, func(e string) bool { return strings.HasPrefix(e, "TRAILBLAZE") }) || out == nil {
		t.Errorf("%v", out)
	}
}
