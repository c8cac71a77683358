package observe

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// tell fills in the text, at most room tokens of it. A screen that the client has not seen is written as it is, never
// as a difference; a difference that is longer than the screen is no help, and the screen is written instead.
func (o *Observation) tell(before, now *screen.Snapshot, s Settings, room int) error {
	diff := diff.Between(before, now)
	if before != nil {
		o.Changes = count(diff)
	}
	o.Changed = before == nil || !diff.Empty()
	unseen := before == nil || diff.NewPage
	minimal := s.Verbosity != toolset.Standard && s.Verbosity != toolset.Full
	switch {
	case s.Verbosity == toolset.Full, unseen:
		o.Full = true
	case !o.Changed:
		return nil
	}
	limit := room
	switch {
	case minimal && o.Full:
		limit = min(room, minimalPage)
	case minimal:
		limit = min(room, minimalDiff)
	}
	whole := func(most int) string { return text.Of(now, text.Options{MaxTokens: most, Since: before}) }
	changes := func(most int) string { return text.Changes(diff, most) }
	text := changes
	if o.Full {
		text = whole
	}
	all := text(0)
	if !o.Full && Tokens(all) > worthAsking {
		if screenful := whole(0); len(screenful) < len(all) {
			o.Full, text, all = true, whole, screenful
		}
	}
	return o.put(all, text, s, limit, room)
}

// worthAsking is the length of a difference from which the screen is tried for being shorter: it rarely is.
const worthAsking = 120

// put takes the text that fits: the lines that matter most of a longer one, by its own ranking. The rest is kept.
func (o *Observation) put(all string, text func(int) string, s Settings, limit, room int) error {
	masked := s.mask(all)
	if Tokens(masked) <= limit {
		o.Text = masked
		return nil
	}
	o.Truncated = true
	var err error
	if Tokens(masked) > room {
		if o.Overflow, err = s.keep([]byte(all), textPlain); o.Overflow.Where() != "" {
			limit -= Tokens(o.Overflow.Where()) + 5
		}
	}
	if limit < leastTokens {
		return err
	}
	o.Text = s.mask(text(limit))
	for most := limit; Tokens(o.Text) > limit; { // masking made it longer
		if most = most * 3 / 4; most < leastTokens {
			o.Text = lines(o.Text, limit)
			break
		}
		o.Text = s.mask(text(most))
	}
	return err
}

// lines are as many whole lines as fit.
func lines(text string, tokens int) string {
	n := 4 * tokens
	if len(text) <= n {
		return text
	}
	return text[:strings.LastIndexByte(text[:n], '\n')+1]
}

// count returns the number of changes.
func count(c diff.Changes) int {
	n := len(c.Added) + len(c.Removed) + len(c.Revealed) + len(c.Concealed) + len(c.Moved) +
		len(c.Renewed) + len(c.Entered) +
		len(c.Changed) + c.Left + c.Covered + c.Uncovered
	for _, yes := range []bool{c.URL != "", c.Title != "", c.Dialog != "", c.Focus != nil, c.NewPage} {
		if yes {
			n++
		}
	}
	return n
}
