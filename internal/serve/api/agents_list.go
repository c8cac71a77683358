package api

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// jobTool gives clients the result of a call that became a job.
const jobTool = "job"

// ListListedTools implements AgentService.
func (s *Agents) ListListedTools(
	_ context.Context, r *pb.ListListedToolsRequest,
) (*pb.ListListedToolsResponse, error) {
	c, err := s.client(r.ClientId)
	if err != nil {
		return nil, err
	}
	return &pb.ListListedToolsResponse{Tools: s.listed(c, r.Abilities)}, nil
}

// listed returns the tools that a client sees. A reply that became a job asks the client to call the job tool, so it
// is listed then, in every view.
func (s *Agents) listed(c *clients.Client, can *pb.Abilities) []*pb.ListedTool {
	reg := s.o.Hub.Tools(c)
	specs := s.o.Hub.View(c, can.GetSamples()).Specs(reg)
	if t, ok := reg.Get(jobTool); ok && can.GetJobs() && !slices.Contains(specs, t.Spec()) {
		specs = append(specs, t.Spec())
	}
	out := make([]*pb.ListedTool, len(specs))
	for i, spec := range specs {
		out[i] = s.list.Of(spec, describe)
	}
	return out
}

// describe is a tool as a list has it, the same for every client.
func describe(spec *tool.Spec) *pb.ListedTool {
	hints := toolset.HintsOf(spec)
	t := &pb.ListedTool{
		Name: spec.Name, Title: hints.Title, Description: spec.Description, InputSchema: asJSON(toolset.Trim(spec)),
		ReadOnly: hints.ReadOnly, Idempotent: hints.Idempotent, Destructive: hints.Destructive,
		OpenWorld: hints.OpenWorld,
	}
	if out := outputSchema(toolset.Output(spec)); out != nil {
		t.OutputSchema = asJSON(out)
	}
	if flags := flagsOf(spec); len(flags) > 0 {
		t.Flags = asJSON(flags)
	}
	tidy(t) // once: what is sent to several clients at a time must not change
	return t
}

// asJSON is a value of ours as JSON.
func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// flagsOf are the flags that differ from their defaults, under upstream's names.
func flagsOf(spec *tool.Spec) map[string]any {
	m := map[string]any{}
	if !spec.Recordable {
		m["trailblaze/isRecordable"] = false
	}
	if spec.Delegating {
		m["trailblaze/isDelegating"] = true
	}
	if len(spec.Platforms) > 0 && !(len(spec.Platforms) == 1 &&
		strings.HasPrefix(spec.Name, string(spec.Platforms[0])+"_")) {
		m["trailblaze/supportedPlatforms"] = spec.Platforms
	}
	if len(spec.Drivers) > 0 {
		m["trailblaze/supportedDrivers"] = spec.Drivers
	}
	return m
}

// outputSchema describes a tool's structured content, nil when none is listed. It requires nothing:
// a call that became a job returns only the job's id, and clients validate results.
func outputSchema(full *jsonschema.Schema) *jsonschema.Schema {
	if full == nil || full.Type != "object" {
		return nil
	}
	out := *full
	out.Required = nil
	out.Properties = maps.Clone(out.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	out.Properties["job"] = &jsonschema.Schema{Type: "string"}
	if len(out.PropertyOrder) > 0 {
		out.PropertyOrder = append(slices.Clone(out.PropertyOrder), "job")
	}
	return &out
}
