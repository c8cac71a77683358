package phone

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

//go:embed artifacts.txt
var artifactList string

const central = "https://repo1.maven.org/maven2"

// artifact is a file of Maven Central, pinned by its sum.
type artifact struct {
	use, sum string
	size     int64
	path     string // below the repository
}

// artifacts lists what one of the uses needs.
func artifacts(uses ...string) []artifact {
	var out []artifact
	for line := range strings.Lines(artifactList) {
		f := strings.Fields(line)
		if len(f) != 4 || f[0] == "#" || !slices.Contains(uses, f[0]) {
			continue
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err == nil {
			out = append(out, artifact{f[0], f[1], size, f[3]})
		}
	}
	return out
}

// store is the folder that keeps artifacts and what is made of them, for all phones of a user.
type store struct {
	folder string
	say    func(format string, args ...any)
}

func openStore(folder string, say func(string, ...any)) (*store, error) {
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "find the cache folder")
		}
		folder = filepath.Join(cache, "trailblaze", "phone")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "make the cache folder")
	}
	return &store{folder, say}, nil
}

// locked runs a step that writes into the store while no other phone does.
func (s *store) locked(ctx context.Context, step func() error) error {
	lock, err := file.OpenLocked(ctx, filepath.Join(s.folder, "lock"))
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "lock "+s.folder)
	}
	defer func() { _ = lock.Close() }()
	return step()
}

func (s *store) path(a artifact) string {
	return filepath.Join(s.folder, "maven", filepath.FromSlash(a.path))
}

// fetch downloads what is not there yet, and returns the paths. A file that is there has had its sum checked.
func (s *store) fetch(ctx context.Context, list []artifact) ([]string, error) {
	var missing []artifact
	var bytes int64
	for _, a := range list {
		if info, err := os.Stat(s.path(a)); err != nil || info.Size() != a.size {
			missing = append(missing, a)
			bytes += a.size
		}
	}
	if len(missing) > 0 {
		from := repository(os.Getenv, os.UserHomeDir)
		s.say("Downloading %d files, %d MB, from %s", len(missing), bytes>>20, from)
		for _, a := range missing {
			if err := s.download(ctx, from, a); err != nil {
				return nil, err
			}
		}
	}
	paths := make([]string, len(list))
	for i, a := range list {
		paths[i] = s.path(a)
	}
	return paths, nil
}

func (s *store) download(ctx context.Context, from string, a artifact) error {
	op := "download " + from + "/" + a.path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from+"/"+a.path, nil)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	resp, err := http.DefaultClient.Do(req) // it goes through the proxy that the environment names
	if err != nil {
		return fault.New(fault.Unavailable, op, "%w", err).
			WithHint("Check the network and $HTTPS_PROXY, or name a mirror of Maven Central in ~/.m2/settings.xml.")
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fault.New(fault.Unavailable, op, "the server answers %s", resp.Status).
			WithHint("Name a mirror of Maven Central that has it in ~/.m2/settings.xml.")
	}
	to := s.path(a)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	part, err := os.CreateTemp(filepath.Dir(to), ".part-")
	if err != nil {
		return fault.Wrap(err, fault.Invalid, op)
	}
	defer func() { _ = os.Remove(part.Name()) }()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(part, sum), io.LimitReader(resp.Body, a.size+1))
	if err := errors.Join(err, part.Close()); err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); n != a.size || got != a.sum {
		return fault.New(fault.Denied, op, "its SHA-256 is %s over %d bytes, and should be %s over %d", got, n, a.sum,
			a.size).
			WithHint("The server, or a proxy before it, hands out another file. It was not kept.")
	}
	return os.Rename(part.Name(), to)
}

// repository returns the mirror of Maven Central that the user's settings of Maven name, and Central where they name
// none.
func repository(env func(string) string, home func() (string, error)) string {
	dir, err := home()
	if err != nil {
		return central
	}
	text, err := file.Read(filepath.Join(dir, ".m2", "settings.xml"), 1<<20)
	if err != nil {
		return central
	}
	var settings struct {
		Mirrors []struct {
			Of  string `xml:"mirrorOf"`
			URL string `xml:"url"`
		} `xml:"mirrors>mirror"`
	}
	if xml.Unmarshal(text, &settings) != nil {
		return central
	}
	for _, m := range settings.Mirrors {
		of := strings.FieldsFunc(m.Of, func(r rune) bool { return r == ',' || r == ' ' })
		all := slices.Contains(of, "*") || slices.Contains(of, "external:*")
		url := strings.TrimRight(os.Expand(strings.TrimSpace(m.URL), func(name string) string {
			return env(strings.TrimPrefix(name, "env."))
		}), "/")
		if (all || slices.Contains(of, "central")) && !slices.Contains(of, "!central") && strings.HasPrefix(url, "https://") {
			return url
		}
	}
	return central
}

// digest is the SHA-256 of texts, each of which counts with its length.
func digest(texts ...[]byte) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:", len(t))
		h.Write(t)
	}
	return hex.EncodeToString(h.Sum(nil))
}
