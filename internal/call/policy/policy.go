package policy

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Profile is the set of rules where the file has none.
type Profile string

// The profiles.
const (
	Explore Profile = "explore" // everything but metadata addresses and files outside the workspace
	Test    Profile = "test"    // only the hosts listed, and those of the base URL
	CI      Profile = "ci"      // only what is listed
)

// File is the path of a workspace's policy.
const File = "trails/config/policy.yaml"

// EnvFile names another policy file.
const EnvFile = "TRAILBLAZE_POLICY"

// maxFile bounds a policy file.
const maxFile = 256 << 10

// Options are the sources of a policy.
type Options struct {
	Workspace string   // files are confined to it
	File      string   // the user's, obeyed whole; "" is none. A file that is named must exist
	Project   string   // the project's, which narrows the user's; "" is the workspace's own where File is "", else none
	Base      []string // URLs under test: profile test allows their hosts
	Log       *slog.Logger
}

// Policy holds the rules of a session.
type Policy struct {
	*basis
	hosts       hosts
	files       files
	actions     actions
	permissions permissions
	secrets     []Secret

	log     *slog.Logger
	sampled *sample
	user    *Policy // that of the user, which a project's policy only adds to; nil for one that stands alone
}

// basis is the file and the profile that rules come from.
type basis struct {
	profile   Profile
	path      string // of the file, as told to people; "" when there is none
	workspace string
	where     map[string]place // of keys, such as "evaluate" and "hosts.ports"
}

// lists holds the allowed and the denied. A denial wins. An empty list of the allowed allows nothing only where the
// profile denies by default.
type lists[R any] struct {
	allow, deny []R
	hasAllow    bool // "allow:" stands in the file, even if empty
}

// verdict is a yes or no that may be left to the profile.
type verdict string

const (
	unset verdict = ""
	yes   verdict = "allow"
	no    verdict = "deny"
)

// WorkspaceFile is the project's own policy file, which need not exist; "" outside any project.
func (o Options) WorkspaceFile() string {
	if o.Workspace == "" {
		return ""
	}
	return filepath.Join(o.Workspace, filepath.FromSlash(File))
}

// project is the project's file to read, "" when there can be none.
func (o Options) project() string {
	if o.File == "" && o.Project == "" {
		return o.WorkspaceFile()
	}
	return o.Project
}

// Load reads the policy of a workspace: the user's, and the project's, which adds to it. A denial of either holds. All
// mistakes of a file are reported at once.
func Load(o Options) (*Policy, error) {
	user := Default(Explore, o)
	if o.File != "" {
		p, err := read(o.File, o)
		if err != nil {
			return nil, err
		}
		user = p
	}
	path := o.project()
	if path == "" {
		return user, nil
	}
	p, err := read(path, o)
	if errors.Is(err, fs.ErrNotExist) && path == o.WorkspaceFile() {
		return user, nil
	}
	if err != nil {
		return nil, err
	}
	p.user, p.sampled = user, user.sampled
	return p, nil
}

// read reads one file.
func read(path string, o Options) (*Policy, error) {
	const op = "read policy"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.NotFound, op, "there is no file %s: %w", path, err).
			WithHint("A policy that is named must exist.")
	case err != nil:
		return nil, fault.Wrap(err, fault.Invalid, op)
	case info.Size() > maxFile:
		return nil, fault.New(fault.Invalid, op, "%s is larger than %d kB", path, maxFile>>10)
	}
	data, err := file.Read(path, maxFile)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	return Parse(path, data, o)
}

// each are the policies that hold together, the user's first.
func (p *Policy) each() []*Policy {
	if p.user == nil {
		return []*Policy{p}
	}
	return []*Policy{p.user, p}
}

// every reports whether something holds for all policies that hold together.
func (p *Policy) every(is func(*Policy) bool) bool {
	return !slices.ContainsFunc(p.each(), func(q *Policy) bool { return !is(q) })
}

// decide is the first denial of the policies that hold together, else what the last says.
func (p *Policy) decide(of func(*Policy) decision) (d decision) {
	for _, q := range p.each() {
		if d = of(q); !d.Allowed {
			break
		}
	}
	return d
}

// Default is a profile without a file.
func Default(profile Profile, o Options) *Policy {
	b := &basis{profile: profile, workspace: o.Workspace, where: map[string]place{}}
	p := &Policy{basis: b, log: o.Log, sampled: newSample()}
	p.hosts, p.files, p.actions, p.permissions = hosts{basis: b}, files{basis: b}, actions{basis: b}, permissions{basis: b}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	if p.workspace != "" {
		if abs, err := filepath.Abs(p.workspace); err == nil {
			p.workspace = abs
		}
	}
	for _, b := range o.Base {
		if u, err := readURL(b); err == nil && u.host != "" {
			p.hosts.base = append(p.hosts.base, hostRule{scheme: u.scheme, host: u.host, port: u.port, text: b})
		}
	}
	return p
}

// Profile is the profile in force.
func (b *basis) Profile() Profile { return b.profile }

// Path is the file the policy was read from, "" when there is none.
func (b *basis) Path() string { return b.path }

// plain reports whether the policy is the default one, which needs no mention.
func (b *basis) plain() bool { return b.path == "" && b.profile == Explore }

// at names the place of a rule for people.
func (b *basis) at(w place) string {
	if w.Line == 0 {
		return "profile " + string(b.profile)
	}
	return w.In(b.name())
}

func (b *basis) name() string {
	if rel, err := filepath.Rel(b.workspace, b.path); err == nil && b.workspace != "" && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return b.path
}

// Secret is a declared secret. Its value is never in a file of the workspace.
type Secret struct {
	Name   string
	Origin string // the only one it is typed into
	Env    string // the variable that holds it; "" is TRAILBLAZE_SECRET_<name>
	Place  string // where a project names another variable, which takes trust; "" for all others
	at     place
}

// EnvSecret begins the names of the variables that hold secrets.
const EnvSecret = "TRAILBLAZE_SECRET_"

// Secrets are the declared ones. A project declares none again that the user has declared.
func (p *Policy) Secrets() []Secret {
	if p.user == nil {
		return p.secrets
	}
	out := slices.Clone(p.user.secrets)
	for _, s := range p.secrets {
		if !slices.ContainsFunc(out, func(o Secret) bool { return o.Name == s.Name }) {
			if s.Env != "" && s.Env != EnvSecret+s.Name {
				s.Place = p.at(s.at)
			}
			out = append(out, s)
		}
	}
	return out
}

// Seed puts the declared secrets into a session's memory, bound to their origins. A binding holds for a secret of that
// name wherever its value comes from, so it is made even when there is no value yet.
func (p *Policy) Seed(m *memory.Store, env func(string) string) {
	for _, s := range p.Secrets() {
		if env != nil {
			if v := env(cmp.Or(s.Env, EnvSecret+s.Name)); v != "" {
				m.SetSecret(s.Name, v)
			}
		}
		if s.Origin != "" {
			m.BindOrigin(s.Name, s.Origin)
		}
	}
}
