package packages

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

var (
	dist = flag.String("dist", "", "folder of a release; without it nothing is installed")
	all  = flag.Bool("all", false, "also what takes minutes")
)

// house is an empty place, the release and the sample shop.
type house struct {
	dir, dist, repo, version, shop string
	env                            []string // HOME is the place, and PATH has nothing of ours
}

func newHouse(t *testing.T) *house {
	t.Helper()
	if *dist == "" {
		t.Skip("no -dist: make packages")
	}
	dir, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := exec.Command("chmod", "-R", "u+w", dir).Run(); err != nil { // Go's modules are read-only
			t.Log(err)
		}
		_ = os.RemoveAll(dir)
	})
	from, err := filepath.Abs(*dist)
	if err != nil {
		t.Fatal(err)
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	archives, _ := filepath.Glob(filepath.Join(from, "trailblaze_*_linux_amd64.tar.gz"))
	if len(archives) != 1 {
		t.Fatalf("%s has the archives %q, want one for linux/amd64: make release", from, archives)
	}
	browser, err := launch.Find(os.Getenv("TRAILBLAZE_BROWSER"))
	if err != nil {
		t.Fatal(err)
	}
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Close() })
	h := &house{
		dir: dir, dist: from, repo: repo, shop: shop.URL,
		version: regexp.MustCompile(`trailblaze_(.*)_linux_amd64`).FindStringSubmatch(archives[0])[1],
	}
	// Node and Python stay where they are.
	h.env = []string{"HOME=" + dir, "PATH=" + withoutOurs(os.Getenv("PATH")), "TRAILBLAZE_BROWSER=" + browser, "TRAILBLAZE_PORT=0",
		"NO_COLOR=1", "LANG=C.UTF-8", "PYENV_ROOT=" + filepath.Join(os.Getenv("HOME"), ".pyenv")}
	return h
}

// withoutOurs leaves the folders of a PATH out that have the program.
func withoutOurs(path string) string {
	return strings.Join(slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "trailblaze"))
		return err == nil
	}), string(filepath.ListSeparator))
}

// run runs a program in the house and returns its output. It fails unless the program ends well.
func (h *house) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := h.command(t, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (h *house) command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = h.dir, h.env
	return cmd
}

// write writes a file of the house and returns its path.
func (h *house) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// plays plays the first trail of the sample shop with an installed program, and compares its version with the release.
func (h *house) plays(t *testing.T, program ...string) {
	t.Helper()
	began := time.Now()
	out := h.run(t, program[0], append(program[1:], "run", filepath.Join(h.repo, "internal/ground/demo/trails/01-shop.trail.yaml"),
		"--memory", "shop="+h.shop, "--no-report")...)
	if !strings.Contains(out, "1 trail: 1 passed") {
		t.Fatalf("%q played: %s", program, out)
	}
	t.Logf("the first trail passed in %s", time.Since(began).Round(time.Millisecond))
	var v struct{ Version, Commit string }
	said := h.run(t, program[0], append(program[1:], "version", "--json")...)
	if err := json.Unmarshal([]byte(said), &v); err != nil || strings.TrimPrefix(v.Version, "v") != h.version {
		t.Errorf("version: %s, want %s", said, h.version)
	}
	if program[0] != "go" && len(v.Commit) != 40 && !strings.HasPrefix(v.Version, "v") {
		t.Errorf("version names the commit %q", v.Commit)
	}
}

// TestArchive: the archive is what SHA256SUMS says, and has the program, licences, completions and manual pages.
func TestArchive(t *testing.T) {
	h := newHouse(t)
	sums := h.command(t, "sha256sum", "--quiet", "-c", "SHA256SUMS")
	sums.Dir = h.dist
	if out, err := sums.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	name := filepath.Base(unpacked(t, h))
	h.plays(t, filepath.Join(h.dir, name, "trailblaze"))
	for file, want := range map[string]string{
		"LICENSE": "Apache License", "THIRD_PARTY_LICENSES": "==== github.com/spf13/cobra ",
		"share/man/man1/trailblaze-run.1": "Replay trails", "share/bash-completion/completions/trailblaze": "__start_trailblaze",
		"share/zsh/vendor-completions/_trailblaze": "#compdef", "share/fish/vendor_completions.d/trailblaze.fish": "complete -c trailblaze",
	} {
		if text, err := os.ReadFile(filepath.Join(h.dir, name, file)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, or without %q", file, err, want)
		}
	}
	var bom struct {
		Metadata   struct{ Component struct{ Version string } }
		Components []struct{ Purl string }
	}
	data, err := os.ReadFile(filepath.Join(h.dist, name+".cdx.json"))
	if err == nil {
		err = json.Unmarshal(data, &bom)
	}
	if err != nil || bom.Metadata.Component.Version != "v"+h.version || len(bom.Components) < 20 ||
		!bytes.Contains(data, []byte("pkg:golang/github.com/spf13/cobra@")) {
		t.Errorf("SBOM: %v, version %q, %d components", err, bom.Metadata.Component.Version, len(bom.Components))
	}
}

// TestFilm: the program has Debian's ffmpeg make films of a run, in which each step is seen for 1.5 s.
func TestFilm(t *testing.T) {
	h := newHouse(t)
	if !*all {
		t.Skip("-all only: it takes ffmpeg")
	}
	program := filepath.Join(unpacked(t, h), "trailblaze")
	for name, codec := range map[string]string{"run.webm": "vp9", "run.gif": "gif"} {
		h.run(t, program, "run", filepath.Join(h.repo, "internal/ground/demo/trails/06-packing.trail.yaml"), "--memory", "shop="+h.shop,
			"--storyboard", name)
		var film struct {
			Streams []struct {
				Codec string `json:"codec_name"`
			}
			Format struct{ Duration string }
		}
		said := h.run(t, "ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", name)
		if err := json.Unmarshal([]byte(said), &film); err != nil || len(film.Streams) != 1 || film.Streams[0].Codec != codec ||
			film.Format.Duration != "6.000000" {
			t.Errorf("%s: %v, want %s of 4 steps in 6 s:\n%s", name, err, codec, said)
		}
	}
}

// TestPip: pip takes the wheel of this system from a folder with those of all, and the SDK finds the program of its environment.
func TestPip(t *testing.T) {
	h := newHouse(t)
	h.run(t, "python3", "-m", "venv", "v")
	bin := filepath.Join(h.dir, "v", "bin")
	h.run(t, bin+"/pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", h.dist, "trailblaze-cli")
	h.plays(t, bin+"/trailblaze")

	h.run(t, bin+"/pip", "install", "-q", "--disable-pip-version-check", "--find-links", h.dist, "trailblaze[cli]=="+h.version)
	h.run(t, bin+"/pip", "check")
	script := h.write(t, "a.py", `import sys
from trailblaze import SyncTrailblazeClient
with SyncTrailblazeClient.connect() as tb:
    tb.web.navigate(sys.argv[1])
    print("seen", tb.is_visible(text="The goods"))
    tb.manage.device("DISCONNECT")
`)
	defer h.run(t, bin+"/trailblaze", "daemon", "stop")
	if out := h.run(t, bin+"/python", script, h.shop); !strings.Contains(out, "seen True") {
		t.Errorf("the SDK for Python: %s", out)
	}
	h.run(t, bin+"/pip", "uninstall", "-q", "-y", "trailblaze")
	if left, err := os.Stat(bin + "/trailblaze"); err != nil {
		t.Errorf("the program went with the SDK: %v %v", left, err)
	}
}

// TestGoInstall: go install builds the program from a module proxy into an empty GOPATH.
func TestGoInstall(t *testing.T) {
	h := newHouse(t)
	if !*all {
		t.Skip("-all only: it compiles the whole module")
	}
	proxy := moduleProxy(t, h)
	cmd := h.command(t, "go", "install", "-trimpath", "github.com/trailblaze-dev/trailblaze/cmd/trailblaze@v"+h.version)
	cmd.Env = append(cmd.Env, "GOPATH="+h.dir+"/go", "GOFLAGS=-modcacherw", "GOSUMDB=off", "CGO_ENABLED=0", "GOCACHE="+goEnv(t, "GOCACHE"),
		"GOPROXY=file://"+proxy+",file://"+goEnv(t, "GOMODCACHE")+"/cache/download,"+goEnv(t, "GOPROXY"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h.plays(t, h.dir+"/go/bin/trailblaze")
}

// TestFormula: Ruby reads the formula, its archives are those of SHA256SUMS, and what it installs is the program.
func TestFormula(t *testing.T) {
	h := newHouse(t)
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("no ruby: make packages installs it")
	}
	formula := filepath.Join(h.dist, "trailblaze.rb")
	h.run(t, ruby, "-wc", formula)
	brew, err := filepath.Abs("testdata/brew.rb")
	if err != nil {
		t.Fatal(err)
	}
	cmd := h.command(t, ruby, brew, formula, filepath.Join(h.dir, "prefix"))
	cmd.Dir = unpacked(t, h)
	said, err := cmd.CombinedOutput()
	var doc struct {
		Desc, Homepage, License, Version string
		Archives                         map[string][2]string // URL and SHA-256 by system and processor
	}
	if err != nil || json.Unmarshal(said, &doc) != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	h.plays(t, h.dir+"/prefix/bin/trailblaze")
	for _, file := range []string{"man1/trailblaze.1", "bash_completion/trailblaze", "zsh_completion/_trailblaze", "fish_completion/trailblaze.fish"} {
		if _, err := os.Stat(filepath.Join(h.dir, "prefix", file)); err != nil {
			t.Error(err)
		}
	}
	// brew audit asks for these.
	if n := len(doc.Desc); n == 0 || n > 80 || strings.HasSuffix(doc.Desc, ".") || strings.HasPrefix(strings.ToLower(doc.Desc), "a ") {
		t.Errorf("desc %q, want 1 to 80 letters, no full stop and no article", doc.Desc)
	}
	if doc.License != "Apache-2.0" || doc.Version != h.version || !strings.HasPrefix(doc.Homepage, "https://") {
		t.Errorf("licence %q, version %q, homepage %q", doc.License, doc.Version, doc.Homepage)
	}
	sums, err := os.ReadFile(filepath.Join(h.dist, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for on, a := range doc.Archives {
		file := a[0][strings.LastIndex(a[0], "/")+1:]
		if !strings.Contains(string(sums), a[1]+"  "+file+"\n") || !strings.Contains(a[0], "/v"+h.version+"/") {
			t.Errorf("%s: %s with %s is not in SHA256SUMS", on, file, a[1])
		}
	}
	archives, _ := filepath.Glob(filepath.Join(h.dist, "trailblaze_*.tar.gz"))
	if len(doc.Archives) != len(archives) {
		t.Errorf("the formula has %d archives of %d", len(doc.Archives), len(archives))
	}
}

// TestReproducible: a release of the same tree in another folder has the same bytes.
func TestReproducible(t *testing.T) {
	h := newHouse(t)
	if !*all {
		t.Skip("-all only: it makes a release")
	}
	copyTree(t, h, filepath.Join(h.dir, "elsewhere"))
	var v struct{ Commit string }
	said := h.run(t, filepath.Join(unpacked(t, h), "trailblaze"), "version", "--json")
	if err := json.Unmarshal([]byte(said), &v); err != nil {
		t.Fatal(err)
	}
	systems := []string{}
	made, _ := filepath.Glob(filepath.Join(h.dist, "*.cdx.json"))
	for _, file := range made {
		m := regexp.MustCompile(`_([a-z]+)_([a-z0-9]+)\.cdx\.json$`).FindStringSubmatch(file)
		systems = append(systems, m[1]+"/"+m[2])
	}
	cmd := h.command(t, "bash", append([]string{"release/release.sh", h.version, filepath.Join(h.dir, "again")}, systems...)...)
	info, err := os.Stat(filepath.Join(unpacked(t, h), "trailblaze"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Dir, cmd.Env = filepath.Join(h.dir, "elsewhere"), append(os.Environ(), "COMMIT="+v.Commit,
		"SOURCE_DATE_EPOCH="+itoa(info.ModTime().Unix()))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first, _ := os.ReadFile(filepath.Join(h.dist, "SHA256SUMS"))
	second, err := os.ReadFile(filepath.Join(h.dir, "again", "SHA256SUMS"))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("%v: two releases differ:\n%s\n%s", err, first, second)
	}
	t.Logf("%d files of %d systems are the same", bytes.Count(second, []byte("\n")), len(systems))
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestHasSystem: these tests install what is for linux/amd64.
func TestHasSystem(t *testing.T) {
	if *dist != "" && (runtime.GOOS != "linux" || runtime.GOARCH != "amd64") {
		t.Fatal("make packages runs on linux/amd64")
	}
}
