package script

import (
	"encoding/json"
	"os"
	"path"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// descriptor is a YAML file that says of a tool what its script does not: upstream's older form.
type descriptor struct {
	File string         `json:"file"`
	Name string         `json:"name"`
	Spec map[string]any `json:"spec"`

	script string // the file of the script, below the workspace
	data   []byte
}

// process reports whether the tool runs in a process of its own.
func (d descriptor) process() bool { return d.Spec["runtime"] == subprocess }

// descriptors are those of a folder, by the file of the script.
func descriptors(root *os.Root, dir string) (map[string][]descriptor, []tool.Problem, error) {
	names, err := files(root, dir, func(base string) bool {
		return strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")
	})
	if err != nil {
		return nil, nil, err
	}
	out := map[string][]descriptor{}
	var problems []tool.Problem
	for _, name := range names {
		data, err := file.ReadIn(root, name, maxFile)
		if err != nil || !source.DescribesScript(data) {
			continue // a file that cannot be read is told of where YAML tools are
		}
		d, err := readDescriptor(name, data)
		if err == nil {
			_, err = file.ReadIn(root, d.script, maxFile)
		}
		if err != nil {
			problems = append(problems, tool.Problem{Name: name, Err: fault.Wrap(err, fault.Invalid, "read "+name)})
			continue
		}
		out[d.script] = append(out[d.script], d)
	}
	return out, problems, nil
}

func readDescriptor(name string, data []byte) (descriptor, error) {
	d := descriptor{File: name, data: data}
	doc := trail.ReadDocument(name, data)
	if err := doc.Problems().Err(); err != nil {
		return d, err
	}
	if err := json.Unmarshal(doc.Root.JSON(), &d.Spec); err != nil {
		return d, fault.New(fault.Invalid, "", "it is not a mapping")
	}
	if meta, ok := d.Spec["_meta"].(map[string]any); ok {
		for key, v := range meta {
			if short, ours := strings.CutPrefix(key, "trailblaze/"); ours && d.Spec[short] == nil {
				d.Spec[short] = v
			}
		}
	}
	d.Name, _ = d.Spec["name"].(string)
	from, _ := d.Spec["script"].(string)
	d.script = path.Join(path.Dir(name), from)
	delete(d.Spec, "script")
	delete(d.Spec, "_meta")
	return d, nil
}
