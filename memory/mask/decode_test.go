package mask

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// each spells every character of a text.
func each(text, format string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

// Nobody knows which characters an encoder escapes, how often, or in what order: a secret is masked all the same.
func TestMaskEncoded(t *testing.T) {
	const pw = `Pa-ss.w0rd&"9`
	m := New(pw)
	quoted, _ := json.Marshal(pw)
	inside := string(quoted[1 : len(quoted)-1])
	for _, test := range []struct{ name, form string }{
		{"more than needs to be escaped in a URL", "Pa%2Dss%2ew0rd%26%229"},
		{"all of it in a URL", strings.ToUpper(each(pw, "%%%02x"))},
		{"escaped three times", url.QueryEscape(url.QueryEscape(url.QueryEscape(pw)))},
		{"every character by number", each(pw, "&#%d;")},
		{"every character by number, hexadecimal", each(pw, "&#x%X;")},
		{"every character in a script", each(pw, `\u%04x`)},
		{"bytes in a script", each(pw, `\x%02x`)},
		{"JSON in a query", url.QueryEscape(inside)},
		{"JSON in an attribute", html.EscapeString(inside)},
		{"a query in JSON in an attribute", html.EscapeString(strings.ReplaceAll(url.PathEscape(pw), "%", `\u0025`))},
		{"capitals", strings.ToUpper(pw)},
		{"no capitals", strings.ToLower(pw)},
		{"backwards", `9"&dr0w.ss-aP`},
		{"UTF-16", utf16Bytes(pw, binary.BigEndian)[1:]},
		{"UTF-16 in base64", base64.StdEncoding.EncodeToString([]byte(utf16Bytes(pw, binary.LittleEndian)))},
		{"hexadecimal", hex.EncodeToString([]byte(pw))},
		{"hexadecimal, as a dump has it", strings.TrimSpace(each(pw, "%02x "))},
		{"base64 in a URL", url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("me:" + pw)))},
		{"base64 in lines", base64.StdEncoding.EncodeToString([]byte(pw))[:9] + "\r\n" + base64.StdEncoding.EncodeToString([]byte(pw))[9:]},
		{"a letter in each element", "P</b><b>a-s</b><b class='x'>s.w0rd&amp;</b>&quot;9"},
		{"letters apart", strings.TrimSpace(each(pw, "%c "))},
		{"over lines", "Pa-ss.\n\tw0rd&\"9"},
		{"signs without shape", "Pa-\u200bss\u00ad.w0\ufeffrd&\"9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := "see " + test.form + " here"
			got := m.Text(in)
			if strings.Contains(test.name, "base64") { // what stands for both it and its neighbour stays
				if !strings.Contains(got, Masked) || len(got) > len("see  here")+len(Masked)+16 {
					t.Errorf("Text(%q) = %q", in, got)
				}
			} else if diff := cmp.Diff("see "+Masked+" here", strings.Trim(got, "\x00")); diff != "" {
				t.Errorf("Text(%q) (-want +got):\n%s", in, diff)
			}
		})
	}
	for _, harmless := range []string{"100% of \\ & <b>text</b>", "%zz %u12 \\u12 &nothing; &; <", "Password", "a < b && c > d %2", "Pass word"} {
		if got := m.Text(harmless); got != harmless {
			t.Errorf("Text(%q) = %q", harmless, got)
		}
	}
}

// A page takes a secret apart: the texts that show a part of it are found, and none besides.
func TestApart(t *testing.T) {
	m := New("4711", "hunter2!", "12")
	for _, test := range []struct {
		in   []string
		want string
	}{
		{[]string{"a", "hunter2!", "b"}, ".x."},
		{[]string{"h", "u", "n", "t", "e", "r", "2", "!", "h"}, "xxxxxxxx."},
		{[]string{"hun ", "\u200b", " ter2!", ""}, "xxx."},
		{[]string{"!2", "ret", "nuh"}, "xxx"},
		{[]string{"HUN", "TER2!"}, "xx"},
		{[]string{"4", "7", "1", "1", "4"}, "xxxx."},
		{[]string{"1", "2"}, ".."}, // shorter ones are looked for as words alone
		{[]string{"hunt", "and", "er2!"}, "..."},
		{nil, ""},
	} {
		var got strings.Builder
		for _, yes := range m.SplitSecrets(test.in) {
			got.WriteByte(".x"[map[bool]int{true: 1}[yes]])
		}
		if got.String() != test.want {
			t.Errorf("Apart(%q) = %s, want %s", test.in, &got, test.want)
		}
	}
	for text, want := range map[string]bool{"no 12 here": true, "1 2": false, "hunter%32%21": true, "": false} {
		if got := m.Shows(text); got != want {
			t.Errorf("Shows(%q) = %v", text, got)
		}
	}
}

// A text that nests escapes without end ends in a bounded time: the test would run out of its own.
func TestMaskBounded(t *testing.T) {
	m := New("hunter2!")
	for _, unit := range []string{"%25", `\\`, "&amp;", "<b>", `%25\\&amp;<b>`, "h ", "<"} {
		m.Text(strings.Repeat(unit, 1<<20/len(unit)))
	}
}

// FuzzMask: whatever way a secret was spelled, and whatever stands around it, nothing that leads back to it is left,
// and masking what is masked changes nothing.
func FuzzMask(f *testing.F) {
	f.Add("hunter2!", "x%", `\u00`, uint16(0))
	f.Add(`p&ss "w/rd+1é`, "", "<a>", uint16(0x1234))
	f.Add("a%41b\\n&lt;", "&", ";", uint16(0xffff))
	chain := []func(string) string{
		func(s string) string { return s }, url.QueryEscape, url.PathEscape, html.EscapeString,
		func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) },
		func(s string) string { return each(s, "&#%d;") },
	}
	f.Fuzz(func(t *testing.T, secret, before, after string, how uint16) {
		if len([]rune(strings.TrimSpace(secret))) < shortSecret || strings.ToValidUTF8(secret, "") != secret ||
			strings.ContainsFunc(secret, func(r rune) bool { return r == '•' || unicode.IsControl(r) }) {
			t.Skip()
		}
		m := New(secret)
		form := secret
		for range 3 {
			form = chain[int(how)%len(chain)](form)
			how /= 16
		}
		got := m.Text(before + " " + form + " " + after)
		if !strings.Contains(got, Masked) {
			t.Fatalf("Text(%q) = %q shows %q", before+" "+form+" "+after, got, secret)
		}
		if !m.Shows(form) {
			t.Fatalf("Shows does not see %q in %q", secret, form)
		}
		m.SplitSecrets([]string{before, form, after, secret})
		if strings.Contains(m.Text(got), secret) {
			t.Fatalf("%q holds %q", got, secret)
		}
	})
}
