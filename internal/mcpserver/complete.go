package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/session"
)

const maxCompletions = 100 // the protocol's

// complete offers values for the parts of resource addresses and for arguments of prompts.
func (cs *clientServer) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var all []string
	switch req.Params.Argument.Name {
	case "id", "session":
		all = cs.sessionIDs()
	case "path":
		all, _ = cs.trails() // an unreadable workspace offers nothing
	case "device":
		for _, d := range cs.s.o.Hub.Devices(ctx) {
			all = append(all, d.ID)
		}
	}
	return completions(all, req.Params.Argument.Value), nil
}

func completions(all []string, typed string) *mcp.CompleteResult {
	values := []string{}
	total := 0
	for _, v := range all {
		if !strings.HasPrefix(strings.ToLower(v), strings.ToLower(typed)) {
			continue
		}
		if total++; len(values) < maxCompletions {
			values = append(values, v)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total,
		HasMore: total > len(values)}}
}

func (cs *clientServer) sessionIDs() []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, l := range cs.s.o.Hub.Sessions() {
		add(l.ID)
	}
	kept, err := session.List(cs.s.o.Sessions)
	if err != nil {
		return ids
	}
	for _, k := range kept {
		add(k.ID)
	}
	return ids
}
