package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

var update = flag.Bool("update", false, "write the schema")

const schemaFile = "../../../docs/report.schema.json"

// TestSchemaIsCurrent proves that docs/report.schema.json describes what is written.
func TestSchemaIsCurrent(t *testing.T) {
	want, err := report.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("the schema is out of date, run go generate ./internal/trails/report (-want +got):\n%s", d)
	}
}

func TestReportFitsItsSchema(t *testing.T) {
	t.Parallel()
	raw, err := report.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///report", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("file:///report")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteJSON(&b, buildRun(t)); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("the report does not fit: %v", err)
	}
}
