package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/trail"
)

const (
	writeTool = "writeTrail"
	maxSteps  = 100
	planTries = 2
)

// writeSchema is the schema of writeTool. The first %s stands for what else a step may say, the second for what of that
// it must.
const writeSchema = `{"type":"object","properties":{"title":{"type":"string"},"steps":{"type":"array",` +
	`"minItems":1,"items":{"type":"object","properties":{"kind":{"type":"string",` +
	`"enum":["step","verify"]},"text":{"type":"string"}%s},` +
	`"required":["kind","text"%s],"additionalProperties":false}}},"required":["title","steps"],` +
	`"additionalProperties":false}`

// Plan makes a trail without recordings of a description in plain language. Running it blazes it. With actors, each
// step is that of one of them.
func Plan(ctx context.Context, u *Use, description string, actors []trail.Actor) (*trail.Trail, error) {
	const op = "plan trail"
	schema, asked := fmt.Sprintf(writeSchema, "", ""), "Description: "+description
	if cast := (&trail.Config{Actors: actors}).ActorNames(); len(cast) > 0 {
		names, _ := json.Marshal(cast) // texts always can be
		schema = fmt.Sprintf(writeSchema, `,"on":{"type":"string","enum":`+string(names)+`}`, `,"on"`)
		asked = "Several act, each on a device of its own: " + strings.Join(cast, ", ") +
			". Say on whose device each step is.\n" + asked
	}
	req := llm.Request{
		System:   strings.ReplaceAll(strings.TrimSpace(prompt("plan")), "{{WRITE}}", writeTool) + "\n",
		Choice:   llm.Required,
		Tools:    []llm.Tool{{Name: writeTool, Description: "Writes the flow.", Schema: json.RawMessage(schema)}},
		Messages: []llm.Message{llm.User(asked)}, MaxTokens: 2 * maxOutput,
	}
	why := ""
	for range planTries {
		answer, err := u.Model.Generate(ctx, req, nil)
		if err != nil {
			return nil, err
		}
		var t *trail.Trail
		if t, why = planned(answer, description, actors); why == "" {
			return t, nil
		}
	}
	return nil, fault.New(fault.Degraded, op, "the model %s gave no flow: %s", u.Model.Name(), why).
		WithHint("Write the steps into the file yourself, a line each, or choose another model.")
}

// planned is the trail of an answer, or why there is none.
func planned(r *llm.Response, description string, actors []trail.Actor) (t *trail.Trail, why string) {
	var in struct {
		Title string
		Steps []struct{ Kind, Text, On string }
	}
	for _, c := range r.Calls {
		if c.Name != writeTool {
			continue
		}
		if err := json.Unmarshal(c.Args, &in); err != nil {
			return nil, "its arguments are not as asked"
		}
		if s := smuggled(c.Args, description); s != "" {
			return nil, "it names a token that the description does not"
		}
	}
	if len(in.Steps) == 0 || len(in.Steps) > maxSteps {
		return nil, "it has no steps, or too many"
	}
	t = &trail.Trail{Format: trail.Unified,
		Config: trail.Config{Title: strings.TrimSpace(in.Title), Actors: actors}}
	for _, s := range in.Steps {
		step := trail.Step{Kind: trail.ActionStep, Text: strings.TrimSpace(s.Text), On: s.On, Recordable: true}
		if s.Kind == string(Verify) {
			step.Kind = trail.VerifyStep
		}
		if step.Text == "" {
			return nil, "a step has no text"
		}
		if t.Config.Actor(s.On) == nil && (s.On != "" || len(actors) > 0) {
			return nil, "a step is on no device that there is: " + strconv.Quote(s.On)
		}
		t.Steps = append(t.Steps, step)
	}
	return t, ""
}
