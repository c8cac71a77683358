package trail

import (
	"maps"
	"slices"
)

// mergeDeclared adds the memory and arguments that the recording reads from outside and the file does not declare
// yet. Declarations in the file stay. What the recording says of itself replaces what the file says.
func mergeDeclared(old, recorded *Config, out *Config) {
	for name, v := range recorded.Memory {
		if _, ok := old.Memory[name]; !ok {
			out.Memory = with(out.Memory, name, v)
		}
	}
	for name, v := range recorded.Metadata {
		out.Metadata = with(out.Metadata, name, v)
	}
	for _, a := range recorded.Args {
		if !hasArg(old.Args, a.Name) {
			a.Pos = Pos{}
			out.Args = append(slices.Clip(out.Args), a)
		}
	}
}

func hasArg(list []Arg, name string) bool {
	for _, a := range list {
		if a.Name == name {
			return true
		}
	}
	return false
}

// added returns the memory and arguments that came, and the metadata that came or changed.
func added(old, want *Config) Config {
	fresh := Config{Memory: maps.Clone(want.Memory)}
	maps.DeleteFunc(fresh.Memory, func(name, _ string) bool { _, ok := old.Memory[name]; return ok })
	fresh.Metadata = maps.Clone(want.Metadata)
	maps.DeleteFunc(fresh.Metadata, func(name, v string) bool { was, ok := old.Metadata[name]; return ok && was == v })
	for _, a := range want.Args {
		if !hasArg(old.Args, a.Name) {
			fresh.Args = append(fresh.Args, a)
		}
	}
	return fresh
}

// declared writes the memory, arguments and metadata that came into a head that is there: into the blocks that it has,
// or as new ones.
func (ed *editor) declared(cfg *entry, old, want *Trail, had bool) {
	fresh := added(&old.Config, &want.Config)
	n, err := configNode(&fresh)
	if ed.check(err); err != nil || len(n.entries) == 0 {
		return
	}
	if cfg.value.kind != kindMapping || cfg.value.flow || cfg.value.alias {
		ed.fail() // there is no block to write into: the file is written anew
		return
	}
	col := cfg.value.entries[0].pos.Col
	for _, part := range n.entries {
		e := &emitter{}
		was := find(cfg.value, part.key)
		switch {
		case (was != nil) != had:
		case was == nil:
			e.entry(col-1, "", part.key, part.value)
			end := ed.end(cfg.value, col-1)
			ed.replace(end, end, e.lines)
		case was.merged || was.value.kind != kindMapping || was.value.flow || was.value.alias || len(was.value.entries) == 0:
			ed.fail()
		default:
			ed.entries(was.value, part.value.entries)
		}
	}
}

// entries writes entries into a block: those that it has in their place, others at its end.
func (ed *editor) entries(block *node, want []entry) {
	inner := block.entries[0].pos.Col
	fresh := &emitter{}
	for _, x := range want {
		was, e := find(block, x.key), fresh
		if was != nil {
			e = &emitter{}
		}
		if e.entry(inner-1, "", x.key, x.value); was != nil {
			ed.replace(was.pos.Line, ed.entryEnd(was), e.lines)
		}
	}
	end := ed.end(block, inner-1)
	ed.replace(end, end, fresh.lines)
}
