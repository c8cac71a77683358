package policy

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// effectsCase is a tool with what it declares, under the policy of a file.
type effectsCase struct {
	name, file string
	spec       *tool.Spec
	args       string
	rule       string // that denies; "": allowed
}

func effectsCases() []effectsCase {
	declares := func(e *tool.Effects) *tool.Spec {
		return &tool.Spec{Name: "shop_export", Kind: tool.Action, Facts: tool.Facts{Effects: e}}
	}
	unknown := declares(nil)
	opens, writes := declares(&tool.Effects{Opens: []string{"to"}}), declares(&tool.Effects{Writes: []string{"into"}})
	codes, nothing := declares(&tool.Effects{RunsCode: true}), declares(&tool.Effects{})
	reads := declares(&tool.Effects{Files: func(a tool.Args) (r, w []string) { return a.Texts("from"), nil }})
	fetches := func(host string) *tool.Spec { return declares(&tool.Effects{Script: true, Fetches: []string{host}}) }
	server, script := declares(&tool.Effects{Server: true, CallsTools: true}), declares(&tool.Effects{Script: true})
	process := declares(&tool.Effects{Server: true, Process: true})
	query := &tool.Spec{Name: "shop_look", Kind: tool.Query}
	const evil, good = `{"to":"https://evil.test/x"}`, `{"to":"https://shop.test/x"}`
	return []effectsCase{
		{"unknown where nothing is forbidden", "", unknown, `{}`, ""},
		{"a host is denied", "hosts: {deny: [evil.test]}", unknown, `{}`, "hosts.deny"},
		{"hosts are listed", "hosts: {allow: [shop.test]}", unknown, `{}`, "hosts.allow"},
		{"ports are listed", "hosts: {ports: [443]}", unknown, `{}`, "hosts.ports"},
		{"schemes are listed", "hosts: {schemes: [https]}", unknown, `{}`, "hosts.schemes"},
		{"private addresses are denied", "hosts: {private: deny}", unknown, `{}`, "hosts.private"},
		{"files to read are listed", "files: {read: [fixtures]}", unknown, `{}`, "files.read"},
		{"files to write are listed", "files: {write: [trails]}", unknown, `{}`, "files.write"},
		{"scripts are denied", "evaluate: deny", unknown, `{}`, "evaluate"},
		{"profile test", "profile: test", unknown, `{}`, "hosts.allow"},
		{"profile ci", "profile: ci\nactions: {allow: [shop_export]}\nhosts: {allow: ['*']}", unknown, `{}`, "hosts.allow"},
		{"a name does not undo a limit", "actions: {allow: [shop_export]}\nhosts: {deny: [evil.test]}", unknown, `{}`, "hosts.deny"},
		{"a pattern does not name it", "actions: {allow: ['*']}", unknown, `{}`, "evaluate"},
		{"a list names it", "actions: {allow: [shop_export]}", unknown, `{}`, ""},
		{"a query is no exception", "hosts: {deny: [evil.test]}", query, `{}`, "hosts.deny"},

		{"declared to open a denied host", "hosts: {deny: [evil.test]}", opens, evil, "hosts.deny"},
		{"declared to open another", "hosts: {deny: [evil.test]}", opens, good, ""},
		{"declared to write outside", "", writes, `{"into":"../x"}`, "files outside"},
		{"declared to write inside", "", writes, `{"into":"x"}`, ""},
		{"declared to read what is not listed", "files: {read: [fixtures]}", reads, `{"from":["fixtures/a","b"]}`, "files.read"},
		{"declared to read what is", "files: {read: [fixtures]}", reads, `{"from":["fixtures/a"]}`, ""},
		{"declared to fetch from a denied host", "hosts: {deny: [evil.test]}", fetches("evil.test"), `{}`, "hosts.deny"},
		{"declared to fetch from a listed host", "hosts: {allow: [shop.test]}", fetches("shop.test"), `{}`, ""},
		{"declared to fetch from another", "hosts: {allow: [shop.test]}", fetches("api.test:8443"), `{}`, "hosts.allow"},
		{"declared to fetch by either scheme", "hosts: {schemes: [https]}", fetches("shop.test"), `{}`, "hosts.schemes"},
		{"declared to fetch by the allowed one", "hosts: {schemes: [https]}", fetches("https://shop.test"), `{}`, ""},
		{"declared to fetch from any host", "hosts: {deny: [evil.test]}", fetches("*"), `{}`, "hosts.deny"},
		{"declared to fetch from hosts of a pattern", "hosts: {allow: ['*.shop.test']}", fetches("*.shop.test"), `{}`, ""},
		{"declared to fetch from other ones", "hosts: {allow: ['*.shop.test']}", fetches("*.test"), `{}`, "hosts.allow"},
		{"declared to fetch what hands out credentials", "", fetches("169.254.169.254"), `{}`, "metadata"},
		{"declared to run code", "evaluate: deny", codes, `{}`, "evaluate"},
		{"declared to touch nothing", "hosts: {deny: [evil.test]}\nfiles: {read: [], write: []}\nevaluate: deny", nothing, evil, ""},

		{"of another server", "", server, `{}`, ""},
		{"of another server, in test", "profile: test", process, `{}`, ""},
		{"of another server, in ci", "profile: ci\nactions: {allow: ['shop_*']}", server, `{}`, "sources.server"},
		{"of a process, in ci", "profile: ci\nactions: {allow: ['shop_*']}\nsources: {server: allow}", process, `{}`, "sources.process"},
		{"of another server, by key", "profile: ci\nactions: {allow: ['*']}\nsources: {server: allow, process: allow}", process, `{}`, ""},
		{"the key is no list of tools", "profile: ci\nsources: {server: allow}", server, `{}`, "actions.allow"},
		{"of another server, by name", "profile: ci\nactions: {allow: [shop_export]}", process, `{}`, ""},
		{"servers are denied", "sources: {server: deny}\nactions: {allow: [shop_export]}", server, `{}`, "sources.server: deny"},
		{"processes are denied", "sources: {process: deny}", process, `{}`, "sources.process: deny"},
		{"processes are denied, not servers", "sources: {process: deny}", server, `{}`, ""},
		{"a script", "profile: test", script, `{}`, ""},
		{"a script, in ci", "profile: ci\nactions: {allow: ['*']}", script, `{}`, ""},
		{"scripts of a workspace are denied", "sources: {script: deny}", script, `{}`, "sources.script: deny"},
		{"requests are denied", "sources: {fetch: deny}", fetches("shop.test"), `{}`, "sources.fetch: deny"},
		{"requests are denied, not scripts", "sources: {fetch: deny}", script, `{}`, ""},
		{"an allowed request still needs its host", "hosts: {allow: [shop.test]}\nsources: {fetch: allow}", fetches("api.test"), `{}`, "hosts.allow"},
		{"unknown, where a way is denied", "sources: {process: deny}", unknown, `{}`, "sources.process: deny"},
		{"built in, where all are", "sources: {server: deny, process: deny, script: deny, fetch: deny}", nothing, `{}`, ""},
	}
}

// TestEffectsDecide proves that a tool which nobody here has heard of is decided by what it declares to touch, and
// one that declares nothing as if it did everything.
func TestEffectsDecide(t *testing.T) {
	for _, test := range effectsCases() {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, test.file)
			p.workspace = t.TempDir()
			inv := &dispatch.Invocation{Tool: fake{test.spec}, Call: tool.Call{Name: test.spec.Name}}
			if err := json.Unmarshal([]byte(test.args), &inv.Args); err != nil {
				t.Fatal(err)
			}
			rule := ""
			for _, d := range p.before(t.Context(), inv) {
				if !d.Allowed {
					rule = d.Rule
				}
				if key, _, _ := strings.Cut(d.Rule, ":"); strings.HasPrefix(key, "sources.") && !strings.Contains(d.Hint, key[8:]+": allow") {
					t.Errorf("%+v does not say which key to set", d)
				}
			}
			if (rule == "") != (test.rule == "") || !strings.HasPrefix(rule, test.rule) {
				t.Errorf("denied by %q, want %q", rule, test.rule)
			}
		})
	}
}

// fake is a tool of which only the spec counts.
type fake struct{ spec *tool.Spec }

func (f fake) Spec() *tool.Spec { return f.spec }

func (fake) Run(context.Context, tool.Env, json.RawMessage) (*tool.Result, error) { return nil, nil }
