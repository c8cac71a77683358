package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

const (
	home    = "https://github.com/trailblaze-dev/trailblaze"
	summary = "Drive real browsers and devices, and replay what was recorded"
)

// archive makes the archive of a system: its program, the texts, completions and manual pages in one folder.
func (r *release) archive(s system, program []byte) error {
	name := fmt.Sprintf("trailblaze_%s_%s", r.version, s.folder())
	entries := append([]entry{{s.program(), 0o755, program}}, r.texts...)
	for _, e := range r.share {
		entries = append(entries, entry{"share/" + e.name, e.mode, e.data})
	}
	for i := range entries {
		entries[i].name = name + "/" + entries[i].name
	}
	pack, ext := tarball, ".tar.gz"
	if s.goos == "windows" {
		pack, ext = zipped, ".zip"
	}
	data, err := pack(r.at, entries)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	r.archives[s.folder()] = hex.EncodeToString(sum[:])
	return r.write(name+ext, data)
}

// manifest is the package.json of an npm package.
type manifest struct {
	Name            string            `json:"name"`
	Version         string            `json:"version"`
	Description     string            `json:"description"`
	License         string            `json:"license"`
	Homepage        string            `json:"homepage"`
	Repository      string            `json:"repository"`
	OS              []string          `json:"os,omitempty"`
	CPU             []string          `json:"cpu,omitempty"`
	PreferUnplugged bool              `json:"preferUnplugged,omitempty"` // Yarn runs no program inside a zip file
	Engines         map[string]string `json:"engines,omitempty"`
	Bin             map[string]string `json:"bin,omitempty"`
	Main            string            `json:"main,omitempty"`
	Optional        map[string]string `json:"optionalDependencies,omitempty"`
}

func (r *release) npm(name string, m manifest, files []entry) error {
	m.Version, m.Description, m.License, m.Homepage = r.version, summary, "Apache-2.0", home
	m.Repository = "github:trailblaze-dev/trailblaze"
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	entries := append([]entry{{"package.json", 0o644, append(text, '\n')}}, append(files, r.texts...)...)
	for i := range entries {
		entries[i].name = "package/" + entries[i].name
	}
	data, err := tarball(r.at, entries)
	if err != nil {
		return err
	}
	return r.write(name+"-"+r.version+".tgz", data)
}

// npmPlatform makes the npm package with the program of one system, which npm installs on that system alone.
func (r *release) npmPlatform(s system, program []byte) error {
	platform, arch, _ := strings.Cut(s.node, "-")
	m := manifest{Name: "@trailblaze/" + s.node, OS: []string{platform}, CPU: []string{arch}, PreferUnplugged: true}
	return r.npm("trailblaze-"+s.node, m, []entry{{"bin/" + s.program(), 0o755, program}})
}

// npmMain makes the npm package trailblaze. It has no install script: its dependencies bring the program.
func (r *release) npmMain() error {
	m := manifest{
		Name: "trailblaze", Main: "index.js", Engines: map[string]string{"node": ">=18"},
		Bin: map[string]string{"trailblaze": "bin/trailblaze.js"}, Optional: map[string]string{},
	}
	for _, s := range systems {
		m.Optional["@trailblaze/"+s.node] = r.version
	}
	var files []entry
	for name, mode := range map[string]os.FileMode{"index.js": 0o644, "bin/trailblaze.js": 0o755} {
		data, err := os.ReadFile(filepath.Join(r.here, "npm", filepath.Base(name)))
		if err != nil {
			return err
		}
		files = append(files, entry{name, mode, data})
	}
	sortEntries(files)
	return r.npm("trailblaze", m, files)
}

// wheel makes the Python package trailblaze-cli of one system: the program is a script of the environment.
func (r *release) wheel(s system, program []byte) error {
	v := strings.Replace(r.version, "-rc.", "rc", 1)
	info := "trailblaze_cli-" + v + ".dist-info/"
	about := "Metadata-Version: 2.4\nName: trailblaze-cli\nVersion: " + v + "\nSummary: " + summary +
		"\nLicense-Expression: Apache-2.0\nProject-URL: Homepage, " + home +
		"\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n"
	tags := "Wheel-Version: 1.0\nGenerator: trailblaze-release\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(s.wheel, ".") {
		tags += "Tag: py3-none-" + platform + "\n"
	}
	entries := []entry{{"trailblaze_cli-" + v + ".data/scripts/" + s.program(), 0o755, program}}
	for _, t := range r.texts {
		if t.name == "README.md" {
			about += "\n" + string(t.data)
			continue
		}
		entries = append(entries, entry{info + "licenses/" + t.name, t.mode, t.data})
		about = strings.Replace(about, "\nProject-URL", "\nLicense-File: "+t.name+"\nProject-URL", 1)
	}
	entries = append(entries, entry{info + "METADATA", 0o644, []byte(about)}, entry{info + "WHEEL", 0o644, []byte(tags)})
	var record strings.Builder
	for _, e := range entries {
		sum := sha256.Sum256(e.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.data))
	}
	entries = append(entries, entry{info + "RECORD", 0o644, []byte(record.String() + info + "RECORD,,\n")})
	data, err := zipped(r.at, entries)
	if err != nil {
		return err
	}
	return r.write("trailblaze_cli-"+v+"-py3-none-"+s.wheel+".whl", data)
}

// formula makes the Homebrew formula of the archives for macOS and Linux.
func (r *release) formula(made []system) error {
	text, err := os.ReadFile(filepath.Join(r.here, "formula.rb.tmpl"))
	if err != nil {
		return err
	}
	t, err := template.New("formula").Parse(string(text))
	if err != nil {
		return err
	}
	type archive struct{ CPU, URL, SHA256 string }
	var of struct {
		Summary, Home, Version string
		Systems                map[string][]archive
	}
	of.Summary, of.Home, of.Version, of.Systems = summary, home, r.version, map[string][]archive{}
	for _, s := range made {
		on := map[string]string{"darwin": "macos", "linux": "linux"}[s.goos]
		if on == "" {
			continue
		}
		of.Systems[on] = append(of.Systems[on], archive{
			CPU:    map[string]string{"amd64": "intel", "arm64": "arm"}[s.goarch],
			URL:    fmt.Sprintf("%s/releases/download/v%s/trailblaze_%s_%s.tar.gz", home, r.version, r.version, s.folder()),
			SHA256: r.archives[s.folder()],
		})
	}
	if len(of.Systems) == 0 {
		return nil
	}
	var b bytes.Buffer
	if err := t.Execute(&b, of); err != nil {
		return err
	}
	return r.write("trailblaze.rb", b.Bytes())
}
