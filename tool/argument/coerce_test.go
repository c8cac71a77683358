package argument

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const coerceSchema = `{
	"type": "object", "additionalProperties": false, "required": ["ref"],
	"properties": {
		"ref": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"}, "force": {"type": "boolean"},
		"button": {"type": "string", "enum": ["left", "right", "middle"]},
		"keys": {"type": "array", "items": {"type": "string"}},
		"rows": {"type": "array", "items": {"type": "integer"}},
		"either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
		"at": {"type": "object", "additionalProperties": false, "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}},
		"nodeSelector": {"type": "object"}, "headers": {"type": "object", "additionalProperties": {"type": "string"}},
		"expected": {}, "maybe": {"type": ["integer", "null"]}
	}
}`

func coerceInput(t testing.TB) *jsonschema.Schema {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(coerceSchema), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestCoerce proves that what is typed at a shell becomes what the schema wants.
func TestCoerce(t *testing.T) {
	tests := []struct {
		name, base string
		items      []string
		want       string
	}{
		{"nothing", "", nil, `{}`},
		{"a base alone stays as it is", `{"b": 1}`, nil, `{"b": 1}`},
		{"a string stays what it is", "", []string{"ref=5"}, `{"ref":"5"}`},
		{"a string may hold equals signs", "", []string{"ref=a=b"}, `{"ref":"a=b"}`},
		{"a string may be empty", "", []string{"ref="}, `{"ref":""}`},
		{"a string may look like JSON", "", []string{`ref={"a":1}`}, `{"ref":"{\"a\":1}"}`},
		{"numbers", "", []string{"count=3", "ratio=0.50"}, `{"count":3,"ratio":0.50}`},
		{"booleans", "", []string{"force=yes"}, `{"force":true}`},
		{"an enum in another case", "", []string{"button=LEFT"}, `{"button":"left"}`},
		{"a list of one", "", []string{"keys=a"}, `{"keys":["a"]}`},
		{"a list by repetition", "", []string{"rows=1", "rows=2"}, `{"rows":[1,2]}`},
		{"a list as JSON", "", []string{`keys=["a","b"]`, "keys=c"}, `{"keys":["a","b","c"]}`},
		{"an empty list", "", []string{"keys=[]"}, `{"keys":[]}`},
		{"a word or a list: a word", "", []string{"either=a"}, `{"either":"a"}`},
		{"a word or a list: a list", "", []string{`either=["a"]`}, `{"either":["a"]}`},
		{"an object by its parts", "", []string{"at.x=1", "at.y=2"}, `{"at":{"x":1,"y":2}}`},
		{"an object as JSON", "", []string{`at={"x":1}`}, `{"at":{"x":1}}`},
		{"an object that says nothing of its parts", "", []string{"nodeSelector.web.ariaRole=button", "nodeSelector.index=1"},
			`{"nodeSelector":{"index":1,"web":{"ariaRole":"button"}}}`},
		{"a key with dots", "", []string{"headers.X.Y=z"}, `{"headers":{"X.Y":"z"}}`},
		{"any: JSON or a word", "", []string{"expected=5"}, `{"expected":5}`},
		{"any: a word", "", []string{"expected=five"}, `{"expected":"five"}`},
		{"null where it may be", "", []string{"maybe=null"}, `{"maybe":null}`},
		{"a token gets its type later", "", []string{"count={{n}}"}, `{"count":"{{n}}"}`},
		{"items win over the base", `{"ref":"a","count":1}`, []string{"ref=b"}, `{"count":1,"ref":"b"}`},
		{"a list replaces the base's", `{"keys":["a"]}`, []string{"keys=b"}, `{"keys":["b"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Coerce(coerceInput(t), json.RawMessage(tt.base), tt.items)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Errorf("Coerce(%q) (-want +got):\n%s", tt.items, d)
			}
		})
	}
}

// TestCoerceMistakes proves that every mistake is told at once, each with what was wanted.
func TestCoerceMistakes(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		want  []string
	}{
		{"no equals sign", []string{"e12"}, []string{`"e12" is not name=value`, "parameter ref is missing"}},
		{"no name", []string{"=x", "ref=e1"}, []string{`"=x" is not name=value`}},
		{"a slip in the name", []string{"ref=e1", "cuont=3"}, []string{"cuont", "did you mean count"}},
		{"a slip in a part", []string{"ref=e1", "at.z=3"}, []string{"z", "(in at)"}},
		{"not a number", []string{"count=many", "ref=e1"}, []string{`parameter count: want a whole number, got "many"`}},
		{"not a whole number", []string{"count=1.5", "ref=e1"}, []string{"want a whole number"}},
		{"not a truth", []string{"force=maybe", "ref=e1"}, []string{"want true or false"}},
		{"none of an enum", []string{"button=lfet", "ref=e1"}, []string{"none of left, right, middle; did you mean left?"}},
		{"in a list", []string{"rows=1", "rows=x", "ref=e1"}, []string{`parameter rows: want a whole number, got "x"`}},
		{"twice", []string{"ref=a", "ref=b"}, []string{"parameter ref is given twice"}},
		{"parts of what has none", []string{"ref.x=a"}, []string{"parameter ref has no parts", "parameter ref is missing"}},
		{"part of no name", []string{"at.=1", "ref=a", "nodeSelector.a..b=1"}, []string{`"at." is not a parameter's name`, `"nodeSelector.a..b" is not`}},
		{"all at once", []string{"count=x", "force=x", "nope"}, []string{"4 arguments are wrong", "count", "force", "nope", "ref is missing"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Coerce(coerceInput(t), nil, tt.items)
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("Coerce(%q) = %s, %v, want an invalid fault", tt.items, got, err)
			}
			for _, w := range tt.want {
				if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(w)) {
					t.Errorf("Coerce(%q) says %q, want %q in it", tt.items, err, w)
				}
			}
		})
	}
	if _, err := Coerce(nil, json.RawMessage(`[1]`), []string{"a=b"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a base that is no object: %v, want an invalid fault", err)
	}
}

// FuzzCoerceStrings: whatever is typed gives a JSON object or an invalid fault, and a string arrives as it was typed.
func FuzzCoerceStrings(f *testing.F) {
	f.Add("ref=e1", "count=3")
	f.Add("at.x=1", "at={}")
	f.Add("keys=[", "keys=[]")
	f.Add("nodeSelector.a.b=1", "nodeSelector.a=2")
	f.Add("count=1e400", "ratio=-0")
	s := coerceInput(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := Coerce(s, nil, []string{a, b})
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%q, %q: %v, want an invalid fault", a, b, err)
			}
			return
		}
		v, err := Decode(got)
		if err != nil {
			t.Fatalf("%q, %q became %s: %v", a, b, got, err)
		}
		obj, _ := v.(map[string]any)
		if text, ok := strings.CutPrefix(a, "ref="); ok && strings.ToValidUTF8(text, "�") == text && obj["ref"] != text {
			t.Fatalf("%q became %v", a, obj["ref"])
		}
	})
}

// TestFields reads objects in their order, with the bytes of their values, and nothing else as one.
func TestFields(t *testing.T) {
	const text = `{"b": 1.0, "a":{"z":1, "y":2}, "b":"\u00e9"}`
	fields, ok := FieldsOf(json.RawMessage(text))
	if !ok || string(fields.JSON()) != `{"b":1.0,"a":{"z":1, "y":2},"b":"\u00e9"}` || string(fields.Get("b")) != "1.0" || fields.Get("c") != nil {
		t.Errorf("read %q, %t", fields, ok)
	}
	for text, read := range map[string]int{`[1]`: 0, `null`: 0, ``: 0, `{"a":1,"b"`: 1, `{"a":1,2}`: 1} {
		if fields, ok := FieldsOf(json.RawMessage(text)); ok || len(fields) != read {
			t.Errorf("%s: %q, %t", text, fields, ok)
		}
	}
}
