package record

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Place returns where Save would put a trail: the file's path below the workspace, with slashes.
func Place(workspace, asked, title string) (string, error) { return place(workspace, asked, title) }

// IDOf is the id of a trail in a new file: its path below the trails folder.
func IDOf(place string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(place, Folder+"/"), suffix), "/trail.yaml")
}

// place is Place.
func place(workspace, asked, title string) (string, error) {
	const op = "save trail"
	name := filepath.ToSlash(strings.TrimSpace(asked))
	if name == "" {
		slug := Slug(title)
		if slug == "" {
			return "", fault.New(fault.Invalid, op, "the trail needs a title").
				WithHint(`Give it one: session save -t "Buy a lamp".`)
		}
		return Folder + "/" + slug + suffix, nil
	}
	if filepath.IsAbs(asked) {
		var err error
		if name, err = fromWorkspace(workspace, asked); err != nil {
			return "", err
		}
	}
	if strings.ContainsAny(name, "\\\x00") || slices.Contains(strings.Split(name, "/"), "..") {
		return "", outside(asked)
	}
	name = strings.TrimPrefix(path.Clean(name), Folder+"/")
	if name == "." || name == Folder || strings.HasSuffix(asked, "/") {
		return "", fault.New(fault.Invalid, op, "%q names a folder, not a trail", asked)
	}
	if slices.ContainsFunc(strings.Split(name, "/"), hidden) {
		return "", fault.New(fault.Invalid, op, "%q cannot name a trail: no part may be hidden", asked)
	}
	if name == "config/trailblaze.yaml" {
		return "", fault.New(fault.Denied, op, "%s is the workspace's configuration", name)
	}
	if path.Base(name) != "trail.yaml" && !strings.HasSuffix(name, suffix) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml") + suffix
	}
	return Folder + "/" + name, nil
}

func hidden(part string) bool { return strings.HasPrefix(part, ".") || !filepath.IsLocal(part) }

// fromWorkspace is the path of an absolute name from the workspace, with slashes.
func fromWorkspace(workspace, asked string) (string, error) {
	abs, err := filepath.Abs(workspace)
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "save trail")
	}
	rel, err := filepath.Rel(abs, filepath.Clean(asked))
	if name := filepath.ToSlash(rel); err == nil && strings.HasPrefix(name, Folder+"/") {
		return name, nil
	}
	return "", outside(asked)
}

func outside(asked string) error {
	return fault.New(fault.Denied, "save trail", "%q is outside the workspace's %s folder", asked, Folder).
		WithHint("Trails are saved below %s/ only: give a path such as shop/login.", Folder)
}

// Slug is a title as the name of a file: as many of its words as a name should have.
func Slug(title string) string {
	var name []rune
	words := strings.FieldsFunc(strings.ToLower(title),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range words {
		word := []rune(w)
		if len(name)+1+len(word) > longestSlug && len(name) > 0 {
			break
		}
		if len(name) > 0 {
			name = append(name, '-')
		}
		name = append(name, word[:min(len(word), longestSlug)]...)
	}
	return string(name)
}
