package manage

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type toolboxIn struct {
	Name     string            `json:"name,omitempty" jsonschema:"show this tool with its arguments"`
	Search   string            `json:"search,omitempty" jsonschema:"words that stand in the name or the text"`
	Category *toolset.Category `json:"category,omitempty" jsonschema:"the tools of this category"`
	Platform string            `json:"platform,omitempty" enum:"web,android,ios" jsonschema:"only tools for this platform"`
	Detail   bool              `json:"detail,omitempty" jsonschema:"with arguments"`
}

// toolLine is a tool as a client sees it.
type toolLine struct {
	Name       string          `json:"name"`
	Summary    string          `json:"summary"`
	Kind       string          `json:"kind,omitempty"`
	Categories []string        `json:"categories,omitempty"`
	Listed     bool            `json:"listed,omitempty" jsonschema:"this session can call it as it is"`
	Text       string          `json:"description,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
}

func (l toolLine) text() string {
	text := l.Name + ": " + l.Summary
	if l.Text != "" {
		text = l.Name + ": " + l.Text
	}
	if !l.Listed && len(l.Categories) > 0 {
		text += " [" + strings.Join(l.Categories, ", ") + "]"
	}
	if len(l.Input) > 0 {
		text += "\n  arguments: " + string(l.Input)
	}
	return text
}

type toolboxOut struct {
	Done       string         `json:"done,omitempty"`
	Categories []categoryLine `json:"categories,omitempty"`
	Tools      []toolLine     `json:"tools,omitempty"`
}

// Text implements tool.Texter.
func (o toolboxOut) Text() string {
	var lines []string
	if o.Done != "" {
		lines = append(lines, o.Done)
	}
	if len(o.Categories) > 0 {
		lines = append(lines, categoriesOut{Categories: o.Categories}.Text())
	}
	for _, t := range o.Tools {
		lines = append(lines, t.text())
	}
	return strings.Join(lines, "\n")
}

// toolbox searches all tools of the workspace, whatever this session lists.
func (d *toolboxTools) toolbox(ctx context.Context, _ tool.Env, in toolboxIn) (toolboxOut, error) {
	s, err := callerOf(ctx)
	if err != nil {
		return toolboxOut{}, err
	}
	reg := d.hub.Tools(s)
	listed := d.listed(s)
	if in.Name != "" {
		t, ok := reg.Get(in.Name)
		if !ok {
			return toolboxOut{}, reg.Missing("show tool", in.Name, "search finds tools by words.")
		}
		return toolboxOut{Tools: []toolLine{lineOfTool(t.Spec(), listed, true)}}, nil
	}
	if in.Search == "" && in.Category == nil && in.Platform == "" {
		return toolboxOut{
			Done: fmt.Sprintf("There are %d tools; this session lists %d. Look closer with category or search.",
				len(reg.All()), len(listed)),
			Categories: d.categoryLines(s),
		}, nil
	}
	var out toolboxOut
	for _, t := range reg.All() {
		sp := t.Spec()
		switch {
		case !sp.ExposedToLLM,
			in.Platform != "" && !sp.RunsOn(driver.Platform(strings.ToLower(in.Platform)), ""),
			in.Category != nil && !standsIn(sp, *in.Category),
			!allWords(sp, in.Search):
			continue
		}
		out.Tools = append(out.Tools, lineOfTool(sp, listed, in.Detail))
	}
	if len(out.Tools) == 0 {
		return toolboxOut{}, fault.New(fault.NotFound, "search tools", "no tool matches").
			WithHint("toolbox {} names the categories.")
	}
	return out, nil
}

// allWords reports whether all words are in a tool's name or text.
func allWords(s *tool.Spec, words string) bool {
	text := strings.ToLower(s.Name + " " + s.Title + " " + s.Description)
	for w := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func lineOfTool(s *tool.Spec, listed []string, detail bool) toolLine {
	l := toolLine{Name: s.Name, Summary: phrase.FirstSentence(s.Description), Kind: string(s.Kind),
		Listed: slices.Contains(listed, s.Name)}
	for _, c := range toolset.Of(s) {
		l.Categories = append(l.Categories, string(c))
	}
	if detail {
		l.Text = strings.TrimSpace(s.Description)
		l.Input, _ = json.Marshal(s.Input())
	}
	return l
}
