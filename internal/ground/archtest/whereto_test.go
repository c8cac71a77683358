package archtest

import (
	"regexp"
	"strings"
	"testing"
)

// asked are the things that somebody who reads only ARCHITECTURE.md can say the file of, with a file that the answer
// must name and what that file must hold for the answer to be true.
var asked = []struct{ row, file, holds string }{
	{"a query tool", "internal/makers/tools/inspect/query.go", "func isVisible() tool.Tool"},
	{"a query tool", "internal/makers/tools/inspect/doc.go", "func Tools() []tool.Tool"},
	{"a policy rule", "internal/call/policy/parse.go", "var topKeys ="},
	{"a policy rule", "internal/call/policy/permission.go", "func (r *reader) readPermission("},
	{"a policy rule", "internal/call/policy/middleware.go", "func (p *Policy) before("},
	{"a driver capability", "driver/capability.go", "type Dialogs interface"},
	{"a driver capability", "internal/drivers/web/dialogs.go", "var _ driver.Dialogs = (*Device)(nil)"},
	{"a CLI command", "internal/cli/root.go", "func commands("},
	{"a CLI command", "internal/cli/setup/version.go", "func NewVersion("},
	{"a reply field", "tool/tool.go", "type Result struct"},
	{"a reply field", "internal/call/observe/observe.go", "type Observation struct"},
	{"a reply field", "internal/serve/hub/calls/request.go", "type Reply struct"},
	{"a reply field", "internal/serve/mcpserver/result.go", "func meta("},
	{"a reply field", "internal/serve/api/wire.go", "type Reply struct"},
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// TestWhereToAdd: the table of ARCHITECTURE.md answers where the usual things go, and the files are as it says.
func TestWhereToAdd(t *testing.T) {
	var table string
	for _, p := range pages(t) {
		if p.path == "ARCHITECTURE.md" {
			_, table, _ = strings.Cut(p.text, "## Where do I add")
			table, _, _ = strings.Cut(table, "\n## ")
		}
	}
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		if cells := strings.SplitN(line, "|", 4); len(cells) > 2 {
			rows[strings.TrimSpace(cells[1])] = cells[2]
		}
	}
	texts := map[string]string{}
	for _, s := range load(t) {
		texts[s.path] = string(s.text)
	}
	for _, a := range asked {
		if !strings.Contains(rows[a.row], "`"+a.file+"`") {
			t.Errorf("the row %q does not name %s", a.row, a.file)
		}
		if !strings.Contains(texts[a.file], a.holds) {
			t.Errorf("%s does not hold %q", a.file, a.holds)
		}
	}
	for row, answer := range rows {
		for _, m := range codeSpan.FindAllStringSubmatch(answer, -1) {
			if strings.Contains(m[1], "/") && !strings.ContainsAny(m[1], " *") && !exists(m[1]) {
				t.Errorf("the row %q names %s, which is not there", row, m[1])
			}
		}
	}
}
