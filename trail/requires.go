package trail

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// Facts are the numbers of a device that a trail may ask for: its API level, and its size in px. 0 is not known.
type Facts struct{ API, Width, Height int }

var (
	requireKeys = []string{"api", "width", "height"}
	requirement = regex.Lazy(`^(>=|<=|>|<|=)?\s*([0-9]{1,9})$`)
)

// of returns the fact of a key of requireKeys.
func (f Facts) of(key string) int {
	switch key {
	case "api":
		return f.API
	case "width":
		return f.Width
	}
	return f.Height
}

// requires reads what a trail asks of its device.
func (d *decoder) requires(n *node, where string) map[string]string {
	out := d.stringMap(n, where, where, `Write a number for each: requires: {api: ">=30"}.`)
	for _, e := range n.entries {
		switch w := at(where, e.key); {
		case !slices.Contains(requireKeys, e.key):
			d.unknown(e, w, "", requireKeys)
			delete(out, e.key)
		case e.value.scalar() && !requirement().MatchString(e.value.text):
			d.errorf(e.value.pos, w, `Write a number, or one after >=, <=, > or <: ">=30".`,
				"%s.%s must compare with a number, not %s", where, e.key, e.value.describe())
		}
	}
	return out
}

// ParseRequires reads what is asked of a device, each as api>=30.
func ParseRequires(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, text := range list {
		i := max(strings.IndexAny(text, "<>="), 0)
		key, want := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i:])
		if !slices.Contains(requireKeys, key) || !requirement().MatchString(want) {
			return nil, fault.New(fault.Invalid, "read requirement", "%.40q is not what can be asked of a device", text).
				WithHint("Compare %s with a number: api>=30.", strings.Join(requireKeys, ", "))
		}
		out[key] = want
	}
	return out, nil
}

// Unmet returns the first requirement that a device does not meet, such as "api >=30, and the device has 28", and ""
// when it meets all.
func (c *Config) Unmet(f Facts) string {
	for _, key := range requireKeys {
		want, ok := c.Requires[key]
		m := requirement().FindStringSubmatch(want)
		if !ok || m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		has := f.of(key)
		order := cmp.Compare(has, n)
		met := map[string]bool{">=": order >= 0, "<=": order <= 0, ">": order > 0, "<": order < 0, "=": order == 0,
			"": order == 0}
		switch {
		case has == 0:
			return fmt.Sprintf("%s %s, which is not known of the device", key, strings.TrimSpace(want))
		case !met[m[1]]:
			return fmt.Sprintf("%s %s, and the device has %d", key, strings.TrimSpace(want), has)
		}
	}
	return ""
}
