package argument

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	google "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas are such as tools have, and some with keywords that only the library decides.
var schemas = []string{
	`{"type":"object","properties":{"ref":{"type":"string","minLength":2,"maxLength":4}` +
		`,"n":{"type":"integer","minimum":1,"maximum":9}},"required":["ref"],"additionalProperties":false}`,
	`{"type":"object","properties":{"way":{"type":"string","enum":["up","down"]},"x":{"type":["number","null"],"exclusiveMinimum":0,"exclusiveMaximum":1}}}`,
	`{"type":"object","properties":{"items":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"object",` +
		`"properties":{"label":{"type":"string","pattern":"^a"}},"required":["label"],"additionalProperties":false}}}}`,
	`{"type":"object","properties":{"v":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}` +
		`,"w":{"oneOf":[{"type":"number"},{"type":"integer"}]}}}`,
	`{"type":"object","additionalProperties":{"type":"integer"}}`,
	`{"type":"object","properties":{"k":{"const":3},"no":false},"allOf":[{"required":["k"]}]}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"string"}},"minProperties":1}`,
	`{"type":"object","properties":{"a":{"type":"integer","multipleOf":5}},"if":{"required":["a"]},"then":{"required":["b"]}}`,
}

var instances = []string{
	`{}`, `{"ref":"ab"}`, `{"ref":"a"}`, `{"ref":"abcde"}`, `{"ref":"ab","n":0}`, `{"ref":"ab","n":1.5}`, `{"ref":"ab","n":2.0}`, `{"ref":"ab","n":1e1}`,
	`{"ref":"ab","zz":1}`, `{"ref":5}`, `{"ref":null}`, `{"way":"up"}`, `{"way":"left"}`, `{"x":null}`, `{"x":0.5}`, `{"x":0}`, `{"x":1}`, `{"x":"1"}`,
	`{"items":[]}`, `{"items":[{"label":"a"}]}`, `{"items":[{"label":"a"},{"label":"a"}]}`, `{"items":[{"label":"b"},{"label":"a"},3]}`,
	`{"items":[{"lable":"a"}]}`,
	`{"v":"s"}`, `{"v":["s"]}`, `{"v":[1]}`, `{"v":{}}`, `{"w":1}`, `{"w":1.5}`, `{"w":"x"}`, `{"k":3}`, `{"k":3.0,"no":1}`, `{"k":4}`, `{"q":1}`, `{"q":"1"}`,
	`{"a":"t"}`, `{"a":5}`, `{"a":5,"b":1}`, `{"a":7,"b":1}`, `{"n":123456789012345678901234567890,"ref":"ab"}`, `{"x":1e400}`,
}

// FuzzCheck holds our own look at arguments against a validator that knows all of JSON Schema: they agree on what is
// valid, whatever the arguments. The other one is not in the product because loading it takes 3 ms of every command.
func FuzzCheck(f *testing.F) {
	for s := range schemas {
		for _, i := range instances {
			f.Add(s, i)
		}
	}
	f.Fuzz(func(t *testing.T, which int, instance string) {
		if which < 0 || which >= len(schemas) || len(instance) > 4096 {
			t.Skip("no such schema")
		}
		decoded, err := Decode(json.RawMessage(instance))
		obj, ok := decoded.(map[string]any)
		if err != nil || !ok || hugeExponent.MatchString(instance) {
			t.Skip("not arguments")
		}
		var schema google.Schema
		if err := json.Unmarshal([]byte(schemas[which]), &schema); err != nil {
			t.Fatal(err)
		}
		found, err := (&Checker{Schema: &schema}).check(obj)
		if err != nil {
			t.Fatal(err)
		}
		oracle := compile(t, schemas[which]).Validate(obj)
		if (oracle == nil) != (len(found) == 0) {
			t.Errorf("%s\n%s\nours: %v\noracle: %v", schemas[which], instance, sentences(found), oracle)
		}
		for _, v := range found {
			if strings.TrimSpace(v.text) == "" {
				t.Errorf("a violation at %v says nothing", v.at)
			}
		}
	})
}

// hugeExponent is what the oracle would compute in full.
var hugeExponent = regexp.MustCompile(`[eE][+-]?\d{4}`)

func compile(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool:input", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("tool:input")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTokensAreNotJudged: what a token will be is not known when a file is checked, in one form or in several.
func TestTokensAreNotJudged(t *testing.T) {
	schema := &google.Schema{Type: "object", Properties: map[string]*google.Schema{
		"n": {Type: "integer"}, "v": {AnyOf: []*google.Schema{{Type: "integer"}, {Type: "array", Items: &google.Schema{Type: "integer"}}}},
	}}
	for args, want := range map[string]int{
		`{"n":"{{n}}","v":["{{n}}"]}`: 0, `{"n":"x"}`: 1, `{"v":["x"]}`: 1, `{"v":"${v}"}`: 0, `{"n":"x","v":"{{n}}"}`: 1,
	} {
		got, err := Lint("demo_pick", schema, json.RawMessage(args))
		if err != nil || len(got) != want {
			t.Errorf("%s: %v %v, want %d violations", args, got, err, want)
		}
	}
}
