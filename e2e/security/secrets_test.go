package security

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSecretsBelongToTheirClient: a variable of the environment that starts the daemon is no secret of any client,
// and the secret of one client cannot be typed by the next one, not even in the same session; it stays masked.
func TestSecretsBelongToTheirClient(t *testing.T) {
	const canary2 = "Zeisig-77-Zeisig"
	h := newHouse(t, "TRAILBLAZE_SECRET_pw="+canary)
	h.Env = append(h.Env, "SHOP_TOKEN="+canary2, "TRAILBLAZE_TRUST=1")
	page := served(t, `<title>Field</title><label>Password <input id=pw></label>`)
	h.Write("trails/config/policy.yaml", "secrets:\n  token: {origin: '"+page+"', env: SHOP_TOKEN}\n")
	own := h.secrets
	h.secrets = nil
	h.Start()
	type args = map[string]any
	typed := func() string {
		return h.must("web_evaluate", args{"script": "String(document.getElementById('pw').value.length) + document.getElementById('pw').value.slice(0, 1)"}).text()
	}
	refused := func(what, name string) {
		t.Helper()
		h.must("web_navigate", args{"url": page})
		if a := h.call("web_fillSecret", args{"ref": "Password", "name": name}); a.kind() == "" {
			t.Errorf("%s: %s", what, a.raw)
		}
		h.call("web_type", args{"ref": "Password", "text": "{{" + name + "}}"})
		if got := typed(); strings.HasPrefix(got, "16") || strings.HasPrefix(got, "20") || strings.Contains(got, canary[:1]) {
			t.Errorf("%s: the field has %s", what, got)
		}
	}
	refused("the daemon's own environment", "pw")
	refused("a variable that the policy names, of the daemon's environment", "token")

	h.secrets = own
	h.must("web_navigate", args{"url": page})
	h.must("web_fillSecret", args{"ref": "Password", "name": "pw"})
	if out, code := h.run("tool", "web_fillSecret", "ref=Password", "name=token", "--device", "web"); code != 0 {
		t.Errorf("the shell that has the variable: exit %d: %s", code, out)
	}
	h.secrets = nil
	refused("another client in the same session", "pw")
	refused("a shell's secret, for another client", "token")

	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range []string{canary, canary2} {
		if bytes.Contains(h.heard.Bytes(), []byte(c)) {
			t.Errorf("%s came out", c)
		}
	}
}

// TestEnvironments: neither the daemon nor any process of the browser sees a secret or a token of the shell that
// started them.
func TestEnvironments(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	h := newHouse(t, "TRAILBLAZE_SECRET_pw="+canary, "CI_JOB_TOKEN="+canary, "AWS_SECRET_ACCESS_KEY="+canary)
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, "<h1>x</h1>")})
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	daemons, browsers := 0, 0
	for _, f := range files {
		env, err := os.ReadFile(f)
		line, err2 := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		if err != nil || err2 != nil || !bytes.Contains(env, []byte(h.Dir)) && !bytes.Contains(line, []byte("chrom")) {
			continue
		}
		switch {
		case bytes.Contains(line, []byte("chrom")):
			browsers++
		case bytes.Contains(line, []byte("daemon")):
			daemons++
		}
		if bytes.Contains(env, []byte(canary)) {
			t.Errorf("%q has a secret in its environment", bytes.ReplaceAll(line[:min(len(line), 120)], []byte{0}, []byte(" ")))
		}
	}
	if daemons == 0 || browsers < 2 {
		t.Errorf("%d daemons and %d processes of browsers: the test proves nothing", daemons, browsers)
	}
	out, code := h.run("run", h.Write("trails/env.trail.yaml", "config: {id: env, title: Env}\ntrail:\n  - step: Look\n    "+
		"recording:\n      web:\n        - web_navigate: {url: \""+served(t, "<h1>Hello</h1>")+
		"\"}\n        - web_verifyTextVisible: {text: Hello}\n"), "--no-report")
	if code != 0 {
		t.Errorf("run: exit %d: %s", code, out)
	}
}
