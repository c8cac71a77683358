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

// files are the rules about what is read and written.
type files struct {
	*basis
	read, write []fileRule
}

// reads decides about reading a file.
func (f *files) reads(name string) decision {
	return f.confined(name, f.read, "files.read", f.listed("files.read"))
}

// writes decides about writing one. In CI no new file appears outside of the listed places.
func (f *files) writes(name string) decision {
	return f.confined(name, f.write, "files.write", f.listed("files.write") || f.profile == CI)
}

func (b *basis) listed(key string) bool {
	_, ok := b.where[key]
	return ok
}

// confined decides whether a file is below one of the folders, links followed. Without a list the workspace is the
// folder.
func (f *files) confined(name string, roots []fileRule, key string, only bool) decision {
	d := decision{Subject: "the file " + name}
	real := resolved(f.below(name))
	if only {
		for _, r := range roots {
			if inFolder(resolved(f.below(r.path)), real) {
				return d.yes(key+" "+quoted(r.path), f.at(r.at))
			}
		}
		return d.no(key, f.listPlace(key), "Add its folder to "+key+" to allow it.")
	}
	if f.workspace != "" && inFolder(resolved(f.workspace), real) {
		return d.yes("workspace", "profile "+string(f.profile))
	}
	return d.no("files outside the workspace", "profile "+string(f.profile),
		"Put the file into the workspace, or list its folder under "+key+".")
}

func (f *files) below(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(f.workspace, name)
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
