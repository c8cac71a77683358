package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// statusTool is the call by which the model reports the status of the objective.
const statusTool = "objectiveStatus"

const statusSchema = `{"type":"object","properties":{` +
	`"status":{"type":"string","enum":["COMPLETED","FAILED"]},` +
	`"explanation":{"type":"string","description":"what the screen shows, in a sentence"}%s},` +
	`"required":["status","explanation"]}`

const answerField = `,"answer":{"type":"string","description":"in the words of the screen"},"from":{"type":"array",` +
	`"items":{"type":"string"},"description":"the texts of the screen that it rests on; all that a count or a sum is of"}`

// catalog is what the model may call, and the part of it that it is offered: tools cost tokens in each question. It may
// call the others, too, and finds them by words.
type catalog struct {
	specs  map[string]*tool.Spec
	kind   Kind
	list   []llm.Tool
	all    int  // tokens of all tools of the kind
	sent   int  // tokens of list
	search bool // there are more than those offered
}

// findTool looks for tools by words, and has them offered for the rest of the objective.
const findTool = "findTools"

const findSchema = `{"type":"object","properties":{"search":{"type":"string",` +
	`"description":"words, such as drag or hover"}},` +
	`"required":["search"]}`

// categories are what an objective of a kind may need.
var categories = map[Kind][]toolset.Category{
	Act: {toolset.Default, toolset.CoreInteraction, toolset.Navigation, toolset.Verification, toolset.Tabs, toolset.Files,
		toolset.Memory, toolset.Custom},
	Verify: {toolset.Verification, toolset.Memory, toolset.Navigation, toolset.Tabs, toolset.Custom},
	Ask:    {toolset.Navigation, toolset.Tabs, toolset.Files, toolset.Network, toolset.Custom},
}

// needless are tools for what each question brings anyway, and a pause that would be recorded.
var needless = []tool.Purpose{tool.KeepScreen, tool.Pause}

const (
	customTokens = 800 // of a team's own tools, which are offered unasked up to here
	maxNamed     = 4   // tools that the objective names by a word of their title
	maxFound     = 5
)

// newCatalog picks the tools of an objective: those of some categories, those that most objectives need, a team's own,
// and those whose title has a word of the objective. Their order is the same for every objective of its kind, so that a
// provider keeps the beginning of the questions in its cache.
func newCatalog(reg *tool.Registry, dev driver.Device, o Objective) *catalog {
	c := &catalog{specs: map[string]*tool.Spec{}, kind: o.Kind}
	v := toolset.View{Platform: driver.WebPlatform, Categories: swappable(reg, o.Kind), HasModel: true}
	if dev != nil {
		i := dev.Info()
		v.Platform, v.Driver = i.Platform, i.Driver
	}
	specs := v.Specs(reg)
	if look := reg.For(tool.TakeSnapshot, v.Platform); look != nil {
		specs = append(specs, look)
	}
	for _, s := range specs {
		several := s.Delegating && s.Origin == "" && s.Effects != nil && s.Effects.CallsTools // as a batch
		if slices.Contains(s.Groups, toolset.ManageGroup) || s.NeedsModel || several ||
			slices.Contains(needless, s.Purpose) || !offered(o.Kind, s) {
			continue
		}
		c.specs[s.Name] = s
	}
	answer := ""
	if o.Kind == Ask {
		answer = answerField
	}
	own := []llm.Tool{{Name: statusTool, Description: strings.TrimSpace(prompt(statusTool)),
		Schema: json.RawMessage(fmt.Sprintf(statusSchema, answer))}}
	v.Categories = o.Categories
	c.begin(reg, v, o)
	if c.search = len(c.list) < len(c.specs); c.search {
		own = append(own, llm.Tool{Name: findTool, Description: "Finds other tools by words and offers them.",
			Schema: json.RawMessage(findSchema)})
	}
	c.list = append(c.list, own...)
	c.sent = tokensOf(c.list)
	c.all = tokensOf(append(c.fullTools(), own[0]))
	return c
}

// begin offers the tools with which an objective begins.
func (c *catalog) begin(reg *tool.Registry, v toolset.View, o Objective) {
	room, named := customTokens, maxNamed
	text, now := o.Text, map[tool.Occasion]bool{tool.Anytime: true}
	for _, t := range memory.TokensIn(text) {
		text, now[tool.AtValue] = strings.ReplaceAll(text, t.String(), " "), true
	}
	for _, s := range c.sorted() {
		custom := len(o.Categories) == 0 && s.Origin != "" && !slices.Contains(toolset.Of(s), toolset.Servers)
		if custom {
			room -= tokensOf([]llm.Tool{brief(s)})
		}
		switch {
		case now[occasion(reg, s)], custom && room >= 0, len(o.Categories) > 0 && v.Lists(s):
			c.list = append(c.list, brief(s))
		case named > 0 && names(text, s.Title):
			named--
			c.list = append(c.list, brief(s))
		}
	}
}

func (c *catalog) place(name string) int {
	return slices.IndexFunc(c.list, func(t llm.Tool) bool { return t.Name == name })
}

func (c *catalog) sorted() []*tool.Spec {
	return slices.SortedFunc(maps.Values(c.specs), func(a, b *tool.Spec) int { return cmp.Compare(a.Name, b.Name) })
}

// fullTools are all tools as a model reads them in full.
func (c *catalog) fullTools() (out []llm.Tool) {
	for _, s := range c.sorted() {
		out = append(out, full(s))
	}
	return out
}

// brief is a tool in few words, full in all that it has.
func brief(s *tool.Spec) llm.Tool {
	schema, _ := json.Marshal(toolset.Brief(s)) // schemas are JSON
	text := s.Description
	if s.Origin == "" {
		text = toolset.FirstSentence(s)
	}
	return llm.Tool{Name: s.Name, Description: text, Schema: schema}
}

func full(s *tool.Spec) llm.Tool {
	schema, _ := json.Marshal(toolset.Trim(s)) // schemas are JSON
	return llm.Tool{Name: s.Name, Description: s.Description, Schema: schema}
}

// names says whether a text has a word of a tool's title.
func names(text, title string) bool {
	in := words(text)
	return slices.ContainsFunc(strings.Fields(strings.ToLower(title)), func(w string) bool {
		return len(w) > 3 && strings.Contains(in, " "+w)
	})
}

// swappable are the categories of the tools that a model may find in an objective of a kind.
func swappable(reg *tool.Registry, kind Kind) []toolset.Category {
	if slices.ContainsFunc(reg.All(), func(t tool.Tool) bool {
		return slices.Contains(toolset.Of(t.Spec()), toolset.Servers) && offered(kind, t.Spec())
	}) {
		return append(slices.Clone(categories[kind]), toolset.Servers)
	}
	return categories[kind]
}

func tokensOf(list []llm.Tool) int { return llm.Request{Tools: list}.Tokens() }

// find does a call of findTool, and says what came of it: the tools that have the most of its words, those of the name
// and the title counting more, are offered in full.
func (c *catalog) find(args json.RawMessage) (said string, ok bool) {
	var in struct{ Search string }
	if json.Unmarshal(args, &in) != nil || strings.TrimSpace(in.Search) == "" {
		return "refused: " + findTool + " takes words to search for", false
	}
	rank := map[string]int{}
	for w := range strings.FieldsSeq(words(in.Search)) {
		for _, s := range c.specs {
			if strings.Contains(strings.ToLower(s.Name+" "+s.Title), w) {
				rank[s.Name] += 3
			}
			if strings.Contains(strings.ToLower(s.Description), w) {
				rank[s.Name]++
			}
		}
	}
	found := slices.SortedFunc(maps.Keys(rank), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[b], rank[a]), cmp.Compare(a, b))
	})
	found = found[:min(len(found), maxFound)]
	if len(found) == 0 {
		return "no tool has these words; there are " + strings.Join(slices.Sorted(maps.Keys(c.specs)), ", "), true
	}
	for _, name := range found {
		if i := c.place(name); i >= 0 {
			c.list[i] = full(c.specs[name])
		} else {
			c.list = append(c.list, full(c.specs[name]))
		}
	}
	c.sent = tokensOf(c.list)
	return "offered now, in full: " + strings.Join(found, ", "), true
}

// add notes that a list of tools is sent.
func (s *Saving) add(c *catalog) {
	s.Sent += c.sent
	s.All += c.all
}

// offered says whether an objective of a kind may use a tool. A secret is typed by its token alone, which the objective
// must name; a tool that takes the secret's name would pass that by.
func offered(kind Kind, s *tool.Spec) bool {
	if s.Effects != nil && len(s.Effects.Types) > 0 && s.Effects.Recalls != "" {
		return false
	}
	switch kind {
	case Ask:
		return s.Kind == tool.Query
	case Verify:
		return s.Kind == tool.Query || s.Kind == tool.Assertion
	}
	return true
}

func (c *catalog) spec(name string) *tool.Spec { return c.specs[name] }

// check says why a call is not made; "" when it is.
func (c *catalog) check(call tool.Call, objective string) (spec *tool.Spec, refusal string) {
	spec = c.specs[call.Name]
	var args map[string]json.RawMessage
	switch {
	case spec == nil:
		return nil, "refused: there is no tool " + clip(call.Name, 60) + " for this objective"
	case json.Unmarshal(call.Args, &args) != nil || args == nil:
		return nil, "refused: the arguments are no JSON object"
	}
	return spec, smuggled(call.Args, objective)
}
