package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Params are the parameters of a tool that is written as a list of calls. {{name}} and {{params.name}} both read
// them. A declared one that was not given is JSON null as a whole value, nothing inside a text, and {{?name}} drops
// the key it stands for.
type Params struct {
	Declared []string
	Values   map[string]any
}

// Expand replaces parameters only and leaves every other token for the dispatch of the single calls. Replacements
// are escaped, so that text a caller passed is never taken for a token then.
func (p Params) Expand(raw json.RawMessage) (json.RawMessage, error) {
	out, err := p.ExpandAll([]json.RawMessage{raw})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// ExpandAll is Expand for several documents, which are bounded together.
func (p Params) ExpandAll(raws []json.RawMessage) ([]json.RawMessage, error) {
	e, all := &expander{params: p}, make([]json.RawMessage, len(raws))
	for i, raw := range raws {
		if len(raw) == 0 {
			all[i] = raw
			continue
		}
		out, err := rewrite(raw, e.leaf)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "expand parameters")
		}
		all[i] = out
	}
	return all, nil
}

func (p Params) find(name string) (any, outcome, error) {
	own, explicit := strings.CutPrefix(name, "params.")
	if explicit && p.Declared == nil {
		return nil, unknown, nil // outside such a tool "params" means nothing
	}
	head, rest, dotted := strings.Cut(own, ".")
	if !slices.Contains(p.Declared, head) {
		if explicit {
			return nil, 0, fault.New(fault.Invalid, "", "token {{%s}}: no parameter %q is declared", name, head).
				WithHint("%s", declaredHint(p.Declared))
		}
		return nil, unknown, nil
	}
	v, ok := p.Values[head]
	switch {
	case !ok:
		return nil, omitted, nil
	case !dotted:
		return v, found, nil
	}
	m, isMap := v.(map[string]any)
	if !isMap {
		return nil, 0, fault.New(fault.Invalid, "", "token {{%s}}: parameter %q has no fields", name, head)
	}
	v, ok = walk(m, rest)
	if !ok {
		return nil, omitted, nil
	}
	return v, found, nil
}

func declaredHint(names []string) string {
	if len(names) == 0 {
		return "The tool declares no parameters."
	}
	return fmt.Sprintf("The declared parameters are %s.", strings.Join(names, ", "))
}
