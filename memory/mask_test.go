package memory

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// Rule 10: a secret leaves in no spelling.
func TestMask(t *testing.T) {
	const pw = `p&ss "w/rd+1é`
	m := New()
	m.SetSecret("pw", pw)
	quoted, _ := json.Marshal(pw)
	for _, test := range []struct{ name, in, want string }{
		{"plain", "typed " + pw + " here", "typed •••••• here"},
		{"twice", pw + pw, "••••••••••••"},
		{"query", "?q=" + url.QueryEscape(pw) + "&x", "?q=••••••&x"},
		{"path", "/" + url.PathEscape(pw) + "/x", "/••••••/x"},
		{"lower hex", strings.ToLower("?q=" + url.QueryEscape(pw)), "?q=••••••"},
		{"encodeURIComponent", "?q=p%26ss%20%22w%2Frd%2B1%C3%A9", "?q=••••••"},
		{"fragment, as a browser has it", "#p&ss%20%22w/rd+1%C3%A9", "#••••••"},
		{"JSON in ASCII", `{"t":"p&ss \"w/rd+1\u00e9"}`, `{"t":"••••••"}`},
		{"escape()", "p%26ss%20%22w/rd+1%E9", "••••••"},
		{"outerHTML", `<p title="p&amp;ss &quot;w/rd+1é">p&amp;ss "w/rd+1é</p>`, `<p title="••••••">••••••</p>`},
		{"JSON in a text", "body: " + string(quoted), `body: "••••••"`},
		{"HTML", "<i>" + html.EscapeString(pw) + "</i>", "<i>••••••</i>"},
		{"another text", "nothing here", "nothing here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := m.Mask(test.in); got != test.want {
				t.Errorf("Mask(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
	for _, before := range []string{"", "a", "ab", "user:", "somebody:"} {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
			text := "Basic " + enc.EncodeToString([]byte(before+pw+":x"))
			if got := m.Mask(text); !strings.Contains(got, mask.Masked) {
				t.Errorf("base64 of %q is not masked: %s", before+pw, got)
			}
		}
	}
}

func TestMaskSeveral(t *testing.T) {
	if New().Masker() != nil {
		t.Error("without secrets there is something to look for")
	}
	m := New()
	m.SetSecret("short", "abcdef")
	m.SetSecret("long", "abcdefghi")
	m.SetSecret("over", "efghijk")
	if got := m.Mask("abcdefghi abcdef abcdefghijk"); got != "•••••• •••••• ••••••" {
		t.Errorf("overlapping secrets: %q", got)
	}
	if got := New().Mask("abc"); got != "abc" {
		t.Errorf("without secrets: %q", got)
	}
	m.SetSecret("key", "-----BEGIN KEY-----\nAAAABBBBCCCC\nDDDDEEEEFFFF\n")
	if got := m.Mask("log: DDDDEEEEFFFF"); got != "log: ••••••" {
		t.Errorf("a line of a key: %q", got)
	}
	m.SetSecret("empty", "")
	if got := m.Mask("x"); got != "x" {
		t.Errorf("an empty secret: %q", got)
	}
}

// A short secret hides itself where it stands alone, and leaves the rest of a text readable.
func TestMaskShort(t *testing.T) {
	m := New()
	m.SetSecret("pin", "12")
	m.SetSecret("x", "é")
	for in, want := range map[string]string{
		"12": "••••••", "pin=12;": "pin=••••••;", "12345 and 112": "12345 and 112", "(12,12)": "(••••••,••••••)", "née é": "née ••••••",
	} {
		if got := m.Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskJSON(t *testing.T) {
	m := New()
	m.SetSecret("pw", `a"b\c/d`)
	m.SetSecret("otp", "123456")
	m.SetSecret("pin", "12")
	for _, test := range []struct{ name, in, want string }{
		{"value, key and number", `{ "a\"b\\c/d" : "x a\"b\\c\/d", "n":123456, "m": [ 1234567, 12, 1.50 ] }`,
			`{ "••••••" : "x ••••••", "n":"••••••", "m": [ 1234567, 12, 1.50 ] }`},
		{"nothing keeps every byte", ` {"b":1.0,"a":"é\u00e9"} `, ` {"b":1.0,"a":"é\u00e9"} `},
		{"JSON inside a string", `{"body":"{\"pw\":\"a\\\"b\\\\c/d\"}"}`, `{"body":"{\"pw\":\"••••••\"}"}`},
		{"no JSON", `not json a"b\c/d`, `"not json ••••••"`},
		{"empty", ``, ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, string(m.MaskJSON(json.RawMessage(test.in)))); diff != "" {
				t.Errorf("MaskJSON(%s) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// Which secrets an authored call uses, so that a driver can refuse to type them elsewhere.
func TestSecretsIn(t *testing.T) {
	m := New()
	m.SetSecret("pw", "hunter2!")
	m.SetSecret("otp", "987654")
	m.Set("line", "user hunter2!")
	m.Set("email", "a@b")
	m.SetArgs(map[string]any{"code": "987654", "sku": "mug"})
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"token", `{"text":"{{pw}}"}`, []string{"pw"}},
		{"other spellings", `{"a":["${pw}","x {{memory.otp}}"]}`, []string{"otp", "pw"}},
		{"through a value that holds it", `{"text":"{{line}}"}`, []string{"pw"}},
		{"through an argument", `{"text":"{{args.code}}"}`, []string{"otp"}},
		{"spelled out", `{"text":"say hunter2! now"}`, []string{"pw"}},
		{"none", `{"text":"{{email}} {{args.sku}} {{nobody}}"}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, m.SecretsIn(json.RawMessage(test.in))); diff != "" {
				t.Errorf("SecretsIn(%s) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// A text that is spelled out where a secret belongs is masked from then on. It can be used by no name, and a recording
// names it by its argument where that name is free.
func TestConceal(t *testing.T) {
	secret := func(name string) bool { return name == "password" || name == "pin" || name == "all" }
	m := New()
	m.Set("pin", "taken")
	m.Conceal(json.RawMessage(`{"user":"ann-1234","password":"Otter-41-quay","pin":907341,"all":["before {{who}} after",true,{"x":"{{$}}{inner}"}]}`), secret)
	for in, want := range map[string]string{
		"ann-1234 typed Otter-41-quay": "ann-1234 typed ••••••", "pin 907341": "pin ••••••", "Otter%2D41%2Dquay": "••••••",
		"before {{who}} after": "••••••{{who}}••••••", "true": "true", "${inner}": "••••••", "taken": "taken",
	} {
		if got := m.Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
	if got := m.SecretsIn(json.RawMessage(`{"text":"Otter-41-quay"}`)); len(got) != 0 {
		t.Errorf("what was typed is the secret %v", got)
	}
	if _, ok := m.Get("password"); ok {
		t.Error("what was typed is remembered")
	}
	m.Set("kept", "it is Otter-41-quay")
	if m.Public()["kept"] != nil {
		t.Error("what holds it is public")
	}
	if got := string(m.Named(json.RawMessage(`{"password":"Otter-41-quay","text":"taken"}`))); got != `{"password":"{{password}}","text":"taken"}` {
		t.Errorf("it is recorded as %s", got)
	}
	m.Conceal(json.RawMessage(`{"password":"Second-52-pier"}`), secret)
	if got := string(m.Named(json.RawMessage(`{"password":"Second-52-pier"}`))); got != `{"password":"Second-52-pier"}` {
		t.Errorf("two values have one name: %s", got)
	}
	next := New()
	next.Set("password", "Other-63-dock")
	next.InheritMasks(m)
	if got := next.Mask("Otter-41-quay Second-52-pier Other-63-dock"); got != "•••••• •••••• Other-63-dock" {
		t.Errorf("the next session shows %q", got)
	}
}
