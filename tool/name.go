package tool

import (
	"regexp"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// maxName is what the strictest model provider accepts as a function name.
const maxName = 64

var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Reserved are the namespaces of the built-in tools: what ships with the product may use them, a team's tool may not,
// or an update could silently change what a recorded name means.
var Reserved = []string{"web_", "mobile_", "android_", "ios_", "trailblaze_"}

// ValidName says whether a tool may have this name: letters, digits and underscores, a letter first, never a dot
// (some model providers refuse it), at most 64 characters.
func ValidName(name string) error {
	op := "check tool name"
	switch {
	case name == "":
		return fault.New(fault.Invalid, op, "the name is empty")
	case len(name) > maxName:
		return fault.New(fault.Invalid, op, "%q has %d characters", name, len(name)).
			WithHint("Use at most %d characters.", maxName)
	case strings.ContainsAny(name, ".-/ "):
		return fault.New(fault.Invalid, op, "%q contains a character that tool names may not have", name).
			WithHint("Use underscores: %q.", strings.Map(underscore, name))
	case !namePattern.MatchString(name):
		return fault.New(fault.Invalid, op, "%q does not match %s", name, namePattern)
	case strings.Contains(name, "__") || strings.HasSuffix(name, "_"):
		return fault.New(fault.Invalid, op, "%q has an empty part between underscores", name)
	}
	return nil
}

func underscore(r rune) rune {
	if strings.ContainsRune(".-/ ", r) {
		return '_'
	}
	return r
}

// ValidCustomName is ValidName for tools that teams add (YAML, scripts, servers): <namespace>_<action>, outside the
// reserved namespaces.
func ValidCustomName(name string) error {
	if err := ValidName(name); err != nil {
		return err
	}
	op := "check tool name"
	if i := strings.IndexByte(name, '_'); i <= 0 || i == len(name)-1 {
		return fault.New(fault.Invalid, op, "%q has no namespace", name).
			WithHint("Name it <namespace>_<action>, for example %q.", "shop_"+name)
	}
	for _, p := range Reserved {
		if strings.HasPrefix(strings.ToLower(name), p) {
			return fault.New(fault.Invalid, op, "%q is in the namespace %q, which is reserved for built-in tools", name, p).
				WithHint("Put your team or app first, for example %q.", "shop_"+name)
		}
	}
	return nil
}
