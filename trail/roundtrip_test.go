package trail

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// sameTrail compares what trails mean: not where their parts stand.
var sameTrail = cmp.Options{
	cmpopts.IgnoreTypes(Pos{}),
	cmpopts.IgnoreFields(Trail{}, "Path", "Source"),
	cmp.FilterPath(func(p cmp.Path) bool { return !strings.Contains(p.String(), "Recordings") }, cmpopts.EquateEmpty()),
	cmp.Comparer(func(a, b map[string][]Recorded) bool {
		return maps.EqualFunc(a, b, func(x, y []Recorded) bool {
			return slices.EqualFunc(x, y, func(x, y Recorded) bool { return x.Name == y.Name && string(x.Args) == string(y.Args) })
		})
	}),
}

// awkward are the strings that YAML writers get wrong.
var awkward = []string{
	"yes", "No", "on", "null", "~", "true", "0123", "1_000", "1:30", "2024-01-01", "1e3", ".5", "-", "- a", "? b", "a: b",
	"a #b", "#c", "{{x}}", "{{memory.pw}} and ${y}", "[a]", "*x", "&x", "!t", "|", ">", "%", "@x", "`x`", "'", `"`, `it's "x"`,
	`\d+\.\d+`, `C:\dir\`, "tab\there", "nl\n", "two\nlines", "two\n\nlines\n", " lead", "trail ", "line \nspace", "\n", "\n\nx",
	"x\n  indented\n y", "é ü 漢字 😀", "\u2028", "\u0085", "\ufeff", "\x00", "\x7f", "a\rb", "a\r\nb", "---", "...", "--- x", "a:", ":a",
	"=", "<<", "0x1F", "0o7", "+1", "-0", ".inf", "-.nan", "x\t", "a\n\n\n", "# not\na comment", "- x\n- y", "key: |\n  v", "",
	strings.Repeat("long ", 150) + "end", "a, b", "a]b", "http://x.y/?a=b&c=d#e", "<b>&amp;</b>", "\u00a0", "a\u00a0", "x\n\ty",
}

func genText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(awkward), rapid.String(), rapid.StringMatching(`[a-z :#\-{}\[\]'"\\\n]{0,20}`))
}

// genProse is text as Parse leaves it: trimmed and not empty.
func genProse() *rapid.Generator[string] {
	return rapid.Map(genText(), func(s string) string {
		if s = strings.TrimSpace(strings.ToValidUTF8(s, "?")); s == "" {
			return "do it"
		}
		return s
	})
}

func genJSON(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(genText(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(genJSON(depth-1), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(genText(), genJSON(depth-1), 0, 3), func(m map[string]any) any { return m }))
}

func genCall() *rapid.Generator[Recorded] {
	return rapid.Custom(func(t *rapid.T) Recorded {
		args := rapid.MapOfN(genText(), genJSON(3), 0, 3).Draw(t, "args")
		n := mustNode(t, args)
		return Recorded{Call: tool.Call{Name: rapid.StringMatching(`[a-z]+(_[a-zA-Z]+)?`).Draw(t, "tool"), Args: n.appendJSON(nil)}}
	})
}

func mustNode(t *rapid.T, v any) *node {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	n, err := jsonNode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func genClassifier() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"web", "android", "ios", "android-phone", "no", "1", "true-x"})
}

func genDriver() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"PLAYWRIGHT_NATIVE", "ANDROID_ONDEVICE_ACCESSIBILITY", "IOS_HOST", "no", "it's: odd"})
}

func genStep() *rapid.Generator[Step] {
	return rapid.Custom(func(t *rapid.T) Step {
		s := Step{
			Kind: rapid.SampledFrom([]StepKind{ActionStep, VerifyStep}).Draw(t, "kind"), Text: genProse().Draw(t, "text"),
			Recordable: rapid.Bool().Draw(t, "recordable"),
		}
		if rapid.Bool().Draw(t, "retries") {
			n := rapid.IntRange(0, 9).Draw(t, "n")
			s.MaxRetries = &n
		}
		if s.Recordable {
			s.Recordings = rapid.MapOfN(genClassifier(), rapid.SliceOfN(genCall(), 0, 3), 0, 3).Draw(t, "recordings")
		}
		return s
	})
}

func genTrail() *rapid.Generator[*Trail] {
	return rapid.Custom(func(t *rapid.T) *Trail {
		text := func(name string) string {
			return rapid.OneOf(rapid.Just(""), genProse()).Draw(t, name)
		}
		table := rapid.MapOfN(genClassifier(), genProse(), 0, 2)
		out := &Trail{Format: Unified, Steps: rapid.SliceOfN(genStep(), 1, 4).Draw(t, "steps")}
		out.Config = Config{
			ID: text("id"), Title: text("title"), Description: text("description"), Priority: text("priority"), Target: text("target"),
			Context: text("context"), Devices: rapid.MapOfN(genClassifier(), genDriver(), 0, 2).Draw(t, "devices"), Skip: table.Draw(t, "skip"),
			Tags:   rapid.SliceOfN(genProse(), 0, 2).Draw(t, "tags"),
			Memory: rapid.MapOfN(genText(), genText(), 0, 3).Draw(t, "memory"), Metadata: rapid.MapOfN(genText(), genText(), 0, 2).Draw(t, "metadata"),
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,4}`), 0, 3, rapid.ID[string]).Draw(t, "args") {
			out.Config.Args = append(out.Config.Args, genArg(t, name))
		}
		if rapid.Bool().Draw(t, "head") {
			head := genStep().Draw(t, "trailhead")
			head.Kind, head.Recordable = TrailheadStep, true
			for k, calls := range head.Recordings {
				head.Recordings[k] = calls[:min(1, len(calls))]
			}
			out.Trailhead = &head
		}
		return out
	})
}

func genArg(t *rapid.T, name string) Arg {
	a := Arg{Name: name, Type: rapid.SampledFrom(argTypes).Draw(t, "type"), Description: rapid.OneOf(rapid.Just(""), genProse()).Draw(t, "about")}
	var v any
	switch a.Type {
	case "string":
		v = genText().Draw(t, "default")
	case "integer":
		v = rapid.Int64().Draw(t, "default")
	case "boolean":
		v = rapid.Bool().Draw(t, "default")
	case "array":
		v = rapid.SliceOfN(genJSON(1), 0, 2).Draw(t, "default")
	case "object":
		v = rapid.MapOfN(genText(), genJSON(1), 0, 2).Draw(t, "default")
	}
	if rapid.Bool().Draw(t, "optional") {
		a.Default = mustNode(t, v).appendJSON(nil)
	}
	return a
}

// R12: what is written is read back as the same trail, whatever the strings in it look like.
func TestEncodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genTrail().Draw(t, "trail")
		data, err := Encode(want)
		if err != nil {
			t.Fatalf("Encode: %v", err)
		}
		got, problems := Parse("x.trail.yaml", data, Strict)
		if err := problems.Err(); err != nil {
			t.Fatalf("Parse: %v\n%s", err, data)
		}
		if diff := cmp.Diff(want, got, sameTrail); diff != "" {
			t.Fatalf("read back (-want +got):\n%s\n%s", diff, data)
		}
		again, err := Encode(got)
		if err != nil || string(again) != string(data) {
			t.Fatalf("a second Encode differs: %v\n%s\n---\n%s", err, data, again)
		}
	})
}
