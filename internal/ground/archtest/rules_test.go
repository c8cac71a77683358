package archtest

// layer is one rule of import direction: packages whose path (below the module) starts with From may import, of this
// module, only what starts with one of May. Deeper entries win over shallower ones.
type layer struct {
	From string
	May  []string
	Why  string
}

// vocabulary is what everything may speak.
var vocabulary = []string{"fault", "internal/ground/phrase", "internal/ground/regex", "screen", "driver", "memory", "tool", "trail"}

var layers = []layer{
	{"fault", nil, "the error type is the bottom of the house"},
	{"internal/ground/regex", []string{"fault"}, "whoever reads a text uses it"},
	{"internal/serve/jsonsize", []string{"fault"}, "doors ask it before they decode anything"},
	{"internal/ground/phrase", nil, "everything may word a message with it"},
	{"screen", []string{"fault", "internal/ground/phrase", "internal/ground/regex"}, "a capture is pure data"},
	{"driver", []string{"fault", "screen"}, "a device knows nothing of tools"},
	{"memory", []string{"fault", "internal/ground/phrase", "memory"}, "memory is below tools"},
	{"tool", []string{"fault", "internal/ground/phrase", "internal/ground/regex", "screen", "driver", "memory", "tool"}, "a tool knows nothing of who calls it"},
	{"internal/ground/file", []string{"fault", "internal/ground/proc"}, "files of every kind are read with it; a half-made one names its process"},
	{"internal/ground/yaml", nil, "files of every kind are read with it"},
	{"trail", []string{"fault", "internal/ground/phrase", "internal/ground/regex", "screen", "memory", "tool", "internal/ground/file", "internal/ground/yaml"}, "a trail file is data; playing it is replay's work"},

	{"internal/ground/listen", nil, "the only package that listens stands at the bottom"},
	{"internal/ground/proc", []string{"fault"}, "the only package that starts processes stands at the bottom"},
	{"internal/drivers", []string{"fault", "internal/ground/regex", "screen", "driver", "internal/drivers", "internal/ground/listen", "internal/ground/proc"},
		"drivers never import tool or anything above"},
	{"internal/call/event", append(vocabulary, "internal/ground/file", "internal/call/event"), "the log is read by processes that lack the rest"},
	{"internal/call/redact", append(vocabulary, "internal/call/event"), "whatever leaves a call is masked with it"},
	{"internal/call/session", append(vocabulary, "internal/call/event", "internal/call/redact", "internal/call/session"), "core"},
	{"internal/call/dispatch", append(vocabulary, "internal/call/event", "internal/call/permit", "internal/call/redact", "internal/call/session", "internal/call/dispatch"), "core"},
	{"internal/call/permit", vocabulary, "who asks for calls decides of their actions; the dispatcher and the tools ask it"},
	{"internal/makers/tools", append(vocabulary, "internal/call/permit", "internal/ground/proc", "internal/makers/tools"), "makers of tools never import dispatch, session or transports; temporary folders name their process"},
	{"internal/makers/tools/form", append(vocabulary, "internal/ground/file", "internal/ground/proc", "internal/makers/tools"), "what a page is given obeys the rules of what is read"},
	{"internal/makers/tools/beside", append(vocabulary, "internal/ground/file", "internal/makers/tools"), "files of the workspace are read and written within bounds"},
	{"internal/trails/evidence", append(vocabulary, "internal/call/event"), "a verdict is made of what a call left behind; recordings and the player ask for it"},
	{"internal/trails/heal", append(vocabulary, "internal/trails/heal"), "finding an element again is a question about snapshots"},
	{"internal/trails/record", append(vocabulary, "internal/trails/evidence", "internal/ground/file", "internal/ground/yaml", "internal/call/event", "internal/call/session"), "trails are made of what the log of a session tells"},
	{"internal/trails/replay", append(vocabulary, "internal/trails/evidence", "internal/call/event", "internal/call/permit", "internal/trails/heal", "internal/call/redact", "internal/call/session", "internal/call/dispatch", "internal/trails/record", "internal/trails/replay"),
		"player is a caller"},
	{"internal/trails/repair", append(vocabulary, "internal/ground/file", "internal/ground/yaml", "internal/call/event", "internal/trails/heal", "internal/trails/record", "internal/trails/replay"),
		"a repair is made of what was played, and proven by playing it"},
	{"internal/agent", append(vocabulary, "internal/agent", "internal/call/event", "internal/agent/llm", "internal/call/observe", "internal/call/toolset", "internal/makers/tools/sequence", "internal/makers/tools/descriptions"),
		"the agent is a caller and the maker of the tools that ask a model; it knows no door"},
	{"internal/agent/eval", append(vocabulary, "internal/agent", "internal/call/dispatch", "internal/call/event", "internal/ground/file", "internal/ground/listen", "internal/agent/llm", "internal/call/session"),
		"an evaluation has the agent try tasks and calls tools as the command line does"},
	{"internal/agent/llm", []string{"fault", "internal/agent/llm"}, "a model answers requests and knows nothing of tools that act"},
	{"internal/trails/report", append(vocabulary, "internal/call/event", "internal/trails/report"), "reports read the log, nothing else"},
	{"internal/ground/demo", append(vocabulary, "internal/ground/demo", "internal/ground/listen"), "the demo is pages and trails"},
	{"internal/ground/config", []string{"fault", "internal/ground/config", "internal/ground/file", "internal/ground/homedir", "internal/ground/phrase", "internal/ground/regex", "internal/ground/yaml"}, "configuration is read before anything else exists"},
	{"internal/call/toolset", append(vocabulary, "internal/call/toolset"), "which tools a client sees is a question about specs"},
	{"internal/call/observe", append(vocabulary, "internal/call/toolset", "internal/call/observe"), "what a reply says is made of captures and results"},
	{"internal/makers/workspace", append(vocabulary, "internal/ground/config", "internal/ground/file", "internal/ground/yaml", "internal/makers/yamltool", "internal/makers/script", "internal/makers/extern",
		"internal/makers/workspace"), "what a project folder provides; the hub and the player see its tools alone"},
	{"internal/makers/script", append(vocabulary, "internal/ground/file", "internal/ground/proc", "internal/makers/workspace/source", "internal/makers/script"),
		"a script sees the session through tool.Env alone"},
	{"internal/makers/script/worker", []string{"fault", "internal/ground/proc", "internal/makers/script/tstype"}, "a child that runs a script knows nothing of tools, sessions and files"},
	{"internal/makers/yamltool", append(vocabulary, "internal/ground/file", "internal/ground/yaml", "internal/makers/workspace/source"), "a maker of tools sees what it is given and nothing of who calls"},
	{"internal/makers/extern", append(vocabulary, "internal/ground/file", "internal/ground/listen", "internal/ground/phrase", "internal/ground/proc", "internal/makers/workspace/source", "internal/makers/extern"),
		"a maker of tools knows the vocabulary, what it is given, and what it keeps in the user's folder"},
	{"internal/serve/callback", append(vocabulary, "internal/serve/jsonsize", "internal/serve/daemon/auth", "internal/ground/listen"),
		"a door: JSON to calls from inside of calls, nothing else"},
	{"internal/makers/workspace/source", vocabulary, "makers of tools are given it, so it knows none of them"},
	{"internal/call/policy", append(vocabulary, "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/call/policy", "internal/ground/file", "internal/ground/yaml"), "policy is a middleware"},
	{"internal/serve/metrics", append(vocabulary, "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/serve/metrics"), "metrics are a middleware"},
	{"internal/serve/hub", append(vocabulary, "internal/call/event", "internal/call/redact", "internal/call/session", "internal/call/dispatch", "internal/trails/record", "internal/call/toolset", "internal/call/observe", "internal/serve/hub"),
		"the hub joins clients, calls and devices; transports stand on it"},
	{"internal/serve/hub/clients", append(vocabulary, "internal/ground/file", "internal/call/toolset", "internal/serve/hub/clients"), "a client knows neither calls nor devices"},
	{"internal/serve/hub/calls", append(vocabulary, "internal/call/event", "internal/call/dispatch", "internal/call/observe", "internal/serve/hub/clients", "internal/serve/hub/calls"),
		"a call belongs to a client; it sees its device through an interface"},
	{"internal/serve/hub/devices", append(vocabulary, "internal/ground/file", "internal/call/event", "internal/call/session", "internal/trails/record", "internal/call/observe",
		"internal/serve/hub/clients", "internal/serve/hub/calls", "internal/serve/hub/devices"), "devices are leased to calls"},
	{"internal/serve/hub/hubtest", append(vocabulary, "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/makers/tools", "internal/serve/hub"),
		"fake devices for tests; the product's tools act on them"},
	{"internal/serve/manage", append(vocabulary, "internal/ground/file", "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/trails/record", "internal/trails/replay", "internal/ground/config",
		"internal/agent/llm", "internal/call/toolset", "internal/call/observe", "internal/serve/hub", "internal/serve/metrics", "internal/trails/report", "internal/serve/manage"), "management tools manage the daemon through the hub; other tools never see it"},
	{"internal/serve/mcpserver", append(vocabulary, "proto", "internal/serve/jsonsize", "internal/serve/rpcerr", "internal/call/toolset", "internal/serve/hub/clients", "internal/serve/resource", "internal/serve/mcpserver"),
		"a transport: MCP to the typed API, nothing else; it runs in the daemon and in the process of a client"},
	{"internal/serve/resource", append(vocabulary, "internal/ground/file", "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/call/toolset", "internal/call/observe", "internal/serve/hub", "internal/serve/resource"),
		"what can be read of the daemon knows nobody who reads it"},
	{"internal/serve/rpcerr", []string{"fault", "proto"}, "errors of the contract, for servers and clients alike"},
	{"internal/serve/apiclient", []string{"fault", "proto", "tool"}, "what clients of the typed API share links nothing of the daemon"},
	{"internal/serve/api", append(vocabulary, "internal/serve/apiclient", "internal/ground/phrase", "proto", "internal/serve/jsonsize", "internal/ground/file", "internal/call/event", "internal/call/session", "internal/call/dispatch", "internal/call/toolset", "internal/call/observe", "internal/serve/hub", "internal/agent/llm", "internal/serve/resource", "internal/serve/rpcerr", "internal/serve/api"), "a transport: typed messages and JSON to hub calls, nothing else"},
	{"proto", []string{"proto"}, "the contract knows nobody who keeps it"},
	{"internal/ground/homedir", []string{"fault"}, "it is asked before anything is read"},
	{"internal/serve/daemon/boot", []string{"fault", "internal/ground/file", "internal/ground/homedir", "internal/ground/proc"}, "where the daemon lives and how it is started, for all who need one"},
	{"internal/serve/daemon", []string{"fault", "internal/ground/file", "internal/ground/listen", "internal/ground/proc", "internal/serve/daemon"}, "the process and its checks know nothing of what is served"},
	{"internal/serve/mcpstdio", []string{"fault", "proto", "internal/serve/daemon/client", "internal/serve/apiclient", "internal/serve/hub/clients", "internal/serve/mcpserver", "internal/serve/rpcerr", "internal/serve/mcpstdio"},
		"a client of the typed API that serves MCP; it must start fast and stay up"},
	{"internal/ground/skill", []string{"fault", "internal/ground/file", "internal/ground/regex", "internal/ground/skill"}, "the agent skill is a text and where to put it"},
	{"client", []string{"fault", "driver", "tool", "proto", "internal/serve/apiclient", "internal/serve/daemon/client", "internal/serve/rpcerr"}, "the SDK for Go knows the contract, and links nothing of the daemon"},
	{"client/inprocess", []string{"client", "tool", "internal/serve/api"}, "the same tool body without a connection"},
	{"client/toolserver", []string{"fault", "driver", "memory", "tool", "client", "internal/ground/listen"}, "tools in a process of their own reach the daemon by the client alone"},
	{"phone", []string{"fault", "internal/ground/file", "internal/ground/listen", "internal/ground/proc"}, "a device to test on knows nothing of what tests it"},
	{"sdk", nil, "it reads the contract as buf hands it over"},
	{"internal/ground/archtest", nil, "reads source only"},
	{"internal/ground/testtime", nil, "a number that tests share"},
	{"internal/ground/testtime/waittest", []string{"internal/ground/testtime"}, "how tests wait"},
	{"internal/app", append(vocabulary, "internal/agent", "internal/serve/api", "internal/app", "internal/serve/callback", "internal/ground/config", "internal/serve/daemon", "internal/call/dispatch", "internal/drivers", "internal/call/event", "internal/ground/file",
		"internal/ground/homedir", "internal/serve/hub", "internal/agent/llm", "internal/serve/mcpserver", "internal/serve/metrics", "internal/call/policy", "internal/trails/replay", "internal/call/session", "internal/makers/tools", "internal/serve/manage", "internal/call/toolset", "internal/makers/workspace", "internal/ground/yaml"),
		"the composition root wires everything below the shell's commands"},
	{"internal/cli", []string{""}, "commands may use everything; internal/app wires it"},
	{"internal/cli/shell", append(vocabulary, "internal/serve/api", "internal/serve/apiclient", "internal/app", "internal/ground/config", "internal/serve/daemon", "internal/call/event", "internal/ground/homedir", "internal/agent/llm", "internal/ground/proc", "internal/trails/report", "internal/serve/rpcerr", "internal/makers/workspace", "proto"),
		"what commands share knows no command"},
	{"", []string{"tool", "internal/cli"}, "the program as a function, for those who build it with tools of their own"},
	{"cmd", nil, "main only"},
	{"bench", []string{""}, "benchmarks run the built binary"},
	{"e2e", []string{""}, "end-to-end tests run the built binary"},
	{"examples", nil, "a team that copies one has nothing of ours"},
	{"examples/acme-program", []string{"tool"}, "a program with a tool in it is built of the public vocabulary"},
}

// wings are the folders of internal/, each of which may import only those before it: a circle between wings would make
// two of them one.
var wings = []string{"ground", "call", "makers", "drivers", "trails", "agent", "serve", "app", "cli"}

// bannedNames are package names that say nothing about what is inside.
var bannedNames = []string{"util", "utils", "common", "models", "helpers", "helper", "base", "impl", "misc", "shared", "types"}

// bannedImports are packages that only the named folders may import.
var bannedImports = map[string]struct {
	Allowed []string
	Why     string
}{
	"github.com/dlclark/regexp2":      {[]string{"internal/ground/regex"}, "one place bounds patterns in size and time"},
	"github.com/goccy/go-yaml":        {[]string{"internal/ground/yaml"}, "one place bounds YAML; the types of its tree (ast, token) are free"},
	"github.com/goccy/go-yaml/lexer":  {[]string{"internal/ground/yaml"}, "one place bounds YAML"},
	"github.com/goccy/go-yaml/parser": {[]string{"internal/ground/yaml"}, "one place bounds YAML"},
	"os/exec":                         {[]string{"internal/ground/proc", "e2e/housetest"}, "one place starts processes, so that one place ends them"},
	"log":                             {nil, "slog only"},
	"io/ioutil":                       {nil, "deprecated"},
	"math/rand":                       {nil, "use math/rand/v2"},
	"testing":                         {[]string{"internal/drivers/drivertest", "internal/drivers/web/webtest", "internal/drivers/android/adb/adbtest", "internal/drivers/android/androidtest", "e2e/housetest", "tool/tooltest", "internal/call/dispatch/dispatchtest", "internal/makers/tools/tooltest", "internal/serve/hub/hubtest", "internal/ground/testtime/waittest"}, "test helpers live in packages named …test"},
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage": {[]string{"internal/app", "internal/cli", "internal/serve/manage"}, "tools that act on a device never see who calls them"},
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web":  {[]string{"internal/app", "internal/drivers"}, "one place opens browsers, so that a run and the daemon open them alike"},
	"net/http/pprof":                               {nil, "a debug door is a door"},
	"connectrpc.com/grpcreflect":                   {nil, "it parses its own contract when a command starts; api answers reflection"},
	"google.golang.org/protobuf/reflect/protodesc": {nil, "it parses its defaults when a command starts; descriptor builds files without it"},
}

// Line limits of Go files: aim for 80–200, split at soft, never pass hard.
const (
	softLines = 600
	hardLines = 1000
)

// namesThePlatform are the files in which "web" is no platform that code decides by, or that stand below the constant.
var namesThePlatform = map[string]string{
	"driver/driver.go":                    "the constant itself",
	"screen":                              "the key of a selector's block; it knows no devices",
	"trail":                               "the keys of recordings in a file; it knows no devices",
	"internal/drivers":                    "the driver of that platform",
	"internal/ground/config/keys.go":      "a default and the values of a setting; it knows no devices",
	"internal/makers/workspace/target.go": "the name of a target that comes with the product",
	"internal/makers/extern/registry.go":  "the platforms that a registry may name",
	"internal/cli/manage/device.go":       "the word of a command",
	"examples":                            "a team's own program",
}
