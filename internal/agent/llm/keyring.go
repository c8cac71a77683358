package llm

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// keyringService is under which the operating system's keyring keeps keys, one for each provider.
const keyringService = "trailblaze"

// Keyring is the key of a provider in the keyring of the operating system, "" when it has none. A keyring that is
// locked may ask its user.
func Keyring(provider string) string {
	if !hasKeyring() {
		return ""
	}
	key, err := keyring.Get(keyringService, provider)
	if err != nil {
		return "" // as a key that is not there: New says what is missing
	}
	return key
}

// KeepKey puts the key of a provider into the keyring of the operating system.
func KeepKey(provider, key string) error {
	const op = "keep key"
	if !hasKeyring() {
		return noKeyring(op, nil)
	}
	if err := keyring.Set(keyringService, provider, key); err != nil {
		return noKeyring(op, err)
	}
	return nil
}

// ForgetKey takes the key of a provider out of the keyring. It says whether one was there.
func ForgetKey(provider string) (was bool, err error) {
	const op = "forget key"
	if !hasKeyring() {
		return false, noKeyring(op, nil)
	}
	switch err := keyring.Delete(keyringService, provider); {
	case errors.Is(err, keyring.ErrNotFound):
		return false, nil
	case err != nil:
		return false, noKeyring(op, err)
	}
	return true, nil
}

func noKeyring(op string, err error) error {
	const hint = "Put the key into the environment instead."
	if err == nil {
		return fault.New(fault.Unsupported, op, "there is no keyring in this session").WithHint(hint)
	}
	return fault.New(fault.Unavailable, op, "the keyring does not work: %w", err).WithHint(hint)
}

// hasKeyring is false on Linux where no session bus runs: to ask for one would start it.
var hasKeyring = func() bool {
	if runtime.GOOS != "linux" {
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return err == nil
}

// Keys are the keys that a client of the daemon brings: those in its environment, and that of the chosen provider from
// the keyring. They go by the variables that hold them.
func Keys(c Choosing) map[string]string {
	out := map[string]string{}
	for _, name := range Variables(c.Config) {
		if v := c.Env(name); v != "" {
			out[name] = v
		}
	}
	if p, ok := c.named(); ok && c.Keyring != nil {
		if vars := c.variables(p); len(vars) > 0 && !slices.ContainsFunc(vars, func(v string) bool { return out[v] != "" }) {
			if key := c.Keyring(p); key != "" {
				out[vars[0]] = key
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// CheckName says what is wrong with the name of a model that a person sets: its provider must be known, or declared in
// the llm mapping of trailblaze.yaml.
func CheckName(name string, config map[string]any) error {
	p, _, _ := strings.Cut(strings.TrimSpace(name), "/")
	if _, isKnown := known(p); isKnown || p == "" || strings.EqualFold(p, NoModel) || at(config, "providers", p) != nil {
		return nil
	}
	return unknownProvider(p)
}

// HasProvider says whether a provider is known, or declared in the llm mapping of trailblaze.yaml.
func HasProvider(name string, config map[string]any) error {
	if name == "" || strings.EqualFold(name, NoModel) {
		return unknownProvider(name)
	}
	return CheckName(name, config)
}

func unknownProvider(name string) error {
	return fault.New(fault.Invalid, "choose model", "there is no provider %q", name).WithHint("Known are %s and %s; "+
		"any other needs a base_url below llm.providers.%s in trailblaze.yaml.", strings.Join(names(), ", "),
		NoModel, name)
}
