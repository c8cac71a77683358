package trail

import (
	"fmt"
	"strings"
	"testing"
)

// TestJSONIsYAML: a trail that a program wrote as JSON is read, however many keys it has.
func TestJSONIsYAML(t *testing.T) {
	var steps []string
	for i := range 300 {
		steps = append(steps, fmt.Sprintf("{\n \"step\": \"Step %d\",\n \"recording\": {\n  \"web\": [\n   {\"web_wait\": {\"seconds\": 1}}\n  ]\n }\n}", i))
	}
	tr, problems := Parse("j.trail.yaml", []byte("{\"config\": {\"title\": \"J\"},\n\"trail\": ["+strings.Join(steps, ",\n")+"]}"), Strict)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if len(tr.Steps) != 300 {
		t.Errorf("read %d steps, want 300", len(tr.Steps))
	}
}
