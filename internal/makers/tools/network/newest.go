package network

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "NETWORK", WebGroup: "web_core"}

func web(name, title string, kind tool.Kind) tool.Spec { return set.Of(kind).Web(name, title) }

func devtools(name, title string, kind tool.Kind) tool.Spec {
	return set.Of(kind).Devtools(name, title)
}

// listBytes bounds the JSON of a list in a reply. One entry may hold a long address, headers and a body, or a long
// text.
const listBytes = 256 << 10

// newest is the end of a list: at most limit entries, and no more than listBytes of JSON. The newest entry is always
// kept.
func newest[T any](list []T, limit int) (kept []T, omitted int) {
	first, size := len(list), 0
	for first > 0 && len(list)-first < limit {
		data, err := json.Marshal(list[first-1])
		if size += len(data); err != nil || size > listBytes && first < len(list) {
			break
		}
		first--
	}
	return list[first:], first
}

// lately returns what a capability of the device lists, of the entries that pass those that newest keeps.
func lately[C, T any](
	env tool.Env, op string, limit int, list func(C) ([]T, error), passes func(T) bool,
) (kept []T, omitted int, err error) {
	c, err := action.Capability[C](env, op)
	if err != nil {
		return nil, 0, err
	}
	all, err := list(c)
	if err != nil {
		return nil, 0, fault.Wrap(err, "", op)
	}
	kept, omitted = newest(slices.DeleteFunc(slices.Clone(all), func(e T) bool { return !passes(e) }), limit)
	return kept, omitted, nil
}

// omission returns how many older entries a reply leaves out, and how to see them. Arg is the argument that narrows
// the list.
func omission(omitted int, what, arg string) string {
	if omitted == 0 {
		return ""
	}
	return fmt.Sprintf("(%s left out; raise limit or narrow %s to see more)\n", action.Plural(omitted, "older "+what), arg)
}
