package event

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Usage is the cost of questions to a model.
type Usage struct {
	Model             string  `json:"model,omitempty"` // that answered; several with commas
	Questions         int     `json:"questions"`
	InputTokens       int     `json:"inputTokens"` // those from a cache too
	CachedInputTokens int     `json:"cachedInputTokens,omitempty"`
	OutputTokens      int     `json:"outputTokens"`
	CostUSD           float64 `json:"costUsd,omitempty"` // by the prices of the settings; 0 when they name none
}

// Price is the cost of the questions to a model in a call, a step or a trail. It is nil where nothing was asked.
type Price struct {
	Usage
	Judge *Usage `json:"judge,omitempty"` // the part of it that the questions of a judge took
	// Ruling is what the judge said: holds, does not or cannot tell; of several, one that is not holds.
	Ruling string `json:"ruling,omitempty"`
}

// agreed is the ruling of a judge that agrees.
const agreed = "holds"

// Price returns the cost of a question.
func (s *Sampling) Price() *Price {
	p := &Price{Usage: Usage{Model: s.Model, Questions: 1, InputTokens: s.InputTokens,
		CachedInputTokens: s.CachedInputTokens, OutputTokens: s.OutputTokens, CostUSD: s.CostUSD}}
	if s.Judge {
		judge := p.Usage
		p.Judge, p.Ruling = &judge, s.Ruling
	}
	return p
}

// Plus is the sum of two prices, nil when both are.
func (p *Price) Plus(o *Price) *Price {
	switch {
	case p == nil:
		return o
	case o == nil:
		return p
	}
	sum := &Price{Usage: p.plus(o.Usage), Judge: cmp.Or(p.Judge, o.Judge),
		Ruling: cmp.Or(o.Ruling, p.Ruling)}
	if sum.Ruling == agreed && p.Ruling != "" {
		sum.Ruling = p.Ruling
	}
	if p.Judge != nil && o.Judge != nil {
		judge := p.Judge.plus(*o.Judge)
		sum.Judge = &judge
	}
	return sum
}

func (u Usage) plus(o Usage) Usage {
	models := strings.Split(u.Model, ", ")
	for m := range strings.SplitSeq(o.Model, ", ") {
		if !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	return Usage{
		Model: strings.Trim(strings.Join(models, ", "), ", "), Questions: u.Questions + o.Questions,
		InputTokens:       u.InputTokens + o.InputTokens,
		CachedInputTokens: u.CachedInputTokens + o.CachedInputTokens,
		OutputTokens:      u.OutputTokens + o.OutputTokens, CostUSD: u.CostUSD + o.CostUSD,
	}
}

// String describes it for a person, "" for none.
func (p *Price) String() string {
	if p == nil {
		return ""
	}
	text := p.text()
	if p.Judge != nil {
		text += "; of these the judge: " + p.Judge.text()
		if p.Ruling != "" {
			text += fmt.Sprintf(", who says %q", p.Ruling)
		}
	}
	return text
}

func (u Usage) text() string {
	text := phrase.Count(u.Questions, "question")
	if u.Model != "" {
		text += " to " + u.Model
	}
	text += fmt.Sprintf(", %d tokens in", u.InputTokens)
	if u.CachedInputTokens > 0 {
		text += fmt.Sprintf(" (%d cached)", u.CachedInputTokens)
	}
	text += fmt.Sprintf(", %d out", u.OutputTokens)
	if u.CostUSD > 0 {
		text += fmt.Sprintf(", $%.4f", u.CostUSD)
	}
	return text
}

// Spending begins to add up what questions take that are asked from now on. end ends that and returns the sum, nil when
// none was asked.
func (l *Log) Spending() (end func() *Price) {
	var sum *Price
	cancel := l.Observe(func(e Event) {
		if e.Sampling != nil {
			sum = sum.Plus(e.Sampling.Price())
		}
	})
	return func() *Price {
		cancel() // waits for an Append that is under way
		return sum
	}
}
