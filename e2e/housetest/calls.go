package housetest

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"
)

//go:embed calls.json
var calls string

// Call is the call of a tool: its name, and its arguments.
type Call struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

// UnmarshalJSON reads a call as an object, or as a list of name and arguments.
func (c *Call) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), "[") {
		return json.Unmarshal(data, &[]any{&c.Tool, &c.Args})
	}
	type plain Call
	return json.Unmarshal(data, (*plain)(c))
}

// Row is a call of a tool that does something on the page ground.html of e2e/mcp.
type Row struct {
	Page   string          `json:"page"` // instead of ground.html
	Before []Call          `json:"before"`
	Args   json.RawMessage `json:"args"`
	After  []Call          `json:"after"`
}

// Rows is the table of calls: of the built-in tools, of a workspace's own tools, and calls that are refused or fail.
type Rows struct {
	Tools  map[string]Row  `json:"tools"`
	Own    map[string]Row  `json:"own"`
	Errors map[string]Call `json:"errors"`
}

// CallRows reads the table for pages that are served at url. The clients of e2e/mcp read the same file.
func CallRows(t testing.TB, url string) (r Rows) {
	t.Helper()
	if err := json.Unmarshal([]byte(strings.ReplaceAll(calls, "{{url}}", url)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}
