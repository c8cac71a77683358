package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// EnvTrust trusts every workspace when it is 1, for machines that run what they have checked out.
const EnvTrust = "TRAILBLAZE_TRUST"

// Trust holds the processes and servers that a person lets workspaces use, in a file of the home folder that is theirs
// alone. A process is trusted in one folder and as it was declared: changed in its command, variables or content, it
// must be trusted again.
type Trust struct {
	Home string
}

// trustFile is the file. Content that a version does not know it refuses, because guessing would trust too much.
type trustFile struct {
	Version int                `json:"version"`
	Folders map[string]Trusted `json:"folders"`
}

// Trusted is a folder and the processes that may be started in it.
type Trusted struct {
	Folder    string            `json:"-"`
	At        time.Time         `json:"at"`
	Processes map[string]string `json:"processes"` // of hash to what the process is
}

const (
	trustName    = "trust.json"
	trustVersion = 1
	maxTrust     = 1 << 20
)

// Check returns an error unless a process may be started in a workspace. It says what a person must do.
func (t Trust) Check(root string, p source.Process) error {
	const op = "start process"
	f, err := t.read()
	if err != nil {
		return err
	}
	have, known := f.Folders[folderKey(root)]
	if _, ok := have.Processes[hashOf(p)]; ok && p.Unknown == "" {
		return nil
	}
	is, why := "is not started", "nobody has trusted this project yet"
	switch {
	case p.URL != "":
		is = "is not connected to"
	case len(p.Grants) > 0:
		is = "gets no files, no network and no secrets"
	}
	if p.Unknown != "" {
		return fault.New(fault.Denied, op, "%s (%s) %s: its content cannot be known and so not be trusted: %s",
			phrase.OneLine(p.What), phrase.OneLine(p.Place), is, phrase.OneLine(p.Unknown)).
			WithHint("Give it a folder of its own with dir, without large files. To start it anyway, set $%s=1 or give --trust.",
				EnvTrust)
	}
	if known {
		why = "it is new or changed since the project was trusted"
	}
	return fault.New(fault.Denied, op, "%s (%s) %s: %s", phrase.OneLine(p.What), phrase.OneLine(p.Place), is, why).
		WithHint("See what the project would start, and let it, with: trailblaze trust (in a terminal, in %s). "+
			"In CI set $%s=1 or give --trust.", phrase.OneLine(root), EnvTrust)
}

// Record trusts exactly these processes in a workspace, and no others that were trusted there before.
func (t Trust) Record(ctx context.Context, root string, all []source.Process) error {
	return t.change(ctx, func(f *trustFile) {
		now := Trusted{At: time.Now().UTC().Truncate(time.Second), Processes: map[string]string{}}
		for _, p := range all {
			if p.Unknown != "" {
				continue
			}
			now.Processes[hashOf(p)] = p.What
		}
		f.Folders[folderKey(root)] = now
	})
}

// Revoke ends the trust in a workspace. It reports whether there was any.
func (t Trust) Revoke(ctx context.Context, root string) (was bool, err error) {
	err = t.change(ctx, func(f *trustFile) {
		_, was = f.Folders[folderKey(root)]
		delete(f.Folders, folderKey(root))
	})
	return was, err
}

// List returns the trusted processes, by folder.
func (t Trust) List() ([]Trusted, error) {
	f, err := t.read()
	if err != nil {
		return nil, err
	}
	var out []Trusted
	for _, folder := range slices.Sorted(maps.Keys(f.Folders)) {
		e := f.Folders[folder]
		e.Folder = folder
		out = append(out, e)
	}
	return out, nil
}

func (t Trust) path() string { return filepath.Join(t.Home, trustName) }

func (t Trust) read() (trustFile, error) {
	const op = "read what is trusted"
	none := trustFile{Version: trustVersion, Folders: map[string]Trusted{}}
	if t.Home == "" {
		return none, nil
	}
	data, err := file.Read(t.path(), maxTrust)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return none, nil
	case err != nil:
		return none, fault.Wrap(err, fault.Denied, op)
	}
	f := trustFile{Folders: map[string]Trusted{}}
	if err := json.Unmarshal(data, &f); err != nil || f.Version != trustVersion {
		return none, fault.New(fault.Denied, op, "%s is damaged, or of another version", t.path()).
			WithHint("Remove the file and trust your projects again.")
	}
	return f, nil
}

// change replaces the file under a lock.
func (t Trust) change(ctx context.Context, fn func(*trustFile)) error {
	const op = "change what is trusted"
	if t.Home == "" {
		return fault.New(fault.Unsupported, op, "there is no home folder to keep it in")
	}
	if err := os.MkdirAll(t.Home, 0o700); err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	lock, err := file.OpenLocked(ctx, t.path()+".lock")
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = lock.Close() }()
	f, err := t.read()
	if err != nil {
		return err
	}
	fn(&f)
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	return fault.Wrap(file.Replace(t.path(), append(data, '\n')), fault.Unavailable, op)
}

// hashOf is the identity of a process: everything that decides what it does, and nothing that only names it.
func hashOf(p source.Process) string {
	all := map[string]any{"command": p.Command, "dir": p.Dir, "env": p.Env, "content": p.Content}
	if p.URL != "" {
		all = map[string]any{"url": p.URL, "headers": p.Headers}
	}
	if len(p.Grants) > 0 {
		all["grants"] = p.Grants
	}
	if p.Sampling {
		all["sampling"] = true
	}
	data, err := json.Marshal(all)
	if err != nil { // texts always marshal
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// folderKey is one name for a folder, whatever links lead to it.
func folderKey(root string) string {
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	return root
}

// Processes lists what the sources of a workspace would start, each once. It starts nothing.
func (s *Sources) Processes(ctx context.Context) ([]source.Process, error) {
	s.mu.Lock()
	all := slices.Clone(s.all)
	s.mu.Unlock()
	var out []source.Process
	seen := map[string]bool{}
	for _, l := range all {
		starter, ok := l.Source.(source.Starter)
		if !ok {
			continue
		}
		found, err := starter.Processes(ctx)
		if err != nil {
			return nil, fault.Wrap(err, "", "list processes")
		}
		for _, p := range found {
			p = s.addContent(p)
			if h := hashOf(p); !seen[h] {
				seen[h] = true
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// trusted is asked by sources before they start a process.
func (s *Sources) trusted(p source.Process) error {
	if s.o.Trust || s.o.Env(EnvTrust) == "1" {
		return nil
	}
	return Trust{s.o.Home}.Check(s.o.Root, s.addContent(p))
}

// identity returns the hash by which a process is trusted, "" when its content cannot be known.
func (s *Sources) identity(p source.Process) string {
	if p = s.addContent(p); p.Unknown != "" {
		return ""
	}
	return hashOf(p)
}
