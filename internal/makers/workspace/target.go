package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// trailmapDir holds the folders of targets and libraries.
const trailmapDir = configDir + "/trailmaps"

// bundled are the libraries that upstream ships with its product. Their tools are built in here, so a manifest that
// depends on one needs nothing.
var bundled = []string{"trailblaze", "mobile", "android", "ios", "web", "compose", "revyl"}

// manifest is a trailmap.yaml as upstream writes it. Keys that are not here are not needed.
type manifest struct {
	ID     string `yaml:"id"`
	Target *struct {
		Name       string                      `yaml:"display_name"`
		Tools      []string                    `yaml:"tools"`
		Platforms  map[string]manifestPlatform `yaml:"platforms"`
		Prompt     string                      `yaml:"system_prompt"`
		PromptFile string                      `yaml:"system_prompt_file"`
	} `yaml:"target"`
	Dependencies []string                    `yaml:"dependencies"`
	Defaults     map[string]manifestPlatform `yaml:"defaults"`
	Toolsets     []string                    `yaml:"toolsets"` // files, relative to the manifest

	dir, text string // of the manifest, with slashes, and what it says
}

type manifestPlatform struct {
	AppIDs   []string `yaml:"app_ids"`
	BaseURL  string   `yaml:"base_url"`
	Toolsets []string `yaml:"tool_sets"`
	Tools    []string `yaml:"tools"`
	Excluded []string `yaml:"excluded_tools"`
	Drivers  []string `yaml:"drivers"`
}

// over fills fields that p leaves out from a dependency. Lists are taken as a whole.
func (p manifestPlatform) over(o manifestPlatform) manifestPlatform {
	for _, l := range []struct{ to, from *[]string }{
		{&p.AppIDs, &o.AppIDs}, {&p.Toolsets, &o.Toolsets}, {&p.Tools, &o.Tools}, {&p.Excluded, &o.Excluded},
		{&p.Drivers, &o.Drivers},
	} {
		if len(*l.to) == 0 {
			*l.to = *l.from
		}
	}
	if p.BaseURL == "" {
		p.BaseURL = o.BaseURL
	}
	return p
}

const (
	manifestName = "trailmap.yaml"
	configName   = "trailblaze.yaml"
)

type targetReader struct {
	root      *os.Root
	ids       []string // in the order of their folders
	manifests map[string]manifest
	problems  []tool.Problem
}

func (r *targetReader) wrong(place, format string, args ...any) {
	r.problems = append(r.problems, tool.Problem{
		Err: fault.New(fault.Invalid, "read target", "%s: %s", place, fmt.Sprintf(format, args...)),
	})
}

// readAll reads every manifest.
func (r *targetReader) readAll() {
	folders, err := fs.ReadDir(r.root.FS(), trailmapDir)
	if err != nil {
		return // most workspaces have none
	}
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		dir := trailmapDir + "/" + f.Name()
		place := dir + "/" + manifestName
		data, err := file.ReadIn(r.root, filepath.FromSlash(place), yaml.MaxSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		m := manifest{dir: dir, text: string(data)}
		if err == nil {
			err = yaml.Unmarshal(data, &m)
		}
		switch {
		case err != nil:
			r.wrong(place, "%v", err)
		case m.ID == "":
			r.wrong(place, "id is missing")
		case r.manifests[m.ID].ID != "":
			r.wrong(place, "%s/%s has the id %q too", r.manifests[m.ID].dir, manifestName, m.ID)
		default:
			r.manifests[m.ID] = m
			r.ids = append(r.ids, m.ID)
		}
	}
}

// target resolves a manifest: fields that a platform leaves out come from the defaults of the nearest dependency.
func (r *targetReader) target(m manifest) source.Target {
	t := source.Target{
		ID: m.ID, Name: m.Target.Name, Prompt: r.prompt(m), Place: m.dir + "/" + manifestName,
		Platforms: map[driver.Platform]source.Platform{},
	}
	for name, p := range m.Target.Platforms {
		p = p.over(m.Defaults[name])
		for _, dep := range r.dependencies(m) {
			p = p.over(dep.Defaults[name])
		}
		p.Tools = append(slices.Clone(m.Target.Tools), p.Tools...)
		t.Platforms[driver.Platform(strings.ToLower(name))] = source.Platform(p)
	}
	return t
}

// dependencies are those of a manifest, the nearest first; at one distance the later declared one is first.
func (r *targetReader) dependencies(m manifest) (out []manifest) {
	seen := map[string]bool{m.ID: true}
	for level := []manifest{m}; len(level) > 0; {
		var next []manifest
		for _, of := range level {
			for _, id := range slices.Backward(of.Dependencies) {
				dep, ok := r.manifests[id]
				switch {
				case seen[id]:
				case ok:
					next = append(next, dep)
				case !slices.Contains(bundled, id):
					r.wrong(of.dir+"/"+manifestName, "it depends on %q, which is not in %s", id, trailmapDir)
				}
				seen[id] = true
			}
		}
		out, level = append(out, next...), next
	}
	return out
}

// maxPrompt bounds the text about an app.
const maxPrompt = 64 << 10

func (r *targetReader) prompt(m manifest) string {
	if m.Target.PromptFile == "" {
		return m.Target.Prompt
	}
	name := path.Join(m.dir, filepath.ToSlash(m.Target.PromptFile))
	data, err := file.ReadIn(r.root, filepath.FromSlash(name), maxPrompt)
	if err != nil {
		r.wrong(m.dir+"/"+manifestName, "system_prompt_file: %v", err)
	}
	return string(data)
}
