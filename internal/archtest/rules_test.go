package archtest

// layer is one rule of import direction: packages whose path (below the module) starts with From may import, of this
// module, only what starts with one of May. Deeper entries win over shallower ones.
type layer struct {
	From string
	May  []string
	Why  string
}

// vocabulary is what everything may speak.
var vocabulary = []string{"fault", "internal/phrase", "internal/regex", "screen", "driver", "memory", "tool", "trail"}

var layers = []layer{
	{"fault", nil, "the error type is the bottom of the house"},
	{"internal/regex", []string{"fault"}, "whoever reads a text uses it"},
	{"internal/jsonsize", []string{"fault"}, "doors ask it before they decode anything"},
	{"internal/phrase", nil, "everything may word a message with it"},
	{"screen", []string{"fault", "internal/phrase", "internal/regex"}, "a capture is pure data"},
	{"driver", []string{"fault", "screen"}, "a device knows nothing of tools"},
	{"memory", []string{"fault", "internal/phrase"}, "memory is below tools"},
	{"tool", []string{"fault", "internal/phrase", "internal/regex", "screen", "driver", "memory", "tool"}, "a tool knows nothing of who calls it"},
	{"internal/file", []string{"fault", "internal/proc"}, "files of every kind are read with it; a half-made one names its process"},
	{"internal/yaml", nil, "files of every kind are read with it"},
	{"trail", []string{"fault", "internal/phrase", "internal/regex", "screen", "memory", "tool", "internal/file", "internal/yaml"}, "a trail file is data; playing it is replay's work"},

	{"internal/listen", nil, "the only package that listens stands at the bottom"},
	{"internal/proc", []string{"fault"}, "the only package that starts processes stands at the bottom"},
	{"internal/drivers", []string{"fault", "internal/regex", "screen", "driver", "internal/drivers", "internal/listen", "internal/proc"},
		"drivers never import tool or anything above"},
	{"internal/event", append(vocabulary, "internal/file", "internal/event"), "the log is read by processes that lack the rest"},
	{"internal/redact", append(vocabulary, "internal/event"), "whatever leaves a call is masked with it"},
	{"internal/session", append(vocabulary, "internal/event", "internal/redact", "internal/session"), "core"},
	{"internal/dispatch", append(vocabulary, "internal/event", "internal/permit", "internal/redact", "internal/session", "internal/dispatch"), "core"},
	{"internal/permit", vocabulary, "who asks for calls decides of their actions; the dispatcher and the tools ask it"},
	{"internal/tools", append(vocabulary, "internal/permit", "internal/proc", "internal/tools"), "makers of tools never import dispatch, session or transports; temporary folders name their process"},
	{"internal/tools/form", append(vocabulary, "internal/file", "internal/proc", "internal/tools"), "what a page is given obeys the rules of what is read"},
	{"internal/tools/beside", append(vocabulary, "internal/file", "internal/tools"), "files of the workspace are read and written within bounds"},
	{"internal/evidence", append(vocabulary, "internal/event"), "a verdict is made of what a call left behind; recordings and the player ask for it"},
	{"internal/heal", append(vocabulary, "internal/heal"), "finding an element again is a question about snapshots"},
	{"internal/record", append(vocabulary, "internal/evidence", "internal/file", "internal/yaml", "internal/event", "internal/session"), "trails are made of what the log of a session tells"},
	{"internal/replay", append(vocabulary, "internal/evidence", "internal/event", "internal/permit", "internal/heal", "internal/redact", "internal/session", "internal/dispatch", "internal/record", "internal/replay"),
		"player is a caller"},
	{"internal/agent", append(vocabulary, "internal/agent", "internal/event", "internal/llm", "internal/observe", "internal/toolset", "internal/tools/sequence", "internal/tools/descriptions"),
		"the agent is a caller and the maker of the tools that ask a model; it knows no door"},
	{"internal/eval", append(vocabulary, "internal/agent", "internal/dispatch", "internal/event", "internal/file", "internal/listen", "internal/llm", "internal/session"),
		"an evaluation has the agent try tasks and calls tools as the command line does"},
	{"internal/llm", []string{"fault", "internal/llm"}, "a model answers requests and knows nothing of tools that act"},
	{"internal/report", append(vocabulary, "internal/event", "internal/report"), "reports read the log, nothing else"},
	{"internal/demo", append(vocabulary, "internal/demo", "internal/listen"), "the demo is pages and trails"},
	{"internal/config", []string{"fault", "internal/config", "internal/file", "internal/homedir", "internal/phrase", "internal/regex", "internal/yaml"}, "configuration is read before anything else exists"},
	{"internal/toolset", append(vocabulary, "internal/toolset"), "which tools a client sees is a question about specs"},
	{"internal/observe", append(vocabulary, "internal/toolset", "internal/observe"), "what a reply says is made of captures and results"},
	{"internal/workspace", append(vocabulary, "internal/config", "internal/file", "internal/yaml", "internal/yamltool", "internal/script", "internal/extern",
		"internal/workspace"), "what a project folder provides; the hub and the player see its tools alone"},
	{"internal/script", append(vocabulary, "internal/file", "internal/proc", "internal/workspace/source", "internal/script"),
		"a script sees the session through tool.Env alone"},
	{"internal/script/worker", []string{"fault", "internal/proc", "internal/script/tstype"}, "a child that runs a script knows nothing of tools, sessions and files"},
	{"internal/yamltool", append(vocabulary, "internal/file", "internal/yaml", "internal/workspace/source"), "a maker of tools sees what it is given and nothing of who calls"},
	{"internal/extern", append(vocabulary, "internal/file", "internal/listen", "internal/phrase", "internal/proc", "internal/workspace/source", "internal/extern"),
		"a maker of tools knows the vocabulary, what it is given, and what it keeps in the user's folder"},
	{"internal/callback", append(vocabulary, "internal/jsonsize", "internal/daemon/auth", "internal/listen"),
		"a door: JSON to calls from inside of calls, nothing else"},
	{"internal/workspace/source", vocabulary, "makers of tools are given it, so it knows none of them"},
	{"internal/policy", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/policy", "internal/file", "internal/yaml"), "policy is a middleware"},
	{"internal/metrics", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/metrics"), "metrics are a middleware"},
	{"internal/hub", append(vocabulary, "internal/event", "internal/redact", "internal/session", "internal/dispatch", "internal/record", "internal/toolset", "internal/observe", "internal/hub"),
		"the hub joins clients, calls and devices; transports stand on it"},
	{"internal/hub/clients", append(vocabulary, "internal/file", "internal/toolset", "internal/hub/clients"), "a client knows neither calls nor devices"},
	{"internal/hub/calls", append(vocabulary, "internal/event", "internal/dispatch", "internal/observe", "internal/hub/clients", "internal/hub/calls"),
		"a call belongs to a client; it sees its device through an interface"},
	{"internal/hub/devices", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/record", "internal/observe",
		"internal/hub/clients", "internal/hub/calls", "internal/hub/devices"), "devices are leased to calls"},
	{"internal/hub/hubtest", append(vocabulary, "internal/event", "internal/session", "internal/dispatch", "internal/tools", "internal/hub"),
		"fake devices for tests; the product's tools act on them"},
	{"internal/tools/manage", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/record", "internal/replay", "internal/config",
		"internal/llm", "internal/toolset", "internal/observe", "internal/hub", "internal/metrics", "internal/report", "internal/tools/manage"), "management tools manage the daemon through the hub; other tools never see it"},
	{"internal/mcpserver", append(vocabulary, "proto", "internal/jsonsize", "internal/rpcerr", "internal/toolset", "internal/hub/clients", "internal/resource", "internal/mcpserver"),
		"a transport: MCP to the typed API, nothing else; it runs in the daemon and in the process of a client"},
	{"internal/resource", append(vocabulary, "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/toolset", "internal/observe", "internal/hub", "internal/resource"),
		"what can be read of the daemon knows nobody who reads it"},
	{"internal/rpcerr", []string{"fault", "proto"}, "errors of the contract, for servers and clients alike"},
	{"internal/apiclient", []string{"fault", "proto", "tool"}, "what clients of the typed API share links nothing of the daemon"},
	{"internal/api", append(vocabulary, "internal/apiclient", "internal/phrase", "proto", "internal/jsonsize", "internal/file", "internal/event", "internal/session", "internal/dispatch", "internal/toolset", "internal/observe", "internal/hub", "internal/llm", "internal/resource", "internal/rpcerr", "internal/api"), "a transport: typed messages and JSON to hub calls, nothing else"},
	{"proto", []string{"proto"}, "the contract knows nobody who keeps it"},
	{"internal/homedir", []string{"fault"}, "it is asked before anything is read"},
	{"internal/daemon/boot", []string{"fault", "internal/file", "internal/homedir", "internal/proc"}, "where the daemon lives and how it is started, for all who need one"},
	{"internal/daemon", []string{"fault", "internal/file", "internal/listen", "internal/proc", "internal/daemon"}, "the process and its checks know nothing of what is served"},
	{"internal/mcpstdio", []string{"fault", "proto", "internal/daemon/client", "internal/apiclient", "internal/hub/clients", "internal/mcpserver", "internal/rpcerr", "internal/mcpstdio"},
		"a client of the typed API that serves MCP; it must start fast and stay up"},
	{"internal/skill", []string{"fault", "internal/regex", "internal/skill"}, "the agent skill is a text and where to put it"},
	{"client", []string{"fault", "driver", "tool", "proto", "internal/apiclient", "internal/daemon/client", "internal/rpcerr"}, "the SDK for Go knows the contract, and links nothing of the daemon"},
	{"client/inprocess", []string{"client", "tool", "internal/api"}, "the same tool body without a connection"},
	{"client/toolserver", []string{"fault", "driver", "memory", "tool", "client", "internal/listen"}, "tools in a process of their own reach the daemon by the client alone"},
	{"sdk", nil, "it reads the contract as buf hands it over"},
	{"internal/archtest", nil, "reads source only"},
	{"internal/testtime", nil, "a number that tests share"},
	{"internal/testtime/waittest", []string{"internal/testtime"}, "how tests wait"},
	{"internal/app", append(vocabulary, "internal/agent", "internal/api", "internal/app", "internal/callback", "internal/config", "internal/daemon", "internal/dispatch", "internal/drivers", "internal/event", "internal/file",
		"internal/homedir", "internal/hub", "internal/llm", "internal/mcpserver", "internal/metrics", "internal/policy", "internal/replay", "internal/session", "internal/tools", "internal/toolset", "internal/workspace", "internal/yaml"),
		"the composition root wires everything below the shell's commands"},
	{"internal/cli", []string{""}, "commands may use everything; internal/app wires it"},
	{"internal/cli/shell", append(vocabulary, "internal/api", "internal/apiclient", "internal/app", "internal/config", "internal/daemon", "internal/event", "internal/homedir", "internal/llm", "internal/proc", "internal/report", "internal/rpcerr", "internal/workspace", "proto"),
		"what commands share knows no command"},
	{"", []string{"tool", "internal/cli"}, "the program as a function, for those who build it with tools of their own"},
	{"cmd", nil, "main only"},
	{"bench", []string{""}, "benchmarks run the built binary"},
	{"e2e", []string{""}, "end-to-end tests run the built binary"},
	{"examples", nil, "a team that copies one has nothing of ours"},
	{"examples/acme-program", []string{"tool"}, "a program with a tool in it is built of the public vocabulary"},
}

// bannedNames are package names that say nothing about what is inside.
var bannedNames = []string{"util", "utils", "common", "models", "helpers", "helper", "base", "impl", "misc", "shared", "types"}

// bannedImports are packages that only the named folders may import.
var bannedImports = map[string]struct {
	Allowed []string
	Why     string
}{
	"github.com/dlclark/regexp2":      {[]string{"internal/regex"}, "one place bounds patterns in size and time"},
	"github.com/goccy/go-yaml":        {[]string{"internal/yaml"}, "one place bounds YAML; the types of its tree (ast, token) are free"},
	"github.com/goccy/go-yaml/lexer":  {[]string{"internal/yaml"}, "one place bounds YAML"},
	"github.com/goccy/go-yaml/parser": {[]string{"internal/yaml"}, "one place bounds YAML"},
	"os/exec":                         {[]string{"internal/proc", "e2e/housetest"}, "one place starts processes, so that one place ends them"},
	"log":                             {nil, "slog only"},
	"io/ioutil":                       {nil, "deprecated"},
	"math/rand":                       {nil, "use math/rand/v2"},
	"testing":                         {[]string{"internal/drivers/drivertest", "internal/drivers/web/webtest", "e2e/housetest", "tool/tooltest", "internal/dispatch/dispatchtest", "internal/tools/tooltest", "internal/hub/hubtest", "internal/testtime/waittest"}, "test helpers live in packages named …test"},
	"github.com/trailblaze-dev/trailblaze/internal/tools/manage": {[]string{"internal/app", "internal/cli", "internal/tools/manage"}, "tools that act on a device never see who calls them"},
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
	"driver/driver.go":              "the constant itself",
	"screen":                        "the key of a selector's block; it knows no devices",
	"trail":                         "the keys of recordings in a file; it knows no devices",
	"internal/drivers":              "the driver of that platform",
	"internal/config/keys.go":       "a default and the values of a setting; it knows no devices",
	"internal/workspace/target.go":  "the name of a target that comes with the product",
	"internal/extern/registry.go":   "the platforms that a registry may name",
	"internal/cli/manage/device.go": "the word of a command",
	"examples":                      "a team's own program",
}
