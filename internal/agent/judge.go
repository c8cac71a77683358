package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
)

// Ruling is the judge's decision on a claim.
type Ruling string

// The rulings.
const (
	Holds      Ruling = "holds"
	DoesNot    Ruling = "does not"
	CannotTell Ruling = "cannot tell"
)

// Judgement is an answer of the judge: of a question of its own, without the history of the agent that acted.
type Judgement struct {
	Ruling Ruling    `json:"ruling"`
	Why    string    `json:"why,omitempty"`
	Model  string    `json:"model,omitempty"`
	Usage  llm.Usage `json:"usage" jsonschema:"what its questions took; the usage of the objective does not hold it"`
}

const (
	judgeTool   = "judge"
	judgeSchema = `{"type":"object","properties":{"ruling":{"type":"string",` +
		`"enum":["holds","does not","cannot tell"]},"why":{"type":"string","description":"what shows it, in a sentence"}},` +
		`"required":["ruling","why"],"additionalProperties":false}`
	judgeTries  = 2 // answers, of which the last has to be a ruling
	judgeOutput = 512
)

// review has the judge look at a check that ended with a verdict. The judge and the verdict must agree: where they do
// not, or the judge is unsure, the check is inconclusive, and no failure of the app.
func (a *Agent) review(ctx context.Context, v *verdict) error {
	if a.Unjudged || a.objective.Kind != Verify || v.unproven {
		return nil
	}
	j, err := a.rule(ctx, "Judge this statement: "+a.objective.Text, "Assertions that were made", a.ledger.results())
	if err != nil {
		return err
	}
	want := Holds
	if v.Status == Failed {
		want = DoesNot
	}
	if j.Ruling == want {
		return nil
	}
	return fault.New(fault.Degraded, op, "%s, and the judge (%s) says %q: %s", map[Status]string{
		Completed: "its assertions passed", Failed: "an assertion failed"}[v.Status], j.Model, j.Ruling, j.Why).
		WithHint("Look at the screen, and word the statement by what it shows. judge: false below llm in trailblaze.yaml " +
			"asks no judge.")
}

// rule asks the judge for a ruling on a claim, by what was called for it and by the screen as it is now.
func (a *Agent) rule(ctx context.Context, claim, what string, did []string) (*Judgement, error) {
	text, picture, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	calls := "none"
	if len(did) > 0 {
		calls = "\n" + observe.MarkUntrusted(a.mask(strings.Join(did, "\n")))
	}
	req := llm.Request{System: strings.ReplaceAll(strings.TrimSpace(prompt("judge")), "{{JUDGE}}", judgeTool) + "\n",
		Tools:  []llm.Tool{{Name: judgeTool, Description: "Says what you find.", Schema: json.RawMessage(judgeSchema)}},
		Choice: llm.Required, MaxTokens: judgeOutput,
		Messages: []llm.Message{{Role: llm.FromUser, Parts: append([]llm.Part{{Text: a.mask(claim) + "\n" + what + ": " +
			calls + "\nThe screen now:\n" + observe.MarkUntrusted(text) + "\n"}}, picture...)}}}
	said := ""
	for range judgeTries {
		if err := a.allowed(ctx); err != nil {
			return nil, fault.New(fault.KindOf(err), op, "the judge was not asked: %w", err)
		}
		answer, err := a.ask(ctx, req, true)
		if err != nil {
			return nil, fault.New(fault.KindOf(err), op, "the judge gave no answer: %w", err)
		}
		j := a.judgement
		j.Model = answer.Model
		if j.Ruling, j.Why = ruling(answer); j.Ruling != "" {
			j.Why = clip(a.mask(j.Why), 300)
			return j, nil
		}
		said = clip(completion(answer), 200)
	}
	return nil, fault.New(fault.Degraded, op, "the judge (%s) gives no ruling: %s", a.Model.Name(), a.mask(said)).
		WithHint("Choose a model that calls tools, or set judge: false below llm in trailblaze.yaml.")
}

// and joins what the judge said before with what it says now.
func (j *Judgement) and(now *Judgement) *Judgement {
	if j == nil || now == nil {
		return cmp.Or(now, j)
	}
	both := *now
	both.Usage.Add(j.Usage)
	return &both
}

// ruling reads an answer of the judge: a call of its tool, or for models that call none, words that begin with a
// ruling. "" is an answer that says nothing, or two things.
func ruling(r *llm.Response) (found Ruling, why string) {
	if r.Stop == llm.Refused {
		return "", ""
	}
	for _, c := range r.Calls {
		var in struct{ Ruling, Why string }
		if c.Name != judgeTool || json.Unmarshal(c.Args, &in) != nil {
			return "", ""
		}
		said := rulings[letters(in.Ruling)]
		if said == "" || found != "" && said != found {
			return "", ""
		}
		found, why = said, in.Why
	}
	if found != "" {
		return found, why
	}
	head, why, _ := strings.Cut(strings.TrimLeft(r.Text, " \t\n\"'*`"), "\n")
	if at := strings.IndexAny(head, ".:;,"); at >= 0 {
		head, why = head[:at], head[at+1:]+"\n"+why
	}
	return rulings[letters(head)], strings.Trim(why, " \t\n\"'*`")
}

// rulings are the words of a ruling, without what is no letter.
var rulings = map[string]Ruling{"holds": Holds, "doesnot": DoesNot, "doesnothold": DoesNot, "cannottell": CannotTell}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}
