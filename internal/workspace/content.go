package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
)

// maxContent bounds a file that a command line names. What is larger is known by its size.
const maxContent = 256 << 20

// whole is a process with its content. Of a script its maker knows that; of another program it is that of the files of
// the workspace which the command line names.
func (s *Sources) whole(p source.Process) source.Process {
	if p.Content == "" && len(p.Command) > 0 {
		p.Content = namedFiles(s.o.Root, p.Dir, p.Command)
	}
	return p
}

// namedFiles is a hash of the files that a command line names below root, "" where it names none.
func namedFiles(root, dir string, command []string) string {
	top, err := os.OpenRoot(root)
	if err != nil {
		return ""
	}
	defer func() { _ = top.Close() }()
	sum, found := sha256.New(), false
	for _, word := range command {
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			word = value
		}
		name := filepath.FromSlash(word)
		if filepath.IsAbs(name) {
			if name, err = filepath.Rel(root, name); err != nil {
				continue
			}
		} else {
			name = filepath.Join(filepath.FromSlash(dir), name)
		}
		if info, err := top.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue // it is an option, or stands outside of the workspace
		} else if data, err := file.ReadIn(top, name, maxContent); err != nil {
			_, _ = fmt.Fprintln(sum, name, info.Size(), err)
		} else {
			_, _ = fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(data))
		}
		found = true
	}
	if !found {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
