package repair

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/trails/heal"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// The files of a proposal, in the folder of a run's report.
const (
	proposalFile = "heals.json"
	diffFile     = "heals.diff"
	schema       = "trailblaze.heals/1"
	maxSize      = 64 << 20
	public       = fs.FileMode(0o644)
	private      = fs.FileMode(0o600)
)

// Proposal holds the repairs that a run proposes.
type Proposal struct {
	Schema string   `json:"schema"` // trailblaze.heals/1
	ID     string   `json:"id"`
	Trails []Repair `json:"trails"`
}

// Repair is the repair of one trail file.
type Repair struct {
	Path  string       `json:"path"`
	File  string       `json:"file"` // the absolute path
	Hash  string       `json:"hash"` // SHA-256 of the file that was played
	Heals []event.Heal `json:"heals"`
	Diff  string       `json:"diff"`
	Text  string       `json:"text"` // of the repaired file
}

// Propose returns the repairs of the trails that passed. A trail that failed later proves nothing of its repairs, and
// what a model did in place of calls proves nothing before it is replayed.
func (r Room) Propose(ctx context.Context, id string, played []Played) (out Proposal, notes []string) {
	out = Proposal{Schema: schema, ID: id}
	kept := map[string]bool{}
	for _, p := range played {
		if p.Outcome != event.Healed || kept[p.File] {
			continue
		}
		kept[p.File] = true
		one, more, err := r.repair(ctx, p)
		notes = append(notes, more...)
		if err != nil {
			err = errors.Join(err, p.refute(err))
			notes = append(notes, fmt.Sprintf("%s: no repair is proposed: %v", p.Job.Path, err))
			continue
		}
		out.Trails = append(out.Trails, one)
	}
	return out, notes
}

// repair returns the repair of one trail.
func (r Room) repair(ctx context.Context, p Played) (one Repair, notes []string, err error) {
	t, heals := p.Job.Trail, p.Last().Result.Heals
	var text []byte
	if slices.ContainsFunc(heals, func(h event.Heal) bool { return h.Redone > 0 }) {
		text, notes, err = r.proven(ctx, p, p.File)
	} else {
		text, err = replay.Mend(t, heals, r.Classifiers[0])
	}
	return Repair{Path: p.Job.Path, File: p.File, Hash: digest(t.Source), Heals: heals, Text: string(text),
		Diff: record.Unified(p.Job.Path, string(t.Source), string(text))}, notes, err
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Diff returns all repairs as a difference.
func (p Proposal) Diff() string {
	var b strings.Builder
	for _, t := range p.Trails {
		b.WriteString(t.Diff)
	}
	return b.String()
}

// Write writes the proposal into a folder, and returns the file of its difference.
func (p Proposal) Write(dir string, mode fs.FileMode) (diff string, err error) {
	diff = filepath.Join(dir, diffFile)
	data, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		err = file.ReplaceAs(filepath.Join(dir, proposalFile), mode, data)
	}
	if err == nil {
		err = file.ReplaceAs(diff, mode, []byte(p.Diff()))
	}
	return diff, fault.Wrap(err, fault.Unavailable, "write repairs")
}

// Read returns the proposal in the first of the folders that holds one, fault.NotFound when none does.
func Read(dirs ...string) (p Proposal, err error) {
	const op = "find repairs"
	for _, dir := range dirs {
		data, err := file.Read(filepath.Join(dir, proposalFile), maxSize)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return p, fault.Wrap(err, fault.Unavailable, op)
		}
		if err := json.Unmarshal(data, &p); err != nil || p.Schema != schema {
			return p, fault.New(fault.Invalid, op, "%s holds no repairs of this version", filepath.Join(dir, proposalFile))
		}
		return p, nil
	}
	return p, fault.New(fault.NotFound, op, "no run has proposed a repair").
		WithHint("trailblaze run --heal proposes them, where a step finds its element no longer.")
}

// Outdated reports whether the file of a repair has changed since the run that proposes it, other than by the repair.
func (t Repair) Outdated() bool {
	data, err := file.Read(t.File, yaml.MaxSize)
	return err != nil || digest(data) != t.Hash && digest(data) != digest([]byte(t.Text))
}

// Settle writes the repair of one file into its trail, or drops it, and takes it out of the proposal in a folder.
func Settle(dir, of string, accept bool) error {
	p, err := Read(dir)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(p.Trails, func(t Repair) bool { return t.File == of })
	if i < 0 {
		return fault.New(fault.NotFound, "settle repair", "the run proposes no repair of %s", of)
	}
	if accept {
		if _, err := (Proposal{Trails: p.Trails[i : i+1]}).Apply(); err != nil {
			return err
		}
	}
	p.Trails = slices.Delete(p.Trails, i, i+1)
	_, err = p.Write(dir, private)
	return err
}

// Apply writes all repairs into their trails or none, and returns the trails that it changed.
func (p Proposal) Apply() (applied []string, err error) {
	const op = "apply repairs"
	var todo []Repair
	for _, t := range p.Trails {
		data, err := file.Read(t.File, yaml.MaxSize)
		switch {
		case err != nil:
			return nil, fault.Wrap(err, fault.NotFound, op)
		case digest(data) == digest([]byte(t.Text)): // done already
		case digest(data) != t.Hash:
			return nil, fault.New(fault.Conflict, op,
				"%s has changed since the run that proposed the repair; nothing is written", t.Path).
				WithHint("Run it with --heal again.")
		default:
			todo = append(todo, t)
		}
	}
	applied = []string{}
	for _, t := range todo {
		if err := file.ReplaceAs(t.File, public, []byte(t.Text)); err != nil {
			return applied, fault.Wrap(err, fault.Unavailable, op)
		}
		applied = append(applied, t.Path)
	}
	return applied, nil
}

// historyRuns bounds the screens of a step that are compared with each other.
const historyRuns = 5

// Score returns what relocation would do on the kept screens of a trail's green runs, and on these without the element.
func Score(file string, t *trail.Trail, classifiers []string, green index.Baselines) (there, gone heal.Score) {
	steps := t.Resolve(classifiers)
	var all []trail.Recorded
	for _, s := range steps {
		all = append(all, s.Calls...)
	}
	for _, s := range steps {
		past := slices.Concat(green.Baselines(file, s.Index, s.Index, historyRuns),
			green.Baselines(file, s.Index-1, s.Index, historyRuns))
		for _, call := range s.Calls {
			target, ok := replay.TargetOf(nil, call.Call)
			if !ok {
				continue
			}
			for _, o := range all {
				if other, ok := replay.TargetOf(nil, o.Call); ok {
					target.Others = append(target.Others, other.Print)
				}
			}
			t, g := heal.Measure(target, past)
			there.Add(t)
			gone.Add(g)
		}
	}
	return there, gone
}
