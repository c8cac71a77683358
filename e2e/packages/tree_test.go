package packages

import (
	"archive/zip"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trailblaze-dev/trailblaze"

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// files lists the files of the work tree that belong to the project.
func (h *house) files(t *testing.T) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-co", "--exclude-standard")
	cmd.Dir = h.repo
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for file := range strings.Lines(string(out)) {
		file = strings.TrimSpace(file)
		if info, err := os.Lstat(filepath.Join(h.repo, file)); err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	return files
}

// moduleProxy makes a folder that the go command takes for a module proxy with this module in it.
func moduleProxy(t *testing.T, h *house) string {
	t.Helper()
	version := "v" + h.version
	folder := filepath.Join("proxy", module, "@v")
	mod, err := os.ReadFile(filepath.Join(h.repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, filepath.Join(folder, version+".mod"), string(mod))
	h.write(t, filepath.Join(folder, version+".info"), `{"Version": "`+version+`"}`)
	h.write(t, filepath.Join(folder, "list"), version+"\n")
	f, err := os.Create(filepath.Join(h.dir, folder, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z := zip.NewWriter(f)
	for _, file := range h.files(t) {
		if strings.Contains(file, "testdata/") || strings.HasSuffix(file, "_test.go") || nested(h, file) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(h.repo, file))
		if err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(module + "@" + version + "/" + file)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(h.dir, "proxy")
}

// nested is whether a file belongs to a module of its own.
func nested(h *house, file string) bool {
	for dir := filepath.Dir(file); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(h.repo, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func copyTree(t *testing.T, h *house, to string) {
	t.Helper()
	for _, file := range h.files(t) {
		info, err := os.Stat(filepath.Join(h.repo, file))
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(h.repo, file))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, file)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, file), data, info.Mode()&fs.ModePerm)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unpacked unpacks the archive for this system and returns its folder.
func unpacked(t *testing.T, h *house) string {
	t.Helper()
	name := "trailblaze_" + h.version + "_linux_amd64"
	h.run(t, "tar", "xzf", filepath.Join(h.dist, name+".tar.gz"))
	return filepath.Join(h.dir, name)
}
