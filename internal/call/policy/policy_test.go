package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func parse(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Parse("policy.yaml", []byte(text), Options{Workspace: t.TempDir(), Base: []string{"https://base.test:8443/shop"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// R (E, D22): every mistake of a file is told at once, each with its place.
func TestParseMistakes(t *testing.T) {
	_, err := Parse("policy.yaml", []byte(`profile: loose
action:
  allow: [web_click]
hosts:
  allow: ["shop.test/path", "ftp://x"]
  alow: [a]
  ports: [0, 80]
  private: maybe
files:
  read: ["*.txt"]
actions:
  deny: ["kind:verb", "colour:red"]
evaluate: sometimes
evaluate: allow
secrets:
  pw: hunter2
  otp: {origin: nowhere, colour: red}
sources: {server: maybe, servr: deny}
`), Options{})
	if fault.KindOf(err) != fault.Invalid {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{
		"policy.yaml:1:10: profile must be explore, test or ci", `policy.yaml:2:1: a policy has no key "action"; did you mean actions?`,
		`policy.yaml:5:11: "shop.test/path" is not a host`, "policy.yaml:5:29: ", `policy.yaml:6:3: hosts has no key "alow"; did you mean allow?`,
		`policy.yaml:7:11: "0" is not a port`, "policy.yaml:8:12: hosts.private must be allow or deny", "policy.yaml:10:10: ",
		"policy.yaml:12:10: ", "policy.yaml:12:23: ", "policy.yaml:13:11: evaluate must be allow or deny", `policy.yaml:14:1: "evaluate" stands here twice`,
		"policy.yaml:16:7: secrets.pw: a policy holds no secrets", `policy.yaml:17:17: secrets.otp.origin: "nowhere"`,
		`policy.yaml:17:26: secrets.otp has no key "colour"`,
		"policy.yaml:18:19: sources.server must be allow or deny", `policy.yaml:18:26: sources has no key "servr"; did you mean server?`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("missing %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the message repeats the secret: %v", err)
	}
}

// An allowed pattern that covers metadata addresses, or denied ones, opens none of them: the gate decides about each
// address, which no pattern of a browser could.
func TestPatternsOverDeniedAddresses(t *testing.T) {
	p := parse(t, "hosts:\n  allow: ['169.*', '192.168.*']\n  deny: [192.168.1.1]\n")
	rules := p.HostRules()
	for host, open := range map[string]bool{"169.254.169.254": false, "192.168.1.1": false, "::ffff:192.168.1.1": false, "192.168.1.2": true} {
		_, err := rules.Dial(canceled(t), host, 80, func() (bool, error) { return false, nil })
		if refused := fault.KindOf(err) == fault.Denied; refused == open {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	p, err := Load(Options{Workspace: dir})
	if err != nil || p.Profile() != Explore || p.Path() != "" {
		t.Errorf("without a file: %v %v", p, err)
	}
	if _, err := Load(Options{Workspace: dir, File: filepath.Join(dir, "none.yaml")}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a named file that is not there: %v", err)
	}
	path := filepath.Join(dir, filepath.FromSlash(File))
	write(t, path, "profile: ci\nactions: {allow: [web_click]}\n")
	p, err = Load(Options{Workspace: dir})
	if err != nil || p.Profile() != CI || p.Path() != path {
		t.Fatalf("%v %v", p, err)
	}
	if d := p.actions.decide(&tool.Spec{Name: "web_hover", Kind: tool.Action, Facts: harmless}, nil, p.limit()); d.Allowed ||
		d.Where != "trails/config/policy.yaml:2:11" {
		t.Errorf("%+v", d)
	}
	write(t, path, "# nothing but a remark\n")
	if p, err = Load(Options{Workspace: dir}); err != nil || p.Profile() != Explore {
		t.Errorf("an empty file: %v %v", p, err)
	}
}

// Every call of a long process obeys the file as it stands; a file with a mistake allows nothing.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(File))
	l := Follow(func() (Options, error) { return Options{Workspace: dir}, nil })
	is := func(want Profile) {
		t.Helper()
		if p, err := l.Current(); err != nil || p.Profile() != want {
			t.Errorf("got %v %v, want %s", p, err, want)
		}
	}
	is(Explore)
	write(t, path, "profile: ci\n")
	is(CI)
	write(t, path, "profile: loose\n")
	if p, err := l.Current(); err == nil || p != nil {
		t.Errorf("a mistake is not told: %v", p)
	}
	write(t, path, "profile: test # again\n")
	is(Test)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	is(Explore)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// harmless are the facts of a tool that touches nothing but the page.
var harmless = tool.Facts{Effects: &tool.Effects{}}

func TestActions(t *testing.T) {
	click := &tool.Spec{Name: "web_click", Kind: tool.Action, Groups: []string{"core_interaction"}, Facts: harmless}
	look := &tool.Spec{Name: "web_snapshot", Kind: tool.Query, Groups: []string{"observation"}, Facts: harmless}
	eval := &tool.Spec{Name: "web_evaluate", Kind: tool.Action, Groups: []string{"web_framework"}, Facts: tool.Facts{Effects: &tool.Effects{RunsCode: true}}}
	for _, test := range []struct {
		name, file        string
		click, look, eval bool
	}{
		{"explore", "", true, true, true},
		{"test", "profile: test", true, true, true},
		{"ci lists nothing", "profile: ci", false, false, false},
		{"by name", "profile: ci\nactions: {allow: [web_click]}", true, false, false},
		{"a pattern grants no scripts", "profile: ci\nactions: {allow: ['*']}", true, true, false},
		{"scripts by name", "profile: ci\nactions: {allow: ['*', web_evaluate]}", true, true, true},
		{"scripts by key", "profile: ci\nactions: {allow: ['*']}\nevaluate: allow", true, true, true},
		{"the key wins", "actions: {allow: [web_evaluate]}\nevaluate: deny", false, false, false},
		{"by kind", "profile: ci\nactions: {allow: ['kind:query']}", false, true, false},
		{"by group", "profile: ci\nactions: {allow: ['group:core_*']}", true, false, false},
		{"deny wins", "actions: {allow: ['*'], deny: [WEB_CLICK]}", false, true, false},
		{"deny alone", "actions: {deny: ['kind:query']}", true, false, true},
		{"a list closes explore", "actions: {allow: [web_click]}", true, false, false},
		{"an empty list too", "actions: {allow: []}", false, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, test.file)
			for s, want := range map[*tool.Spec]bool{click: test.click, look: test.look, eval: test.eval} {
				d := p.actions.decide(s, s.Effects.Done(nil), p.limit())
				if d.Allowed != want || d.Rule == "" || d.Where == "" || !d.Allowed && d.Hint == "" {
					t.Errorf("%s: %+v", s.Name, d)
				}
			}
		})
	}
}

// Metadata addresses are denied in every profile and every spelling a browser understands.
func TestMetadata(t *testing.T) {
	for _, file := range []string{"", "profile: test\nhosts: {allow: ['*']}", "profile: ci\nhosts: {allow: ['*', '*.internal']}"} {
		p := parse(t, file)
		for _, raw := range []string{
			"http://169.254.169.254/latest", "http://169.254.170.2/v2", "http://2852039166/", "http://0xa9fea9fe/", "http://0xa9.0xfe.0xa9.0xfe/",
			"http://0251.0376.0251.0376/", "http://169.254.43518/", "http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/",
			"http://[64:ff9b::a9fe:a9fe]/", "http://[fe80::1%25eth0]/", "http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://168.63.129.16/",
			"http://metadata.google.internal/", "http://METADATA.google.internal./computeMetadata", "ws://169.254.169.254/", `http:\\169.254.169.254\x`,
			"ht\ntp://169.254.1\t69.254/", "  http://169.254.169.254/", "http:169.254.169.254/", "http://user:pw@169.254.169.254:80/",
			"169.254.169.254/latest", "//169.254.169.254",
		} {
			denied := false
			for _, d := range p.opens(t.Context(), raw) {
				denied = denied || !d.Allowed
			}
			if !denied {
				t.Errorf("%q is allowed by %q", raw, file)
			}
		}
	}
	p := parse(t, "hosts: {allow: [169.254.169.254]}")
	if d := p.opens(t.Context(), "http://169.254.169.254/"); !d[0].Allowed {
		t.Errorf("listed exactly: %+v", d)
	}
}

func TestHosts(t *testing.T) {
	for _, test := range []struct {
		name, file  string
		allow, deny []string
	}{
		{"explore", "", []string{"http://a.test/", "http://127.0.0.1:1/", "http://10.0.0.1/"}, nil},
		{"test: the base URL only", "profile: test", []string{"https://base.test:8443/x", "wss://base.test:8443/"},
			[]string{"https://base.test/", "http://base.test:8443/", "http://a.test/", "http://127.0.0.1/"}},
		{"test: listed too", "profile: test\nhosts: {allow: ['*.a.test', 'b.test:8080', 'https://c.test']}",
			[]string{"http://x.a.test/", "http://x.y.a.test:99/", "http://b.test:8080/", "ws://b.test:8080", "https://c.test/", "wss://c.test/"},
			[]string{"http://a.test/", "http://b.test/", "http://c.test/", "http://x.a.test.evil.test/", "http://evila.test/"}},
		{"ci ignores the base URL", "profile: ci", nil, []string{"https://base.test:8443/", "http://a.test/"}},
		{"deny wins", "hosts: {deny: ['ads.*', '*.evil.test']}", []string{"http://a.test/", "http://evil.test/"},
			[]string{"http://ads.test/", "http://x.evil.test./"}},
		{"deny within allow", "hosts: {allow: ['*.a.test'], deny: [admin.a.test]}", []string{"http://x.a.test/"},
			[]string{"http://admin.a.test/", "http://ADMIN.a.test/"}},
		{"ports", "hosts: {ports: [80, 443]}", []string{"http://a.test/", "https://a.test/"}, []string{"http://a.test:8080/"}},
		{"a rule's own port", "hosts: {ports: [443], allow: ['a.test:8080', b.test]}", []string{"http://a.test:8080/", "https://b.test/"},
			[]string{"http://b.test/"}},
		{"schemes", "hosts: {schemes: [https]}", []string{"https://a.test/", "wss://a.test/"}, []string{"http://a.test/", "ws://a.test/"}},
		{"private", "hosts: {private: deny}", []string{"http://8.8.8.8/", "http://172.32.0.1/"},
			[]string{"http://10.1.2.3/", "http://172.16.0.1/", "http://192.168.1.1/", "http://localhost:3000/", "http://x.localhost/",
				"http://[::1]/", "http://127.9.9.9/", "http://[fd12::1]/", "http://0/", "http://[::ffff:10.0.0.1]/"}},
		{"private, one listed", "hosts: {private: deny, allow: ['*', 127.0.0.1]}", []string{"http://127.0.0.1:99/", "http://a.test/"},
			[]string{"http://127.0.0.2/", "http://localhost/"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, test.file)
			check := func(raw string, want bool) {
				a, err := readURL(raw)
				if err != nil {
					t.Fatal(err)
				}
				d := p.hosts.decide(a)
				if d.Allowed != want || d.Where == "" || !d.Allowed && d.Hint == "" {
					t.Errorf("%s: %+v", raw, d)
				}
			}
			for _, raw := range test.allow {
				check(raw, true)
			}
			for _, raw := range test.deny {
				check(raw, false)
			}
		})
	}
}

// Files are confined by where they really are: "..", absolute paths and links do not lead out.
func TestFiles(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.txt"), "x")
	open := parse(t, "")
	dir := open.workspace
	write(t, filepath.Join(dir, "fixtures", "a.txt"), "x")
	link := filepath.Join(dir, "fixtures", "out")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip("no links here:", err)
	}
	if err := os.Symlink(filepath.Join(outside, "new.txt"), filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	listed, ci := parse(t, ""), parse(t, "profile: ci")
	listed.workspace, ci.workspace = dir, dir
	listed.files.read = []fileRule{{"fixtures", place{Line: 1, Col: 1}}, {outside, place{Line: 2, Col: 1}}}
	listed.where = map[string]place{"files.read": {Line: 1, Col: 1}}
	for _, test := range []struct {
		p     *Policy
		name  string
		read  bool
		write bool
	}{
		{open, "fixtures/a.txt", true, true},
		{open, "fixtures/../fixtures/new.txt", true, true},
		{open, filepath.Join(dir, "fixtures", "a.txt"), true, true},
		{open, "../x", false, false},
		{open, "fixtures/out/secret.txt", false, false},
		{open, "fixtures/out/new/deep.txt", false, false},
		{open, "dangling", false, false},
		{open, "/etc/passwd", false, false},
		{open, dir + "x/a", false, false},
		{listed, "fixtures/a.txt", true, true},
		{listed, "elsewhere.txt", false, true},
		{listed, "fixtures/out/secret.txt", true, false},
		{ci, "trails/new.trail.yaml", true, false},
	} {
		if d := test.p.files.reads(test.name); d.Allowed != test.read {
			t.Errorf("reading %s: %+v", test.name, d)
		}
		if d := test.p.files.writes(test.name); d.Allowed != test.write {
			t.Errorf("writing %s: %+v", test.name, d)
		}
	}
}

// D21: a declared secret is bound to its origin wherever its value comes from.
func TestSeed(t *testing.T) {
	p := parse(t, "secrets:\n  password: {origin: 'https://Shop.test:443/login', env: SHOP_PW}\n  otp:\n    origin: http://otp.test:81\n  token: {}\n")
	m := memory.New()
	p.Seed(m, func(k string) string {
		return map[string]string{"SHOP_PW": "hunter2!", "TRAILBLAZE_SECRET_token": "tok-123"}[k]
	})
	if v, _ := m.Get("password"); v != "hunter2!" || !m.IsSecret("password") || m.SecretOrigin("password") != "https://shop.test" {
		t.Errorf("password: %v, bound to %s", v, m.SecretOrigin("password"))
	}
	if m.SecretOrigin("otp") != "http://otp.test:81" {
		t.Errorf("otp is bound to %q", m.SecretOrigin("otp"))
	}
	if v, _ := m.Get("token"); v != "tok-123" || m.Mask("x tok-123") == "x tok-123" {
		t.Errorf("token: %v", v)
	}
}

func TestKeyOfHostRules(t *testing.T) {
	a, b := parse(t, "hosts: {deny: [x.test]}").HostRules(), parse(t, "hosts: {deny: [x.test]}\nactions: {deny: [web_click]}").HostRules()
	if a.Key != b.Key || a.Key == "" {
		t.Error("the same rules have two keys")
	}
	if c := parse(t, "").HostRules(); c.Key == a.Key || len(c.Args) == 0 {
		t.Error("other rules have the same key")
	}
}

// FuzzParse: a policy file is other people's text. It is refused with places or it is a policy; it never panics, and
// what it denies in one spelling it denies in all.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"profile: ci\n", "hosts:\n  allow: ['*.a.test', 'http://b:80']\n  deny: [x]\n", "files: {read: [a], write: []}",
		"secrets: {a: {origin: 'https://x', env: Y}}",
		"actions: {allow: [kind:query, 'group:*']}", "a: &x [*x]", "? [a]: b", "---\n---\n", "\t", "hosts: {allow: ['[::1]:80']}", "profile: !!str ci", "- a", "{{{{",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("policy.yaml", []byte(text), Options{Workspace: "/w"})
		if err != nil {
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "policy.yaml:") {
				t.Fatalf("no place in %v", err)
			}
			return
		}
		p.HostRules()
		p.actions.decide(&tool.Spec{Name: "web_click", Kind: tool.Action, Facts: harmless}, nil, p.limit())
		for _, raw := range []string{"http://169.254.169.254/", "http://a.test/"} {
			a, err := readURL(raw)
			if err != nil {
				t.Fatal(err)
			}
			p.hosts.decide(a)
		}
	})
}

// FuzzReadURL: a URL that a browser would take to a metadata address by its canonical form is one for us too.
func FuzzReadURL(f *testing.F) {
	for _, s := range []string{"http://a.test/", "http:/\\x", "HTTPS://[::1]:99999/", "http://0x7f.1", "http://%31/", "file:///etc",
		"http://1.2.3.4.5", "data:,x", "http://a:b@c:1/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := readURL(raw)
		if err != nil || a.host == "" {
			return
		}
		if again, _ := canonicalHost(a.host); again != a.host && !strings.HasSuffix(a.host, ".") {
			t.Errorf("%q: host %q is spelled %q the second time", raw, a.host, again)
		}
	})
}
