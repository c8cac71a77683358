package mcpserver

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/observe"
	"github.com/trailblaze-dev/trailblaze/internal/session"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// prompt is a text for a client's model. fill gives the values of its placeholders.
type prompt struct {
	name, title, description string
	args                     []*mcp.PromptArgument
	fill                     func(cs *clientServer, args map[string]string) (map[string]string, error)
}

func prompts() []prompt {
	return []prompt{
		{"author_trail", "Author a trail", "Explore a flow, record it as steps, verify it and save it as a trail.",
			[]*mcp.PromptArgument{
				{Name: "goal", Title: "Goal", Description: "What the flow is for, in plain language.", Required: true},
				{Name: "start", Title: "Start", Description: "The address to start at."},
			}, (*clientServer).fillAuthor},
		{"diagnose_failure", "Diagnose a failure",
			"Why a session failed: what was looked for, what was nearest, what changed, how to recover.",
			[]*mcp.PromptArgument{{Name: "session", Title: "Session",
				Description: "Its id, or the beginning of it. The newest when left out."}},
			(*clientServer).fillDiagnose},
		{"review_trail", "Review a trail", "Judge a trail file for durability and honesty.",
			[]*mcp.PromptArgument{{Name: "path", Title: "Trail file", Description: "Its path in the workspace.",
				Required: true}},
			(*clientServer).fillReview},
	}
}

func (cs *clientServer) addPrompts() {
	for _, p := range prompts() {
		cs.mcp.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.args},
			func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				text, err := cs.prompt(p, req.Params.Arguments)
				if err != nil {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: withHint(err)}
				}
				return &mcp.GetPromptResult{Description: p.description, Messages: []*mcp.PromptMessage{
					{Role: "user", Content: &mcp.TextContent{Text: text}},
				}}, nil
			})
	}
}

func (cs *clientServer) prompt(p prompt, args map[string]string) (string, error) {
	var missing []string
	for _, a := range p.args {
		if a.Required && strings.TrimSpace(args[a.Name]) == "" {
			missing = append(missing, a.Name)
		}
	}
	if len(missing) > 0 {
		return "", fault.New(fault.Invalid, "get prompt", "%s needs %s", p.name, strings.Join(missing, ", "))
	}
	places, err := p.fill(cs, args)
	if err != nil {
		return "", err
	}
	text, err := promptFiles.ReadFile("prompts/" + p.name + ".md")
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "get prompt")
	}
	return fillIn(string(text), places), nil
}

// fillIn replaces the placeholders by values. It leaves out a part between {{#name}} and {{/name}}
// when name has no value. It does not expand braces inside values.
func fillIn(text string, places map[string]string) string {
	var pairs []string
	for name, value := range places {
		open, end := "{{#"+name+"}}", "{{/"+name+"}}"
		if i, j := strings.Index(text, open), strings.Index(text, end); i >= 0 && j > i {
			part := ""
			if value != "" {
				part = text[i+len(open) : j]
			}
			text = text[:i] + part + text[j+len(end):]
		}
		pairs = append(pairs, "{{"+name+"}}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (cs *clientServer) fillAuthor(args map[string]string) (map[string]string, error) {
	return map[string]string{"goal": args["goal"], "start": args["start"]}, nil
}

func (cs *clientServer) fillReview(args map[string]string) (map[string]string, error) {
	at, ok := parseAddress(scheme + "trails/" + args["path"])
	if !ok {
		return nil, fault.New(fault.NotFound, "get prompt", "no trail %q", args["path"])
	}
	data, err := cs.workspaceFile(at.from(1))
	if err != nil {
		return nil, err
	}
	return map[string]string{"path": at.from(1), "trail": strings.TrimSpace(string(data))}, nil
}

func (cs *clientServer) fillDiagnose(args map[string]string) (map[string]string, error) {
	id, err := cs.findSession(args["session"])
	if err != nil {
		return nil, err
	}
	sum, err := cs.summarize(id)
	if err != nil {
		return nil, err
	}
	base := scheme + "sessions/" + id
	return map[string]string{
		"details": observe.MarkUntrusted(sum.text()), // it quotes the page
		"links": fmt.Sprintf(
			"%s/screenshot (the last picture), %s/events (everything that happened), %s/recording (what would be saved).", base,
			base, base),
	}, nil
}

// findSession completes a session's id; "" is the client's running session, or the newest.
func (cs *clientServer) findSession(prefix string) (string, error) {
	if prefix == "" {
		if s, ok := cs.s.o.Hub.RunningSession(cs.client); ok {
			return s.ID, nil
		}
		prefix = "last"
	}
	for _, l := range cs.s.o.Hub.Sessions() {
		if l.ID == prefix {
			return l.ID, nil
		}
	}
	return session.Find(cs.s.o.Sessions, prefix)
}

// text is what a model needs to judge a failure and to recover from it.
func (sum *summary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Session %s", sum.ID)
	if sum.Title != "" {
		fmt.Fprintf(&b, " (%s)", sum.Title)
	}
	fmt.Fprintf(&b, " on %s", orUnknown(sum.Device))
	switch {
	case sum.Running:
		b.WriteString(", still running")
	case sum.Outcome != "":
		fmt.Fprintf(&b, ": %s", sum.Outcome)
	}
	fmt.Fprintf(&b, ". %d calls, %d failed.\n", sum.Calls, sum.Failed)
	for _, s := range sum.Steps {
		if s.Error != nil {
			fmt.Fprintf(&b, "\nStep %d, %q, %s.\n", s.Index+1, s.Text, s.Outcome)
		}
	}
	if len(sum.Failures) == 0 {
		b.WriteString("\nNo call failed in it.\n")
		if sum.Error != nil {
			fmt.Fprintf(&b, "- The session failed (%s): %s", sum.Error.Kind, sum.Error.Text())
		}
		return b.String()
	}
	f := sum.Failures[len(sum.Failures)-1]
	fmt.Fprintf(&b, "\nThe last failure: %s %s\n", f.Tool, f.Args)
	if f.Failure != nil {
		fmt.Fprintf(&b, "- It failed (%s): %s", f.Failure.Kind, f.Failure.Text())
	}
	return b.String()
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown device"
	}
	return s
}
