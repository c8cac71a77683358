package archtest

// layer is one rule of import direction: packages whose path (below the module) starts with From may import, of this
// module, only what starts with one of May. Deeper entries win over shallower ones.
type layer struct {
	From string
	May  []string
	Why  string
}

// vocabulary is what everything may speak.
var vocabulary = []string{"fault", "screen", "driver", "memory", "tool", "trail"}

var layers = []layer{
	{"fault", nil, "the error type is the bottom of the house"},
	{"internal/regex", []string{"fault"}, "selectors and tools use it"},
	{"screen", []string{"fault", "internal/regex"}, "a capture is pure data"},
	{"driver", []string{"fault", "screen"}, "a device knows nothing of tools"},
	{"memory", []string{"fault"}, "memory is below tools"},
	{"tool", []string{"fault", "screen", "driver", "memory", "tool"}, "a tool knows nothing of who calls it"},
	{"internal/file", []string{"fault"}, "files of every kind are read with it"},
	{"internal/yaml", nil, "files of every kind are read with it"},
	{"trail", []string{"fault", "screen", "memory", "tool", "internal/file", "internal/yaml"}, "a trail file is data; playing it is replay's work"},

	{"internal/proc", []string{"fault"}, "the only package that starts processes stands at the bottom"},
	{"internal/drivers", []string{"fault", "screen", "driver", "internal/drivers", "internal/proc"},
		"drivers never import tool or anything above"},
	{"internal/event", append(vocabulary, "internal/file", "internal/event"), "the log is read by processes that lack the rest"},
	{"internal/session", append(vocabulary, "internal/event", "internal/session"), "core"},
	{"internal/dispatch", append(vocabulary, "internal/event", "internal/session", "internal/dispatch"), "core"},
	{"internal/tools", append(vocabulary, "internal/regex", "internal/proc", "internal/tools"), "makers of tools never import dispatch, session or transports; temporary folders name their process"},
	{"internal/record", append(vocabulary, "internal/file", "internal/yaml", "internal/event", "internal/session", "internal/dispatch"), "recorder is a middleware"},
	{"internal/replay", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/record", "internal/replay"),
		"player is a caller"},
	{"internal/report", append(vocabulary, "internal/event", "internal/report"), "reports read the log, nothing else"},
	{"internal/demo", append(vocabulary, "internal/demo"), "the demo is pages and trails"},
	{"internal/config", []string{"fault", "internal/config", "internal/file", "internal/yaml"}, "configuration is read before anything else exists"},
	{"internal/toolset", append(vocabulary, "internal/toolset"), "which tools a client sees is a question about specs"},
	{"internal/observe", append(vocabulary, "internal/toolset", "internal/observe"), "what a reply says is made of captures and results"},
	{"internal/policy", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/policy", "internal/file", "internal/yaml"), "policy is a middleware"},
	{"internal/metrics", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/metrics"), "metrics are a middleware"},
	{"internal/hub", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/record", "internal/toolset", "internal/observe", "internal/hub"),
		"seats and slots stand on the core; transports stand on them"},
	{"internal/hub/hubtest", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/tools", "internal/hub"),
		"fake devices for tests; the product's tools act on them"},
	{"internal/desk", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/record", "internal/replay", "internal/config",
		"internal/toolset", "internal/observe", "internal/hub", "internal/metrics", "internal/report", "internal/desk"), "desk tools manage the house through the hub"},
	{"internal/mcpserver", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/toolset", "internal/observe", "internal/hub", "internal/metrics", "internal/mcpserver"),
		"a transport: MCP to hub calls, nothing else"},
	{"internal/api", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/toolset", "internal/observe", "internal/hub", "internal/api"), "a transport: JSON to hub calls, nothing else"},
	{"internal/daemon", []string{"fault", "internal/proc", "internal/daemon"}, "the process and its doors know nothing of what is served behind them"},
	{"internal/mcpfront", []string{"fault", "internal/daemon", "internal/proc", "internal/mcpfront"}, "the front relays lines; it must start fast and stay up"},
	{"internal/skill", []string{"fault", "internal/skill"}, "the agent skill is a text and where to put it"},
	{"internal/archtest", nil, "reads source only"},
	{"internal/bar", nil, "a number that tests share"},
	{"internal/cli", []string{""}, "wiring: imports whatever it wires"},
	{"cmd", []string{"internal/cli"}, "main only"},
	{"bench", []string{""}, "benchmarks run the built binary"},
	{"e2e", []string{""}, "end-to-end tests run the built binary"},
}

// bannedNames are package names that say nothing about what is inside.
var bannedNames = []string{"util", "utils", "common", "models", "helpers", "helper", "base", "impl", "misc", "shared", "types"}

// bannedImports are packages that only the named folders may import.
var bannedImports = map[string]struct {
	Allowed []string
	Why     string
}{
	"github.com/dlclark/regexp2": {[]string{"internal/regex"}, "one place bounds patterns in size and time"},
	"os/exec":                    {[]string{"internal/proc"}, "one place starts processes, so that one place ends them"},
	"log":                        {nil, "slog only"},
	"io/ioutil":                  {nil, "deprecated"},
	"math/rand":                  {nil, "use math/rand/v2"},
	"testing":                    {[]string{"internal/drivers/drivertest", "tool/tooltest", "internal/dispatch/dispatchtest", "internal/tools/tooltest", "internal/hub/hubtest"}, "test helpers live in packages named …test"},
	"net/http/pprof":             {nil, "a debug door is a door"},
}

// Line limits of Go files: aim for 80–200, split at soft, never pass hard.
const (
	softLines = 600
	hardLines = 1000
)
