package script

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Inline makes tools of the source that other files hold, as source.Options wants it. Mistakes in the source are told
// with their place in that file.
func Inline(o source.Options) func(source.Script) (tool.Tool, error) {
	of := &Source{o: o}
	return func(s source.Script) (tool.Tool, error) {
		// The source keeps its lines, so that an error in it names the line of the file.
		text := strings.Repeat("\n", max(s.Line-2, 0)) +
			fmt.Sprintf("import { trailblaze } from \"@trailblaze/scripting\"; "+
				"export const tool = trailblaze.tool(%q, {}, async (args, ctx) => {\n%s\n});", s.Spec.Name, s.Source)
		b, err := (&bundler{name: s.Path, text: &text}).bundle()
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "")
		}
		d := &declared{}
		s.Spec.Effects = effects(d)
		p := &program{name: s.Path, build: func() (*bundle, error) { return b, nil }}
		return &scripted{spec: s.Spec, program: p, declared: d, root: o.Root, target: of.target}, nil
	}
}
