package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/llm"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// statusTool is how the model says how the objective stands.
const statusTool = "objectiveStatus"

const statusSchema = `{"type":"object","properties":{` +
	`"status":{"type":"string","enum":["COMPLETED","FAILED"]},` +
	`"explanation":{"type":"string","description":"what the screen shows, in a sentence"}%s},` +
	`"required":["status","explanation"],"additionalProperties":false}`

const answerField = `,"answer":{"type":"string","description":"the answer, when the objective is a question"}`

// catalog is what the model may call.
type catalog struct {
	specs map[string]*tool.Spec
	kind  Kind
	list  []llm.Tool
	all   int // tokens of all tools of the device that the kind may use
	sent  int // tokens of list
	swaps bool
}

// swapTool changes the categories of tools during an objective that may have others than it began with.
const swapTool = "useTools"

const swapSchema = `{"type":"object","properties":{"categories":{"type":"array","items":{"type":"string",` +
	`"enum":%s}}},"required":["categories"],"additionalProperties":false}`

// categories are what an objective of a kind may need: a part of the tools, since each costs tokens in each question.
var categories = map[Kind][]toolset.Category{
	Act: {toolset.Default, toolset.CoreInteraction, toolset.Navigation, toolset.Verification, toolset.Tabs, toolset.Files,
		toolset.Memory, toolset.Custom},
	Verify: {toolset.Verification, toolset.Memory, toolset.Navigation, toolset.Tabs, toolset.Custom},
	Ask:    {toolset.Navigation, toolset.Tabs, toolset.Files, toolset.Network, toolset.Custom},
}

// needless are tools for what each question brings anyway, and a pause that would be recorded.
var needless = []tool.Purpose{tool.TakeSnapshot, tool.KeepScreen, tool.Pause}

// newCatalog picks the tools of an objective, in an order that is the same for every objective of its kind, so that a
// provider keeps the beginning of the questions in its cache. With some categories the model has a tool to take others.
func newCatalog(reg *tool.Registry, dev driver.Device, kind Kind, some []toolset.Category) *catalog {
	may := swappable(reg, kind)
	if len(some) == 0 {
		some = categories[kind]
		if len(may) == len(some) {
			return pick(reg, dev, kind, some)
		}
	}
	all := pick(reg, dev, kind, []toolset.Category{toolset.All}).sent
	names, _ := json.Marshal(may) // texts
	c := pick(reg, dev, kind, slices.DeleteFunc(slices.Clone(some), func(x toolset.Category) bool {
		return !slices.Contains(may, x)
	}))
	c.list = append(c.list, llm.Tool{Name: swapTool, Description: "Takes other categories of tools for the rest of the " +
		"objective, in place of those that are offered now.", Schema: json.RawMessage(fmt.Sprintf(swapSchema, names))})
	c.all, c.sent, c.swaps = all, tokensOf(c.list), true
	return c
}

// swappable are the categories that a model may take in an objective of a kind.
func swappable(reg *tool.Registry, kind Kind) []toolset.Category {
	if slices.ContainsFunc(reg.All(), func(t tool.Tool) bool {
		return slices.Contains(toolset.Of(t.Spec()), toolset.Servers) && offered(kind, t.Spec())
	}) {
		return append(slices.Clone(categories[kind]), toolset.Servers)
	}
	return categories[kind]
}

func tokensOf(list []llm.Tool) int { return llm.Request{Tools: list}.Tokens() }

// pick makes a catalog of categories.
func pick(reg *tool.Registry, dev driver.Device, kind Kind, of []toolset.Category) *catalog {
	c := &catalog{specs: map[string]*tool.Spec{}, kind: kind}
	v := toolset.View{Platform: driver.WebPlatform, Categories: of, HasModel: true}
	if dev != nil {
		i := dev.Info()
		v.Platform, v.Driver = i.Platform, i.Driver
	}
	for _, s := range v.Specs(reg) {
		if slices.Contains(s.Groups, toolset.ManageGroup) || s.NeedsModel || s.Delegating && s.Origin == "" ||
			slices.Contains(needless, s.Purpose) || !offered(kind, s) {
			continue
		}
		c.specs[s.Name] = s
		schema, err := json.Marshal(toolset.Trim(s))
		if err != nil {
			continue
		}
		c.list = append(c.list, llm.Tool{Name: s.Name, Description: s.Description, Schema: schema})
	}
	slices.SortFunc(c.list, func(a, b llm.Tool) int { return cmp.Compare(a.Name, b.Name) })
	answer := ""
	if kind == Ask {
		answer = answerField
	}
	c.list = append(c.list, llm.Tool{Name: statusTool, Description: strings.TrimSpace(prompt(statusTool)),
		Schema: json.RawMessage(fmt.Sprintf(statusSchema, answer))})
	c.sent = tokensOf(c.list)
	c.all = c.sent
	return c
}

// swap does a call of swapTool, and says what came of it.
func (a *Agent) swap(args json.RawMessage) (said string, ok bool) {
	var in struct{ Categories []toolset.Category }
	if json.Unmarshal(args, &in) != nil || len(in.Categories) == 0 {
		return "refused: " + swapTool + " takes categories", false
	}
	a.tools = newCatalog(a.Registry, a.Device, a.objective.Kind, in.Categories)
	return "other tools are offered now", true
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
