package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/trailblaze-dev/trailblaze/internal/cli"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// manual makes completions and manual pages of the commands, and writes them as a tree below -built for Debian's
// package.
func (r *release) manual() error {
	root := cli.Commands()
	root.Long += "\n\n" + shell.ExitHelp
	add := func(name string, generate func(*bytes.Buffer) error) error {
		var b bytes.Buffer
		if err := generate(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.share = append(r.share, entry{name, 0o644, b.Bytes()})
		return nil
	}
	err := errors.Join(
		add("bash-completion/completions/trailblaze",
			func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }),
		add("zsh/vendor-completions/_trailblaze", func(b *bytes.Buffer) error { return root.GenZshCompletion(b) }),
		add("fish/vendor_completions.d/trailblaze.fish",
			func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) }),
		add("powershell/trailblaze.ps1",
			func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) }),
	)
	page := func(c *cobra.Command) error {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		return add("man/man1/"+name+".1", func(b *bytes.Buffer) error {
			return doc.GenMan(c, &doc.GenManHeader{
				Title: strings.ToUpper(name), Section: "1", Date: &r.at, Source: "trailblaze " + r.version, Manual: "Trailblaze",
			}, b)
		})
	}
	for commands := []*cobra.Command{root}; len(commands) > 0; commands = commands[1:] {
		c := commands[0]
		c.DisableAutoGenTag = true
		if !c.Hidden && c.Name() != "help" {
			err = errors.Join(err, page(c))
			commands = append(commands, c.Commands()...)
		}
	}
	sortEntries(r.share)
	for _, e := range r.share {
		path := filepath.Join(r.built, "share", filepath.FromSlash(e.name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, e.data, e.mode))
	}
	return err
}

// licences reads the texts that a package of the program takes along: README, our licence, and those of the modules
// that are linked into any of the programs.
func (r *release) licences() error {
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(filepath.Join(r.here, "..", name))
		if err != nil {
			return err
		}
		r.texts = append(r.texts, entry{name, 0o644, data})
	}
	linked := map[string]string{} // modules and their folders
	for _, s := range systems {
		info, err := buildinfo.ReadFile(filepath.Join(r.built, s.folder(), s.program()))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		for _, m := range info.Deps {
			linked[m.Path+" "+m.Version] = filepath.Join(os.Getenv("GOMODCACHE"), escaped(m.Path)+"@"+escaped(m.Version))
		}
	}
	linked["Go"] = os.Getenv("GOROOT")
	var all bytes.Buffer
	all.WriteString("Licences of the modules that are linked into trailblaze.\n")
	for _, module := range slices.Sorted(maps.Keys(linked)) {
		files, err := os.ReadDir(linked[module])
		if err != nil {
			return err
		}
		found := false
		for _, f := range files {
			if !licence().MatchString(f.Name()) || f.IsDir() {
				continue
			}
			data, err := os.ReadFile(filepath.Join(linked[module], f.Name()))
			if err != nil {
				return err
			}
			fmt.Fprintf(&all, "\n==== %s: %s\n\n%s\n", module, f.Name(), bytes.TrimSpace(data))
			found = true
		}
		if !found {
			return fmt.Errorf("%s has no licence in %s", module, linked[module])
		}
	}
	r.texts = append(r.texts, entry{"THIRD_PARTY_LICENSES", 0o644, all.Bytes()})
	ours := r.texts[0].data
	return os.WriteFile(filepath.Join(r.built, "copyright"), slices.Concat(ours, []byte("\n"), all.Bytes()), 0o644)
}

var licence = regex.Lazy(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// escaped spells a path or version as the module cache does, where no capital letters are.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range s {
		if unicode.IsUpper(c) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
