package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Sampled is a model that can be asked for text alone, such as that of an MCP client: tools are described in words, and
// the answer is a JSON object that names the calls.
func Sampled(name string, ask Asker) Model { return &sampled{name, ask} }

// Asker asks for text. It gives the answer, and the name of the model that gave it.
type Asker func(
	ctx context.Context, system, text string, picture *Image, maxTokens int,
) (answer, model string, err error)

type sampled struct {
	name string
	ask  Asker
}

var _ Model = (*sampled)(nil)

// Name implements Model.
func (s *sampled) Name() string { return s.name }

const callsForm = `
Answer with one JSON object and nothing else: {"calls": [{"name": "<tool>", "args": {…}}]}. The tools:
`

// Generate implements Model. What the client's model took is not known: tokens are counted by four bytes each.
func (s *sampled) Generate(ctx context.Context, r Request, _ func(string)) (*Response, error) {
	var system, text strings.Builder
	system.WriteString(r.System)
	if len(r.Tools) > 0 && r.Choice != None {
		system.WriteString(callsForm)
		for _, t := range r.Tools {
			fmt.Fprintf(&system, "- %s %s: %s\n", t.Name, t.Schema, strings.Join(strings.Fields(t.Description), " "))
		}
	}
	var picture *Image
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			text.WriteString(p.Text)
			if p.Image != nil {
				picture = p.Image
			}
		}
	}
	answer, model, err := s.ask(ctx, system.String(), text.String(), picture, r.limit())
	if err != nil {
		return nil, err
	}
	out := &Response{Text: answer, Stop: Ended, Model: model,
		Usage: Usage{Calls: 1, Input: (system.Len() + text.Len() + 3) / 4, Output: (len(answer) + 3) / 4}}
	if calls := callsIn(answer); len(calls) > 0 && len(r.Tools) > 0 {
		out.Text, out.Calls, out.Stop = "", calls, Calling
	}
	return out, nil
}

// callsIn reads the calls that an answer names, also between the words and the fences that models put around them.
func callsIn(answer string) (out []Call) {
	type call struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	}
	var doc struct {
		Calls []call `json:"calls"`
		call
	}
	from, to := strings.Index(answer, "{"), strings.LastIndex(answer, "}")
	if from < 0 || to < from || json.Unmarshal([]byte(answer[from:to+1]), &doc) != nil {
		return nil
	}
	if doc.Name != "" {
		doc.Calls = append(doc.Calls, doc.call)
	}
	for i, c := range doc.Calls[:min(len(doc.Calls), maxCalls)] {
		if len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
		out = append(out, Call{ID: fmt.Sprintf("call_%d", i+1), Name: c.Name, Args: c.Args})
	}
	return out
}
