package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// These are the keys below llm, and of a provider. The last four of a provider only describe it.
var (
	modelKeys = []string{"defaults", "tiers", "providers", "max_cost", "pictures", "judge", "temperature",
		"seed", "parallel_tool_calls", "max_tokens", "max_silence"}
	providerKeys = []string{
		"type", "base_url", "auth", "models", "default_model", "requests_per_minute",
		"temperature", "seed", "parallel_tool_calls", "max_tokens", "max_silence",
		"provider_id", "id", "name", "description",
	}
)

// models reads what a file says of models: the root llm, and the root providers, which declares the same as
// llm.providers does. Where both name a provider, llm holds.
func (d *declarations) models(llm, providers any) map[string]any {
	below, ok := llm.(map[string]any)
	if llm != nil && !ok {
		d.wrong("llm", "llm: must be a mapping")
	}
	for _, k := range sorted(below) {
		if !slices.Contains(modelKeys, k) {
			d.wrong("llm/"+k, "unknown key %q", "llm."+k)
		}
	}
	all := d.providers("providers", "providers", providers)
	maps.Copy(all, d.providers("llm/providers", "llm.providers", below["providers"]))
	if len(all) == 0 {
		return below
	}
	out := map[string]any{}
	maps.Copy(out, below)
	out["providers"] = all
	return out
}

// providers reads a mapping of names to providers, or a list of providers and of files with one each. Wrong ones are
// left out.
func (d *declarations) providers(at, key string, v any) map[string]any {
	out := map[string]any{}
	if m, ok := v.(map[string]any); ok {
		for _, name := range sorted(m) {
			d.provider(out, d.near(at, name), key, name, m[name])
		}
		return out
	}
	for _, e := range d.entries(at, v) {
		item := e.Value
		if m, _ := item.(map[string]any); m["ref"] != nil {
			item = m["ref"]
		}
		if name, ok := item.(string); ok {
			place := e.Place
			e.Place = filepath.Join(e.Dir, filepath.FromSlash(name))
			d.named = append(d.named, e.Place)
			err := errors.New("is no file of a provider, such as providers/lab.yaml")
			if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
				item, err = fileOf(e.Dir, name)
			}
			if err != nil {
				d.warn = append(d.warn, fmt.Sprintf("%s: %s: %s: %v", place, key, name, err))
				continue
			}
		}
		m, _ := item.(map[string]any)
		f := &fields{of: m}
		d.provider(out, e.Place, key, cmp.Or(f.text("provider_id"), f.text("id")), item)
	}
	return out
}

// provider keeps one, unless it is none.
func (d *declarations) provider(out map[string]any, place, key, name string, v any) {
	m, ok := v.(map[string]any)
	if !ok && v != nil || name == "" {
		d.warn = append(d.warn, fmt.Sprintf("%s: %s: a provider is a mapping with base_url, type, auth or models, "+
			"and in a list with its name as provider_id", place, key))
		return
	}
	for _, k := range sorted(m) {
		if !slices.Contains(providerKeys, k) {
			d.warn = append(d.warn, fmt.Sprintf("%s: provider %q: unknown key %q", place, name, k))
		}
	}
	out[name] = m
}

// near is the line of a name below a key, or of the key.
func (d *declarations) near(at, name string) string {
	if d.lines[at+"/"+name] > 0 {
		at += "/" + name
	}
	return d.place(at)
}

// fileOf reads a YAML file below a folder.
func fileOf(dir, name string) (doc any, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	data, err := file.ReadIn(root, filepath.FromSlash(name), maxFile)
	if err != nil {
		return nil, err
	}
	return doc, yaml.Unmarshal(data, &doc)
}

// over lays what one file says of models over what another says: defaults, tiers and providers by their names. A
// provider is not joined: the key that one file names never goes to the address that another does. Of two bounds on the
// cost the lower one holds.
func over(lower, upper map[string]any) map[string]any {
	if lower == nil {
		return upper
	}
	out := maps.Clone(lower)
	for k, v := range upper {
		if had, there := number(out["max_cost"]); k == "max_cost" && there && had > 0 {
			if now, ok := number(v); !ok || now <= 0 || now > had {
				continue
			}
		}
		a, isA := out[k].(map[string]any)
		b, isB := v.(map[string]any)
		if isA && isB {
			joined := maps.Clone(a)
			maps.Copy(joined, b)
			v = joined
		}
		out[k] = v
	}
	return out
}

// number reads a number of YAML.
func number(v any) (float64, bool) {
	n, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	return n, err == nil
}
