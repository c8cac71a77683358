package policy

import (
	"os"
	"path/filepath"
	"strings"
)

// fileRule is a folder, below the workspace unless it is absolute.
type fileRule struct {
	path string
	at   place
}

// reads decides about reading a file.
func (p *Policy) reads(name string) decision {
	return p.confined(name, p.read, "files.read", p.listed("files.read"))
}

// writes decides about writing one. In CI no new file appears outside of the listed places.
func (p *Policy) writes(name string) decision {
	return p.confined(name, p.write, "files.write", p.listed("files.write") || p.profile == CI)
}

func (p *Policy) listed(key string) bool {
	_, ok := p.where[key]
	return ok
}

// confined decides whether a file is below one of the folders, links followed. Without a list the workspace is the
// folder.
func (p *Policy) confined(name string, roots []fileRule, key string, only bool) decision {
	d := decision{Subject: "the file " + name}
	real := resolved(p.below(name))
	if only {
		for _, r := range roots {
			if inFolder(resolved(p.below(r.path)), real) {
				return d.yes(key+" "+quoted(r.path), p.at(r.at))
			}
		}
		return d.no(key, p.listPlace(key), "Add its folder to "+key+" to allow it.")
	}
	if p.workspace != "" && inFolder(resolved(p.workspace), real) {
		return d.yes("workspace", "profile "+string(p.profile))
	}
	return d.no("files outside the workspace", "profile "+string(p.profile),
		"Put the file into the workspace, or list its folder under "+key+".")
}

func (p *Policy) below(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(p.workspace, name)
}

// resolved follows links as far as the path exists: the rest is to be made below that.
func resolved(path string) string {
	rest := ""
	for at := path; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		// Making the file would follow a link that leads nowhere yet.
		if to, err := os.Readlink(at); err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(at), to)
			}
			return filepath.Join(to, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return path
		}
		rest, at = filepath.Join(filepath.Base(at), rest), up
	}
}

func inFolder(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
