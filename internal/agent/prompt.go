package agent

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed prompts/*.md
var prompts embed.FS

func prompt(name string) string {
	text, err := prompts.ReadFile("prompts/" + name + ".md")
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(string(text), "{{STATUS}}", statusTool)
}

// system is the same for every objective of a kind in a session.
func (a *Agent) system(k Kind) string {
	rules := strings.TrimSpace(prompt("rules"))
	if look := a.Registry.For(tool.TakeSnapshot, a.Device.Info().Platform); look != nil && a.tools.search {
		more := strings.NewReplacer("{{LOOK}}", look.Name, "{{FIND}}", findTool)
		rules += "\n\n" + more.Replace(strings.TrimSpace(prompt("more")))
	}
	return rules + "\n\n" + strings.TrimSpace(prompt(string(k))) + "\n" + a.about()
}

// about returns the project's description of the app under test.
func (a *Agent) about() string {
	if a.About == nil {
		return ""
	}
	text := strings.TrimSpace(a.mask(a.About(a.Memory)))
	if text == "" {
		return ""
	}
	return "\nWhat the project says of the app under test:\n" + text + "\n"
}

// remembered limits the calls in the history.
const remembered = 12

// question makes the next question: rules and tools first, which never change within a run, then the objective, then
// what was done, and the screen last. look is the screen's text, by which a loop is found.
func (a *Agent) question(ctx context.Context) (req llm.Request, look string, err error) {
	look, picture, err := a.look(ctx)
	if err != nil {
		return req, "", err
	}
	came, changes := difference(a.seen, look)
	a.ledger.saw(came)
	a.seen, a.shown = look, append(a.shown, look)
	a.tools.offer(a.Registry, occasions(ctx, a.Device, a.screen))
	parts := append([]llm.Part{
		{Text: a.before() + "Objective: " + a.mask(a.objective.Text) + "\n"},
		{Text: a.history() + changes + "The screen now:\n" + observe.MarkUntrusted(look) + "\n"},
	}, picture...)
	return llm.Request{System: a.system(a.objective.Kind), Tools: a.tools.list, Choice: llm.Required, MaxTokens: maxOutput,
		Messages: []llm.Message{{Role: llm.FromUser, Parts: parts}}}, look, nil
}

// look takes the screen: its text, and a picture for a model that sees.
func (a *Agent) look(ctx context.Context) (view string, picture []llm.Part, err error) {
	snap, err := a.Device.Snapshot(ctx, driver.SnapshotOptions{})
	if err != nil {
		return "", nil, fault.Wrap(err, "", op)
	}
	room := a.Limits.Tokens
	if room <= 0 {
		room = screenTokens
	}
	a.screen = snap
	// Elements out of view are included: an action scrolls to its element.
	view = a.mask(text.Of(snap, text.Options{MaxTokens: room, Detail: []string{text.DetailOffscreen}}))
	if a.Pictures {
		img, err := a.Device.Screenshot(ctx, driver.ScreenshotOptions{Format: "jpeg", Quality: 70, MaxSize: 1280})
		if err != nil {
			return "", nil, fault.Wrap(err, "", op)
		}
		picture = []llm.Part{{Image: &llm.Image{MIME: img.MIME, Data: img.Data}}}
	}
	return view, picture, nil
}

// before lists the calls before the objective, and for it.
func (a *Agent) before() string {
	text := ""
	if o := a.objective; len(o.Before) > 0 {
		text = "Steps that are done already:\n- " + a.mask(strings.Join(o.Before, "\n- ")) + "\n"
	}
	if o := a.objective; len(o.Done) > 0 {
		text += "The objective was recorded, and the app has changed since. These calls of the recording were made " +
			"just now. What they did stays done: do not do it again. Do only what is left of the objective.\n" +
			observe.MarkUntrusted(a.mask(strings.Join(o.Done, "\n"))) + "\n"
	}
	return text
}

// mostChanges limits the lines of a difference; mostPart is the part of the screen above which it is another screen.
const (
	mostChanges = 24
	mostPart    = 0.5
	mostLine    = 160
)

// difference lists the lines that came to the screen and went since the last question, so that the model need not
// search for the effect of its calls; "" on the first screen, and where nothing or too much changed. Of another screen
// only its title and address came.
func difference(before, now string) (came []string, text string) {
	if before == "" || before == now {
		return nil, ""
	}
	head, _, _ := strings.Cut(now, "\n")
	had := map[string]int{}
	before, now = headless(before), headless(now)
	for line := range strings.Lines(before) {
		had[strings.TrimSpace(line)]++
	}
	var lines []string
	all := 0
	for line := range strings.Lines(now) {
		line = strings.TrimSpace(line)
		if all++; had[line] > 0 {
			had[line]--
			continue
		}
		came, lines = append(came, line), append(lines, "+ "+clip(line, mostLine))
	}
	for line := range strings.Lines(before) {
		if line = strings.TrimSpace(line); had[line] > 0 {
			had[line]--
			lines = append(lines, "- "+clip(line, mostLine))
		}
	}
	most := mostPart*float64(all) + 2
	if len(came) == 0 || float64(len(came)) > most {
		came = []string{head}
	}
	if len(lines) == 0 || len(lines) > mostChanges || float64(len(lines)) > most {
		return came, ""
	}
	return came, "New (+) and gone (-) since your last answer:\n" + observe.MarkUntrusted(strings.Join(lines, "\n")) + "\n"
}

// headless is the text of a screen without its head, title and address, with which the screen itself begins.
func headless(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

// history lists the calls for the objective. The answers of calls in it hold text of pages.
func (a *Agent) history() string {
	var b strings.Builder
	from := max(len(a.done)-remembered, 0)
	if len(a.done) > 0 {
		var lines []string
		for i, d := range a.done[from:] {
			lines = append(lines, fmt.Sprintf("%d. %s %s -> %s", from+i+1, d.call.Name, clip(a.mask(string(d.call.Args)), 300),
				a.result(from+i)))
		}
		b.WriteString("Done so far, with what came of it:\n" + observe.MarkUntrusted(strings.Join(lines, "\n")) + "\n")
	}
	if a.reminder != "" {
		b.WriteString("Note: " + strings.ReplaceAll(a.reminder, "\n", " ") + "\n")
	}
	return b.String()
}

// result is what came of a call. What was looked for with the last answer stands at length, and only once.
func (a *Agent) result(i int) string {
	d := a.done[i]
	if i < a.answered || d.found == "" {
		return strings.ReplaceAll(d.summary, "\n", " ")
	}
	a.shown = append(a.shown, d.found)
	return "\n" + d.found
}
