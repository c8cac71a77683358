package values_test

import (
	"math"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/values"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestCalculate(t *testing.T) {
	tests := []struct {
		name, in string
		want     float64
	}{
		{"a number", "42", 42},
		{"order", "2 + 3 * 4", 14},
		{"brackets", "(2 + 3) * 4", 20},
		{"left to right", "10 - 3 - 2", 5},
		{"division", "7 / 2", 3.5},
		{"remainder", "7 % 4", 3},
		{"power", "2 ^ 10", 1024},
		{"power goes right", "2 ^ 3 ^ 2", 512},
		{"minus before a power", "-2 ^ 2", -4},
		{"a negative exponent", "2 ^ -1", 0.5},
		{"signs", "--3 - -+2", 5},
		{"a function", "round(2.4) + abs(-3)", 5},
		{"a constant", "2 * pi", 2 * math.Pi},
		{"prices", "$1,299.50 * 2", 2599},
		{"an exponent", "1.5e3", 1500},
		{"a typographic minus", "5 − 2 × 2", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := values.Calculate(tt.in)
			if err != nil || math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Calculate(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
			}
		})
	}
	for _, bad := range []string{"", "2 +", "(2", "2)", "2 3", "1,5", "1,00", "1/0", "5 % 0", "sqrt 4", "nope(2)", "x", "sqrt(-1)", "1e999",
		strings.Repeat("(", 500)} {
		if got, err := values.Calculate(bad); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Calculate(%.20q) = %v, %v, want it refused", bad, got, err)
		}
	}
}

func FuzzCalculate(f *testing.F) {
	for _, s := range []string{"2 + 3 * (4 - 1) ^ 2", "$1,299.50", "round(pi) % 2", "--+1e5", "((((", "1e", "€", "−2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := values.Calculate(s)
		if err == nil && (math.IsNaN(got) || math.IsInf(got, 0)) {
			t.Errorf("Calculate(%q) = %v without an error", s, got)
		}
	})
}

func run(t *testing.T, env tooltest.Env, name string, args map[string]any) (*tool.Result, error) {
	t.Helper()
	for _, tl := range values.Tools() {
		if tl.Spec().Name == name {
			r, err := tl.Run(t.Context(), env, tooltest.Args(args))
			if err == nil && r.IsError {
				err = r.Err()
			}
			return r, err
		}
	}
	t.Fatalf("no tool %s", name)
	return nil, nil
}

func TestAssertions(t *testing.T) {
	tests := []struct {
		name, tool string
		args       map[string]any
		kind       fault.Kind
	}{
		{"equal", "assertEquals", map[string]any{"actual": " a ", "expected": "a"}, ""},
		{"a number and its text", "assertEquals", map[string]any{"actual": 3, "expected": "3"}, ""},
		{"not equal", "assertEquals", map[string]any{"actual": "a", "expected": "A"}, fault.Assertion},
		{"differ", "assertNotEquals", map[string]any{"actual": "a", "expected": "b"}, ""},
		{"do not differ", "assertNotEquals", map[string]any{"actual": "a", "expected": "a"}, fault.Assertion},
		{"math", "assertMath", map[string]any{"expression": "0.1 + 0.2", "expected": "0.3"}, ""},
		{"math within upstream's tolerance", "assertMath", map[string]any{"expression": "1/3", "expected": "0.33335"}, ""},
		{"math beyond it", "assertMath", map[string]any{"expression": "1/3", "expected": "0.3335"}, fault.Assertion},
		{"math that needs a model", "assertMath", map[string]any{"expression": "[[the price]] * 2", "expected": "4"}, fault.Unsupported},
		{"math that is none", "assertMath", map[string]any{"expression": "two", "expected": "2"}, fault.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := run(t, tooltest.Env{Mem: memory.New()}, tt.tool, tt.args)
			if got := fault.KindOf(err); got != tt.kind {
				t.Errorf("%s(%v) = %v, want kind %q", tt.tool, tt.args, err, tt.kind)
			}
		})
	}
}

func TestRemember(t *testing.T) {
	page := tooltest.Page(
		&screen.Node{Role: "paragraph", Text: "Order no. 4711", Native: &screen.Web{TestID: "order"}},
		&screen.Node{Role: "textbox", Name: "Name", Value: "Ada", Ref: "e1", State: screen.Editable},
		&screen.Node{Role: "paragraph", Text: "Order no. 9999", Visibility: screen.Hidden},
	)
	tests := []struct {
		name string
		args map[string]any
		want string // "" is a failure
	}{
		{"a text", map[string]any{"id": "order"}, "Order no. 4711"},
		{"a part of it", map[string]any{"id": "order", "regex": `\d+`}, "4711"},
		{"the first group", map[string]any{"id": "order", "regex": `no\. (\d\d)`}, "47"},
		{"a field's value", map[string]any{"ref": "e1"}, "Ada"},
		{"anywhere on the screen", map[string]any{"regex": `Order no\. (\d+)`}, "4711"},
		{"given", map[string]any{"value": "x"}, "x"},
		{"what nobody can see", map[string]any{"regex": `99+`, "timeoutMs": 1}, ""},
		{"what does not match", map[string]any{"id": "order", "regex": "none", "timeoutMs": 1}, ""},
		{"nothing", map[string]any{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := memory.New()
			tt.args["variable"] = "it"
			_, err := run(t, tooltest.Env{Dev: tooltest.NewDevice(page), Mem: m}, "remember", tt.args)
			got, ok := m.Get("it")
			if ok != (tt.want != "") || ok && got != tt.want {
				t.Errorf("remembered %v (%t), %v, want %q", got, ok, err, tt.want)
			}
		})
	}
}

func TestDumpMemoryHidesSecrets(t *testing.T) {
	m := memory.New()
	m.Set("user", "ada")
	m.SetSecret("password", "hunter2")
	r, err := run(t, tooltest.Env{Mem: m}, "dumpMemory", nil)
	if err != nil {
		t.Fatal(err)
	}
	all := r.Text() + string(r.Value)
	if !strings.Contains(all, "ada") || !strings.Contains(all, "password") || strings.Contains(all, "hunter2") {
		t.Errorf("dump = %s, want the user, the secret's name, and not the secret", all)
	}
}
