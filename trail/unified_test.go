package trail

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trailblaze-dev/trailblaze/tool"
)

func mustParse(t *testing.T, data string) *Trail {
	t.Helper()
	tr, problems := Parse("x.trail.yaml", []byte(data), Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return tr
}

func rec(name, args string) Recorded {
	return Recorded{Call: tool.Call{Name: name, Args: []byte(args)}}
}

// R12: the whole unified grammar, with the types of arguments kept.
func TestParseUnified(t *testing.T) {
	got := mustParse(t, `
config:
  id: shop/checkout
  title: "Checkout"
  priority: P1
  target: shop
  devices: { android: ANDROID_ONDEVICE_ACCESSIBILITY, web: PLAYWRIGHT_NATIVE }
  skip: { ios: "blocked on APP-77" }
  tags: [smoke, checkout]
  context: "Dismiss sheets."
  memory: { email: qa@example.com, port: 8080, on: true }
  args:
    sku: string
    qty: { type: integer, default: 1, description: How many }
    box: { type: object, default: { b: 1.50, a: "x" } }
    tag: { type: string, default: 1.0 }
  metadata: { caseId: C123, source: HANDWRITTEN }
trailhead:
  step: Launch signed in
  recording:
    android: { shop_launch: { email: "{{email}}" } }
    web: {}
  maxRetries: 2
trail:
  - step: Add {{args.qty}} of {{args.sku}}
    recording:
      web:
        - web_click: { n: 1, f: 1.50, big: 123456789012345678901, s: "1", b: true, z: ~, hex: 0x1F, plus: +7, dot: .5, exp: 1e3, word: yes,
            l: [1, a], m: { z: 1, a: 2 } }
        - pressBack:
  - verify: |
      One line
  - step: Survey
    recordable: false
  - step: Tablet
    recording: { android-tablet: [] }
    maxRetries: 0
`)
	two, none := 2, 0
	want := &Trail{
		Format: Unified,
		Config: Config{
			ID: "shop/checkout", Title: "Checkout", Priority: "P1", Target: "shop", Context: "Dismiss sheets.", Tags: []string{"smoke", "checkout"},
			Devices: map[string]string{"android": "ANDROID_ONDEVICE_ACCESSIBILITY", "web": "PLAYWRIGHT_NATIVE"},
			Skip:    map[string]string{"ios": "blocked on APP-77"},
			Memory:  map[string]string{"email": "qa@example.com", "port": "8080", "on": "true"},
			Args: []Arg{
				{Name: "sku", Type: "string"}, {Name: "qty", Type: "integer", Default: []byte("1"), Description: "How many"},
				{Name: "box", Type: "object", Default: []byte(`{"b":1.50,"a":"x"}`)}, {Name: "tag", Type: "string", Default: []byte(`"1.0"`)},
			},
			Metadata: map[string]string{"caseId": "C123", "source": "HANDWRITTEN"},
		},
		Trailhead: &Step{Kind: TrailheadStep, Text: "Launch signed in", Recordable: true, MaxRetries: &two, Recordings: map[string][]Recorded{
			"android": {rec("shop_launch", `{"email":"{{email}}"}`)}, "web": {},
		}},
		Steps: []Step{
			{Kind: ActionStep, Text: "Add {{args.qty}} of {{args.sku}}", Recordable: true, Recordings: map[string][]Recorded{"web": {
				rec("web_click",
					`{"n":1,"f":1.50,"big":123456789012345678901,"s":"1","b":true,"z":null,"hex":31,"plus":7,"dot":0.5,"exp":1e3,"word":"yes","l":[1,"a"],"m":{"z":1,"a":2}}`),
				rec("pressBack", `{}`),
			}}},
			{Kind: VerifyStep, Text: "One line", Recordable: true},
			{Kind: ActionStep, Text: "Survey"},
			{Kind: ActionStep, Text: "Tablet", Recordable: true, MaxRetries: &none, Recordings: map[string][]Recorded{"android-tablet": {}}},
		},
	}
	if diff := cmp.Diff(want, got, sameTrail); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
	if p := got.Steps[0].Recordings["web"][1].Pos; p != (Pos{Line: 30, Col: 11}) {
		t.Errorf("second call stands at %v, want 30:11", p)
	}
}

// The v1 list with its string shorthand, root-level tools and three states.
func TestParseV1(t *testing.T) {
	got := mustParse(t, `
- config:
    title: Add item
    platform: web
    driver: PLAYWRIGHT_NATIVE
    source: { type: HANDWRITTEN, reason: by hand }
    skip: flaky
- trailhead: myapp_freshInstall
- prompts:
    - step: Open
      maxRetries: 5
      recording:
        tools:
          - web_click: { ref: e7 }
    - verify: Badge
    - step: Nothing
      recording: { tools: [] }
- tools:
    - web_wait: { seconds: 1 }
`)
	five := 5
	one := func(calls ...Recorded) map[string][]Recorded {
		return map[string][]Recorded{V1Classifier: append([]Recorded{}, calls...)}
	}
	want := &Trail{
		Format: V1,
		Config: Config{Title: "Add item", Platform: "web", Devices: map[string]string{"": "PLAYWRIGHT_NATIVE"}, Skip: map[string]string{"": "flaky"},
			Metadata: map[string]string{"source": "HANDWRITTEN", "sourceReason": "by hand"}},
		Trailhead: &Step{Kind: TrailheadStep, Text: "myapp_freshInstall", Recordable: true, Recordings: one(rec("myapp_freshInstall", "{}"))},
		Steps: []Step{
			{Kind: ActionStep, Text: "Open", Recordable: true, MaxRetries: &five, Recordings: one(rec("web_click", `{"ref":"e7"}`))},
			{Kind: VerifyStep, Text: "Badge", Recordable: true},
			{Kind: ActionStep, Text: "Nothing", Recordable: true, Recordings: one()},
			{Kind: ToolsStep, Text: "Run web_wait", Recordable: true, Recordings: one(rec("web_wait", `{"seconds":1}`))},
		},
	}
	if diff := cmp.Diff(want, got, sameTrail); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
	if got.DriverFor([]string{"web"}) != "PLAYWRIGHT_NATIVE" || got.SkipReason([]string{"web"}) != "flaky" {
		t.Errorf("driver %q, skip %q", got.DriverFor([]string{"web"}), got.SkipReason([]string{"web"}))
	}
	var states []State
	for _, s := range got.Resolve([]string{"web"}) {
		states = append(states, s.State)
	}
	if diff := cmp.Diff([]State{StateRecorded, StateRecorded, StateUndeclared, StateNoop, StateRecorded}, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if data, err := Encode(got); err != nil || !strings.Contains(string(data), "  devices:\n    web: PLAYWRIGHT_NATIVE\n") {
		t.Errorf("as unified: %v\n%s", err, data)
	}
}

// TestParseOlderV1: config keys that only older files have are read with a warning each.
func TestParseOlderV1(t *testing.T) {
	tr, problems := Parse("older.yaml", []byte(`
- config:
    title: Chat
    targetApp: com.example.chat
    driver: PLAYWRIGHT_ELECTRON
    electron:
      command: /opt/chat
      args: [--quiet]
      cdpPort: 9222
- prompts:
    - step: Say hello
`), Strict)
	if len(problems.Errors()) > 0 || len(problems.Warnings()) != 2 {
		t.Fatalf("problems %v, want two warnings", problems)
	}
	if tr.Config.Target != "com.example.chat" || tr.Config.Title != "Chat" || len(tr.Steps) != 1 {
		t.Errorf("read %+v", tr)
	}
}

// The v2 draft is imported with a note: setup beyond the first call becomes leading steps.
func TestParseDraft(t *testing.T) {
	got, problems := Parse("x", []byte(`
trailhead:
  id: a/b
  platform: Web
  memory: { email: x }
  setup:
    - shop_launch: {}
    - shop_login: { as: "{{email}}" }
trail:
  - objective: Open
    tools:
      - web_click: { ref: e1 }
  - objective: Look
`), Strict)
	if problems.Err() != nil || len(problems.Notes()) != 1 {
		t.Fatalf("problems: %v", problems)
	}
	data, err := Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	want := `config:
  id: a/b
  memory:
    email: x

trailhead:
  step: Run shop_launch
  recording:
    web:
      shop_launch: {}

trail:
  - step: Run shop_login
    recording:
      web:
        - shop_login:
            as: "{{email}}"
  - step: Open
    recording:
      web:
        - web_click:
            ref: e1
  - step: Look
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("as unified (-want +got):\n%s", diff)
	}
}

func TestParseCalls(t *testing.T) {
	got, problems := ParseCalls("-", []byte("- web_click: { ref: e1 }\n- pressBack:\n"))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Recorded{rec("web_click", `{"ref":"e1"}`), rec("pressBack", "{}")}, got, cmpopts.IgnoreTypes(Pos{})); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if _, problems = ParseCalls("-", []byte("- web_click: 3\n- [a]\n")); len(problems.Errors()) != 2 {
		t.Errorf("two bad calls gave %v", problems)
	}
}

// Unknown keys stop a check and not a run; everything else wrong stops both.
func TestLenient(t *testing.T) {
	const data = "config: { titel: a }\nmore: 1\ntrail:\n  - step: a\n    extra: b\n"
	tr, problems := Parse("x", []byte(data), Lenient)
	if tr == nil || problems.Err() != nil || len(problems.Warnings()) != 3 {
		t.Errorf("lenient: %v", problems)
	}
	if _, problems := Parse("x", []byte(data), Strict); len(problems.Errors()) != 3 {
		t.Errorf("strict: %v", problems)
	}
	if _, problems := Parse("x", []byte("trail:\n  - step: a\n    recordable: 1\n"), Lenient); problems.Err() == nil {
		t.Error("a wrong type passed in lenient mode")
	}
}

// What YAML allows and files really contain.
func TestYAML(t *testing.T) {
	step := func(text string) string { return "trail:\n  - step: " + text + "\n" }
	for _, test := range []struct{ name, data, want string }{
		{"byte order mark", "\ufeff" + step("a"), "a"},
		{"carriage returns", strings.ReplaceAll("# c\n"+step("a # d")+"    maxRetries: 1 # e\n", "\n", "\r\n"), "a"},
		{"document start and end", "---\n" + step("a") + "...\n", "a"},
		{"directive", "%YAML 1.2\n---\n" + step("a"), "a"},
		{"folded", "trail:\n  - step: >-\n      a\n      b\n", "a b"},
		{"double quoted over lines", "trail:\n  - step: \"a\n      b\"\n", "a b"},
		{"plain over lines", "trail:\n  - step: a\n      b\n    maxRetries: 1\n", "a b"},
		{"escapes", step(`"\u00e9\x41\U0001F600\/"`), "éA😀/"},
		{"anchor and alias", "config: { title: &t a }\ntrail:\n  - step: *t\n", "a"},
		{"merge key", "config: &c { title: t }\ntrail:\n  - <<: { step: a, maxRetries: 1 }\n    maxRetries: 2\n", "a"},
		{"tagged", step("!!str 12"), "12"},
		{"number as text", step("12"), "12"},
		{"date as text", step("2024-01-01"), "2024-01-01"},
		{"hash in text", step("a#b"), "a#b"},
		{"trailing spaces", step("a   "), "a"},
		{"no newline at the end", strings.TrimSuffix(step("a"), "\n"), "a"},
		{"list without indentation", "trail:\n- step: a\n", "a"},
		{"quoted keys", "\"trail\":\n  - 'step': a\n", "a"},
		{"JSON", `{"trail": [{"step": "a"}]}`, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tr, problems := Parse("x", []byte(test.data), Strict)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			if got := tr.Steps[0].Text; got != test.want {
				t.Errorf("step is %q, want %q", got, test.want)
			}
		})
	}
}

// Hostile files cost no more than their size.
func TestBounded(t *testing.T) {
	laughs := "config:\n  memory:\n    a: &a " + strings.Repeat("x", 100) + "\ntrail:\n  - step: s\n    recording:\n      web:\n"
	laughs += "        - t: &l0 { a: *a }\n"
	for i := range 40 {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		prev := "l0"
		if i > 0 {
			prev = "m" + string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		}
		laughs += "        - t: &m" + n + " { a: *" + prev + ", b: *" + prev + " }\n"
	}
	for _, test := range []struct{ name, data, want string }{
		{"billion laughs", laughs, "expand to more than"},
		{"deep lists", "trail: " + strings.Repeat("[", 100_000), "levels of nesting"},
		{"deep dashes", strings.Repeat("- ", 100_000) + "a", "levels of nesting"},
		{"deep mappings", "trail: " + strings.Repeat("{a: ", 100_000), "levels of nesting"},
		{"deep indentation", deepIndent(400), "levels of nesting"},
		{"deep keys", strings.Repeat("? ", 100_000) + "a", "levels of nesting"},
		{"deep tags", "trail: " + strings.Repeat("!!str ", 100_000) + "a", "levels of nesting"},
		{"large", "trail:\n" + strings.Repeat("# comment\n", maxSource/10+1), "bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, problems := Parse("x", []byte(test.data), Strict)
			if err := problems.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %.300v, want one about %q", err, test.want)
			}
		})
	}
}

func deepIndent(n int) string {
	var b strings.Builder
	b.WriteString("trail:\n")
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
	}
	return b.String()
}
