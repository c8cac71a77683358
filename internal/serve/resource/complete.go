package resource

import (
	"context"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/call/session"
)

const maxCompletions = 100 // the protocol's

// Complete offers values for the parts of addresses and for arguments of prompts: at most a hundred of all that begin
// with the typed text.
func (r *Reader) Complete(ctx context.Context, argument, typed string) (values []string, total int) {
	var all []string
	switch argument {
	case "id", "session":
		all = r.sessionIDs()
	case "path":
		all, _ = Trails(r.Client.State().Workspace) // an unreadable workspace offers nothing
	case "device":
		for _, d := range r.Hub.Devices(ctx) {
			all = append(all, d.ID)
		}
	}
	return completions(all, typed)
}

func completions(all []string, typed string) (values []string, total int) {
	for _, v := range all {
		if !strings.HasPrefix(strings.ToLower(v), strings.ToLower(typed)) {
			continue
		}
		if total++; len(values) < maxCompletions {
			values = append(values, v)
		}
	}
	return values, total
}

func (r *Reader) sessionIDs() []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, l := range r.Hub.Sessions() {
		add(l.ID)
	}
	kept, err := session.List(r.Sessions)
	if err != nil {
		return ids
	}
	for _, k := range kept {
		add(k.ID)
	}
	return ids
}
