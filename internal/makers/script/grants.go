package script

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

var _ source.Granted = (*scripted)(nil)

// Process implements source.Granted: a person trusts the tool with all that it imports, and its grants.
func (s *scripted) Process(ctx context.Context) (p source.Process, ok bool, err error) {
	p = source.Process{What: fmt.Sprintf("tool %q", s.spec.Name), Place: s.spec.Origin, Grants: s.grants()}
	if len(p.Grants) == 0 {
		return p, false, nil
	}
	if err := s.program.ready(ctx); err != nil {
		return p, false, err
	}
	p.Content, p.Covered = s.program.sum, []string{"its file and all that it imports"}
	return p, true, nil
}

// grants returns the rights of a tool besides calling tools.
func (s *scripted) grants() (out []string) {
	say := func(format string, names []string) {
		for _, name := range names {
			out = append(out, fmt.Sprintf(format, name))
		}
	}
	d := s.declared
	say("asks the host %s", d.Hosts)
	say("reads the file %s", d.Files.Read)
	say("writes the file %s", d.Files.Write)
	say("reads the file that its argument %s names", d.Effects.Reads)
	say("writes the file that its argument %s names", d.Effects.Writes)
	say("uses the secret %s", d.Secrets)
	say("uses a secret in its argument %s", s.secretArguments())
	return out
}

func (s *scripted) secretArguments() []string {
	all := map[string]bool{}
	for _, name := range s.spec.Secrets {
		all[name] = true
	}
	if in := s.spec.Input.Get(); in != nil {
		for name := range in.Properties {
			if s.spec.Secret(name) {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// trusted asks once in a call.
func (s *scripted) trusted(ctx context.Context) func() error {
	return sync.OnceValue(func() error {
		p, _, err := s.Process(ctx)
		if err != nil {
			return err
		}
		if s.ask == nil {
			return fault.New(fault.Denied, "", "%s is not trusted here", p.What)
		}
		return s.ask(p)
	})
}

// sum is one hash of the files that a bundle was made of.
func (b *bundle) sum() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(b.inputs)) {
		_, _ = fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(b.inputs[name]))
	}
	return hex.EncodeToString(h.Sum(nil))
}
