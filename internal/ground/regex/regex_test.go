package regex

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestFindTakesTheFirstGroup(t *testing.T) {
	for _, tt := range []struct {
		pattern, text, want string
		ok                  bool
	}{
		{`Total: (\d+)`, "Sum. Total: 12 EUR", "12", true},
		{`\d+`, "ab 12", "12", true},
		{`(x)?a`, "a", "", true},
		{`(?<=: )(\w+)`, "name: Ada", "Ada", true},
		{`\d`, "none", "", false},
		{`(\d+)$`, strings.Repeat("é ", 50_000) + "7", "7", true},
	} {
		re, err := Compile(tt.pattern, Search)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := re.Find(t.Context(), tt.text)
		if got != tt.want || ok != tt.ok || err != nil {
			t.Errorf("%s: %q, %v, %v; want %q, %v", tt.pattern, got, ok, err, tt.want, tt.ok)
		}
	}
}

// TestBounds: what is too large is refused, and what runs away is given up with an error of its own.
func TestBounds(t *testing.T) {
	for name, p := range map[string]string{
		"long": strings.Repeat("a", MaxPattern+1), "groups": strings.Repeat("(a)", 200_000), "large program": strings.Repeat("(?:a?){300}", 500),
		"nested": strings.Repeat("[", 3000),
	} {
		if _, err := Compile(p, Search); fault.KindOf(err) != fault.Invalid || errors.Is(err, ErrSyntax) && name != "nested" {
			t.Errorf("%s: %v", name, err)
		}
	}
	run, err := Compile(`(?=a)(a+)+$`, Search)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := run.Find(t.Context(), strings.Repeat("a", 40)+"!"); !errors.Is(err, ErrLimit) || fault.HintOf(err) == "" {
		t.Errorf("a pattern that runs away: %v", err)
	}
	if _, _, err := run.Find(t.Context(), strings.Repeat("a", MaxText+1)); !errors.Is(err, ErrLimit) {
		t.Errorf("a text over the bound: %v", err)
	}
}

// TestFindEndsWithItsContext: both engines answer soon after the context is done.
func TestFindEndsWithItsContext(t *testing.T) {
	slow, err := Compile(`(?:a?){900}(?:a?){900}(?:a?){900}b`, Search)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, _, err := slow.Find(ctx, strings.Repeat("a", MaxText))
		done <- err
	}()
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it ran on")
	}
	if _, err := slow.Match(ctx, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("a short text: %v", err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, p := range []string{"a", `\Qx\E+`, "(?=a)(a+)+$", "[a[b&&c]]", `[\Qa-z\E]`, "{{x}}", `\p{L}\x{41}`, "(?<n>a)*+", "((((", "(?x) a #",
		`(?i)é\1`, `\uD83D\uDE00`, `\011`, "^$|a$"} {
		f.Add(p, "aab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for mode := FullText; mode <= Search; mode++ {
			re, err := Compile(pattern, mode)
			if err != nil {
				continue
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			_, _, err = re.Find(ctx, text)
			cancel()
			if errors.Is(err, context.DeadlineExceeded) && len(text) < 1000 {
				t.Errorf("%q took over two seconds", pattern)
			}
		}
	})
}
