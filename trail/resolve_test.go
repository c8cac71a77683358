package trail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestChain(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []string
		want []string
	}{
		{"one", []string{"web"}, []string{"web"}},
		{"phone", []string{"android", "phone"}, []string{"android-phone", "android", "phone"}},
		{"already compound", []string{"android-phone-37"}, []string{"android-phone-37", "android-phone", "android"}},
		{"cloud device", []string{"ios", "revyl-cloud"}, []string{"ios-revyl-cloud", "ios-revyl", "ios", "revyl-cloud", "revyl"}},
		{"blanks dropped", []string{" ", "web", ""}, []string{"web"}},
		{"none", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Chain(test.in)); diff != "" {
				t.Errorf("Chain(%q) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// Closest class wins for recordings, drivers and skips; the three states stay apart.
func TestResolve(t *testing.T) {
	tr := mustParse(t, `
config:
  devices: { android: A, android-tablet: T }
  skip: { ios: "blocked", android-phone: "", android: "slow" }
trailhead:
  step: go
  recording: { android: {} }
trail:
  - step: one
    recording:
      android: [ { tap: { x: 1 } } ]
      android-phone: [ { tap: { x: 2 } } ]
      web: []
`)
	for _, test := range []struct {
		device          []string
		head, step      State
		class, arg      string
		driver, skipped string
	}{
		{[]string{"android", "phone"}, StateNoop, StateRecorded, "android-phone", `{"x":2}`, "A", ""},
		{[]string{"android", "tablet"}, StateNoop, StateRecorded, "android", `{"x":1}`, "T", "slow"},
		{[]string{"web"}, StateUndeclared, StateNoop, "web", "", "", ""},
		{[]string{"ios", "iphone"}, StateUndeclared, StateUndeclared, "", "", "", "blocked"},
		{nil, StateUndeclared, StateUndeclared, "", "", "", "slow"},
	} {
		t.Run(strings.Join(test.device, "-"), func(t *testing.T) {
			steps := tr.Resolve(test.device)
			if len(steps) != 2 || steps[0].Index != -1 || steps[1].Index != 0 {
				t.Fatalf("steps: %+v", steps)
			}
			if steps[0].State != test.head || steps[1].State != test.step || steps[1].Classifier != test.class {
				t.Errorf("states %s, %s by %q; want %s, %s by %q", steps[0].State, steps[1].State, steps[1].Classifier, test.head, test.step, test.class)
			}
			if test.arg != "" && string(steps[1].Calls[0].Args) != test.arg {
				t.Errorf("args %s, want %s", steps[1].Calls[0].Args, test.arg)
			}
			if d := tr.DriverFor(test.device); d != test.driver {
				t.Errorf("driver %q, want %q", d, test.driver)
			}
			if r := tr.SkipReason(test.device); r != test.skipped {
				t.Errorf("skip %q, want %q", r, test.skipped)
			}
		})
	}
}

func TestBindArgs(t *testing.T) {
	tr := mustParse(t, `
config:
  args:
    s: string
    n: { type: integer, default: 1, description: How many }
    b: { type: boolean, default: false }
    l: { type: array, default: [1, a] }
    o: { type: object, default: { k: 1.5 } }
trail: [ { step: a } ]
`)
	for _, test := range []struct {
		name  string
		flags map[string]string
		file  map[string]any
		want  map[string]any
		err   string
	}{
		{"defaults", map[string]string{"s": "x"}, nil,
			map[string]any{"s": "x", "n": int64(1), "b": false, "l": []any{int64(1), "a"}, "o": map[string]any{"k": 1.5}}, ""},
		{"flags win and take the declared type", map[string]string{"s": "12", "n": "3", "b": "true", "l": "[2]", "o": `{"a": "b"}`},
			map[string]any{"s": "file", "n": 9},
			map[string]any{"s": "12", "n": int64(3), "b": true, "l": []any{int64(2)}, "o": map[string]any{"a": "b"}}, ""},
		{"file values take the declared type", nil, map[string]any{"s": 12, "n": "7", "b": "false", "l": []any{}, "o": map[string]any{}},
			map[string]any{"s": "12", "n": int64(7), "b": false, "l": []any{}, "o": map[string]any{}}, ""},
		{"whole float is an integer", map[string]string{"s": ""}, map[string]any{"n": 2.0},
			map[string]any{"s": "", "n": int64(2), "b": false, "l": []any{int64(1), "a"}, "o": map[string]any{"k": 1.5}}, ""},
		{"all errors at once", map[string]string{"n": "many", "b": "yes", "l": "x", "o": "[1]", "nn": "1"}, map[string]any{"zzzz": 1, "s": nil}, nil,
			`argument "s": null is no value; leave it out to use the default; argument "n": "many" is not an integer; ` +
				`argument "b": "yes" is not a boolean; argument "l": "x" is not an array; argument "o": [1] is not an object; ` +
				`the trail declares no argument "nn" (did you mean "n"?); the trail declares no argument "zzzz"`},
		{"missing", nil, map[string]any{"n": 1.5}, nil, `argument "s" (string) is required; argument "n": 1.5 is not an integer`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := tr.BindArgs(test.flags, test.file)
			if test.err != "" {
				if err == nil || err.Error() != "bind arguments: "+test.err || fault.KindOf(err) != fault.Invalid {
					t.Errorf("error\n%v, want\n%s", err, test.err)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestParseArgs(t *testing.T) {
	got, problems := ParseArgs("args.yaml", []byte("sku: mug\nqty: 3\nf: 1.5\nbig: 123456789012345678901\ndeep: { a: [true, null] }\n"))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if got["qty"] != int64(3) || got["f"] != 1.5 || got["sku"] != "mug" {
		t.Errorf("args: %#v", got)
	}
	if _, problems := ParseArgs("args.yaml", []byte("- a\n")); problems.Err() == nil {
		t.Error("a list passed as arguments")
	}
}

func TestDiscover(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"shop/trail.yaml", "shop/checkout.trail.yaml", "shop/notes.yaml", "shop/deep/er/trail.yaml",
		"legacy/web.trail.yaml", "legacy/ios-iphone.trail.yaml", "legacy/ios.trail.yaml", "legacy/blaze.yaml", "legacy/extra.trail.yaml",
		"config/trailblaze.yaml", ".git/trail.yaml", "node_modules/x/trail.yaml", "build/trail.yaml", "alone.trail.yaml", "alone/picture.png",
		"flows/custom.yaml", "empty/readme.md",
	} {
		data := "trail:\n  - step: a\n"
		if strings.HasSuffix(name, "trailblaze.yaml") {
			data = "targets: [shop]\n"
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"alone.trail.yaml", "legacy/blaze.yaml", "legacy/extra.trail.yaml", "legacy/ios-iphone.trail.yaml", "legacy/ios.trail.yaml",
		"legacy/web.trail.yaml", "shop/checkout.trail.yaml", "shop/deep/er/trail.yaml", "shop/trail.yaml"}
	for _, test := range []struct {
		name   string
		args   []string
		device []string
		want   []string
		err    string
	}{
		{"nothing given", nil, nil, all, ""},
		{"the same twice", []string{".", "shop", "shop/trail.yaml"}, nil, all, ""},
		{"a file by any name", []string{"flows/custom.yaml"}, nil, []string{"flows/custom.yaml"}, ""},
		{"glob", []string{"**/trail.yaml"}, nil, []string{"shop/deep/er/trail.yaml", "shop/trail.yaml"}, ""},
		{"glob of any yaml", []string{"{flows,config}/*.yaml"}, nil, []string{"flows/custom.yaml"}, ""},
		{"phone takes its own file", []string{"legacy"}, []string{"ios", "iphone"}, []string{"legacy/extra.trail.yaml", "legacy/ios-iphone.trail.yaml"}, ""},
		{"tablet takes its family's", []string{"legacy"}, []string{"ios", "ipad"}, []string{"legacy/extra.trail.yaml", "legacy/ios.trail.yaml"}, ""},
		{"android takes the sentences", []string{"legacy"}, []string{"android"}, []string{"legacy/blaze.yaml", "legacy/extra.trail.yaml"}, ""},
		{"directory beside its trail", []string{"alone"}, nil, []string{"alone.trail.yaml"}, ""},
		{"empty directory", []string{"empty"}, nil, nil, "no trail in empty"},
		{"missing file", []string{"shop/tral.yaml"}, nil, nil, "does not exist"},
		{"glob without match", []string{"nope/*.yaml"}, nil, nil, "nothing matches"},
		{"broken glob", []string{"shop/[a"}, nil, nil, "no glob"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := DiscoverFor(root, test.args, test.device)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || fault.HintOf(err) == "" && test.err != "no glob" {
					t.Errorf("error %v (hint %q), want %q", err, fault.HintOf(err), test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range got {
				rel, err := filepath.Rel(root, f)
				if err != nil {
					t.Fatal(err)
				}
				got[i] = filepath.ToSlash(rel)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConditional(t *testing.T) {
	for text, want := range map[string]bool{
		"If there is a cookie banner, accept it": true, "Accept the cookies if there is a banner": true, "Open the shop. Unless it is open, log in": true,
		"Falls ein Banner erscheint, schließe es": true, "S'il y a une bannière, ferme-la": true, "Put the mug (if there is one) into the cart": true,
		"Put the mug into the cart": false, "Check if the total is 5": false, "See if it works": false, "Send the gift": false, "Open Wi-Fi if": false, "": false,
	} {
		if got := (&Step{Text: text}).Conditional(); got != want {
			t.Errorf("Conditional(%q) = %t", text, got)
		}
	}
}
