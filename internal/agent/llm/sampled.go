package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Sampled is a model that its client asks, such as that of an MCP client. One that takes tools as such is asked with
// them. To another one the tools are described in words, and its answer is a JSON object that names the calls.
func Sampled(name string, tools bool, ask Asker) Model { return &sampled{name, tools, ask} }

// Asker has a client ask its model.
type Asker func(ctx context.Context, r Request) (*Sample, error)

// Sample is the answer of a client's model.
type Sample struct {
	Text  string
	Calls []Call
	Stop  string // why it ended, in words of the client
	Model string
}

type sampled struct {
	name  string
	tools bool
	ask   Asker
}

var _ Model = (*sampled)(nil)

// Name implements Model.
func (s *sampled) Name() string { return s.name }

// Generate implements Model. The client does not report the tokens of its model: they are counted by four bytes each.
func (s *sampled) Generate(ctx context.Context, r Request, _ func(string)) (*Response, error) {
	r.MaxTokens, r.Choice = r.limit(), r.choice()
	offered := r.offered()
	if !s.tools {
		r = inWords(r)
	}
	got, err := s.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	a := &answering{stop: sampledStop(got.Stop), model: got.Model, inWords: !s.tools}
	a.text(got.Text)
	a.usage = Usage{Input: r.Tokens(), Output: Tokens(got.Text)}
	for _, c := range got.Calls {
		if err := a.begins(c); err != nil {
			return nil, err
		}
		a.usage.Output += Tokens(c.Name + string(c.Args))
	}
	return a.response(s.name, offered), nil
}

// sampledStop reads why an answer ended. The protocol names some reasons, and a client may use words of its own.
func sampledStop(reason string) Stop {
	switch strings.ToLower(reason) {
	case "maxtokens", "max_tokens", "length":
		return Cut
	case "refusal", "refused", "content_filter", "safety":
		return Refused
	}
	return Ended
}

const callsForm = `
Answer with one JSON object and nothing else: {"calls": [{"name": "<tool>", "args": {…}}]}. The tools:
`

// inWords returns a question without tools: its tools, and the results of calls, are described in texts. Each message
// has its pictures first, and then one text.
func inWords(r Request) Request {
	var system strings.Builder
	system.WriteString(r.System)
	if len(r.offered()) > 0 {
		system.WriteString(callsForm)
		for _, t := range r.Tools {
			fmt.Fprintf(&system, "- %s %s: %s\n", t.Name, t.Schema, strings.Join(strings.Fields(t.Description), " "))
		}
	}
	out := Request{System: system.String(), MaxTokens: r.MaxTokens}
	for _, m := range r.Messages {
		in := Message{Role: m.Role}
		var text strings.Builder
		for _, p := range m.Parts {
			text.WriteString(p.Text)
			switch {
			case p.Image != nil:
				in.Parts = append(in.Parts, Part{Image: p.Image})
			case p.Call != nil:
				call, _ := json.Marshal(map[string]any{"name": p.Call.Name, "args": object(p.Call.Args)}) // JSON already
				text.Write(call)
			case p.Result != nil && p.Result.IsError:
				fmt.Fprintf(&text, "%s failed: %s\n", p.Result.Name, p.Result.Text)
			case p.Result != nil:
				fmt.Fprintf(&text, "%s gave: %s\n", p.Result.Name, p.Result.Text)
			}
		}
		if text.Len() > 0 {
			in.Parts = append(in.Parts, Part{Text: text.String()})
		}
		out.Messages = append(out.Messages, in)
	}
	return out
}

// callsIn reads the calls that an answer names in JSON, also between the words, tags and fences that models put around
// them: {"calls": [{"name": …, "args": {…}}]}, or one call after the other. Small models that run locally often write
// calls so, though they are offered tools as such.
func callsIn(answer string) (out []Call) {
	type call struct {
		Name       string          `json:"name"`
		Args       json.RawMessage `json:"args"`
		Arguments  json.RawMessage `json:"arguments"`
		Parameters json.RawMessage `json:"parameters"`
	}
	rest := answer
	for range 2 * maxCalls { // an unfinished object is read to the end each time
		from := strings.Index(rest, "{")
		if from < 0 {
			break
		}
		var doc struct {
			Calls []call `json:"calls"`
			call
		}
		d := json.NewDecoder(strings.NewReader(rest[from:]))
		if d.Decode(&doc) != nil {
			rest = rest[from+1:]
			continue
		}
		rest = rest[from+int(d.InputOffset()):]
		if doc.Name != "" {
			doc.Calls = append(doc.Calls, doc.call)
		}
		for _, c := range doc.Calls[:min(len(doc.Calls), maxCalls-len(out))] {
			args := cmp.Or(string(c.Args), string(c.Arguments), string(c.Parameters), "{}")
			out = append(out, Call{ID: fmt.Sprintf("call_%d", len(out)+1), Name: c.Name, Args: json.RawMessage(args)})
		}
	}
	return out
}
