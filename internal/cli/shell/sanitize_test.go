package shell

import (
	"strings"
	"testing"
	"unicode"
)

// What a page says is data, on a terminal, too.
func TestSanitize(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Grüße\n\tan 世界 👍🏽", "Grüße\n\tan 世界 👍🏽"},
		{"our colours", styles{true}.Bad("error:") + " no " + styles{true}.Dim("why"), styles{true}.Bad("error:") + " no " + styles{true}.Dim("why")},
		{"a title", "\x1b]0;owned\a", "␛]0;owned␇"},
		{"the clipboard", "\x1b]52;c;Zm9v\x1b\\", "␛]52;c;Zm9v␛\\"},
		{"a cleared screen", "\x1b[2J\x1b[H", "␛[2J␛[H"},
		{"hidden text", "\x1b[8mhidden\x1b[0m", "␛[8mhidden\x1b[0m"},
		{"a line written over", "all is well\rdanger", "all is well␍danger"},
		{"backspaces and delete", "ab\b\x7f", "ab␈␡"},
		{"one-byte commands", "\u009b2J", "\ufffd2J"},
		{"a turned line", "\u202eexe.txt", "\ufffdexe.txt"},
		{"an escape before a colour", "\x1b\x1b[31m", "␛\x1b[31m"},
	} {
		if got := sanitize(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A page's text reaches a terminal through printf and errorf.
func TestPrintedTextIsTame(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out, errs strings.Builder
		a := &Shell{Streams: Streams{Out: &out, Err: &errs, Terminal: terminal}}
		a.Printf("%s\n", "\x1b[2Jpage")
		a.Warn("%s", "\x1b[2Jpage")
		if strings.Contains(out.String()+errs.String(), "\x1b") {
			t.Errorf("terminal %v: %q %q", terminal, out.String(), errs.String())
		}
	}
}

// Off a terminal no line is a command of a build server.
func TestBuildServersGetNoCommands(t *testing.T) {
	var out, errs strings.Builder
	a := &Shell{Streams: Streams{Out: &out, Err: &errs}}
	a.Printf("%s\n", "a\n::error::x\n  ##[group]\n##vso[task.complete]\n##teamcity[x]\nC::D # e\n## Heading")
	a.Warn("%s", "x\n::add-mask::y")
	if want := "a\n: :error::x\n  # #[group]\n# #vso[task.complete]\n# #teamcity[x]\nC::D # e\n## Heading\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if strings.Contains(errs.String(), "\n::") {
		t.Errorf("%q", errs.String())
	}
}

func FuzzSanitize(f *testing.F) {
	f.Add("a\x1b[31mb\x1b]0;x\a")
	f.Fuzz(func(t *testing.T, text string) {
		got := painted().ReplaceAllString(sanitize(text), "")
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%q keeps a control character: %q", text, got)
		}
		if sanitize(sanitize(text)) != sanitize(text) {
			t.Errorf("%q is not at rest: %q", text, sanitize(text))
		}
	})
}
