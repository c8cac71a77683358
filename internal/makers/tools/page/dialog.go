package page

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/permit"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "NAVIGATION", WebGroup: "web_core"}

func shared(name, title string, kind tool.Kind, groups ...string) tool.Spec {
	return set.Of(kind).Any(name, title, groups...)
}

func web(name, title string, kind tool.Kind) tool.Spec { return set.Of(kind).Web(name, title) }

func devtools(name, title string, kind tool.Kind) tool.Spec {
	return set.Of(kind).Devtools(name, title)
}

type handleDialogIn struct {
	Accept bool   `json:"accept" jsonschema:"true for OK, false for Cancel"`
	Answer string `json:"answer,omitempty" jsonschema:"text for a prompt"`
	action.Note
}

func webHandleDialog() tool.Tool {
	return action.Define(web("web_handleDialog", "Handle dialog", tool.Action).With(tool.Facts{
		Categories: []string{"TABS"}, Sentence: tool.Always("Answer the dialog"),
		Occasion: tool.AtDialog,
	}), func(ctx context.Context, env tool.Env, in handleDialogIn) (*tool.Result, error) {
		d, err := action.Capability[driver.Dialogs](env, "handle dialog")
		if err != nil {
			return nil, err
		}
		if in.Accept {
			if err := permit.Act(ctx, nil, nil, nil); err != nil {
				return nil, err
			}
		}
		got, err := d.HandleDialog(ctx, in.Accept, in.Answer)
		if err != nil {
			return nil, fault.Wrap(err, "", "handle dialog")
		}
		r := tool.TextResult("%s", dialogText(*got))
		r.Evidence = &tool.Evidence{Effect: &driver.Effect{
			Dialogs: []driver.DialogEvent{*got}, Changes: driver.Changes{Dialog: true}, Settle: driver.Settle{Reason: "dialog"},
		}}
		return r, nil
	})
}

type policyIn struct {
	Policy string `json:"policy" enum:"accept,dismiss,keep,default" jsonschema:"accept: OK; dismiss: Cancel; keep: leave open for web_handleDialog; default: OK to alerts, Cancel to questions"`
	Answer string `json:"answer,omitempty" jsonschema:"with accept: text for prompts"`
	Once   bool   `json:"once,omitempty" jsonschema:"only for the next dialog"`
	action.Note
}

func webSetDialogPolicy() tool.Tool {
	return action.Define(web("web_setDialogPolicy", "Set dialog policy", tool.Action).With(tool.Facts{
		Categories: []string{"TABS"}, Idempotent: true, Purpose: tool.AnswerDialogs, Sentence: answering,
	}), func(ctx context.Context, env tool.Env, in policyIn) (*tool.Result, error) {
		d, err := action.Capability[driver.Dialogs](env, "set dialog policy")
		if err != nil {
			return nil, err
		}
		p := driver.DialogPolicy{Once: in.Once}
		switch in.Policy {
		case "accept":
			if err := permit.Act(ctx, nil, nil, nil); err != nil {
				return nil, err
			}
			p.Accept, p.Answer = true, in.Answer
		case "keep":
			p.Keep = true
		case "dismiss", "default":
			// The zero policy: a dialog with one button has nothing to cancel.
		}
		if err := d.SetDialogPolicy(ctx, p); err != nil {
			return nil, fault.Wrap(err, "", "set dialog policy")
		}
		return action.NoEffect("a policy shows when a dialog comes up", "Dialogs: %s.", in.Policy), nil
	})
}

type dialogsOut struct {
	Dialogs []driver.DialogEvent `json:"dialogs"`
}

// Text implements tool.Texter.
func (o dialogsOut) Text() string {
	var lines []string
	for _, d := range o.Dialogs {
		lines = append(lines, dialogText(d))
	}
	if lines == nil {
		return "No dialog came up so far."
	}
	return strings.Join(lines, "\n")
}

func dialogText(d driver.DialogEvent) string {
	s := fmt.Sprintf("%s %q: ", d.Type, d.Message)
	switch {
	case !d.Accepted:
		return s + "dismissed"
	case d.Answer != "":
		return s + fmt.Sprintf("answered %q", d.Answer)
	}
	return s + "accepted"
}

func webDialogs() tool.Tool {
	return tool.Define(devtools("web_dialogs", "List dialogs", tool.Query).With(tool.Facts{
		Categories: []string{"TABS"},
	}), func(ctx context.Context, env tool.Env, _ action.NoInput) (dialogsOut, error) {
		d, err := action.Capability[driver.Dialogs](env, "list dialogs")
		if err != nil {
			return dialogsOut{}, err
		}
		log, err := d.DialogLog(ctx)
		return dialogsOut{Dialogs: log}, fault.Wrap(err, "", "list dialogs")
	})
}

// answering says how dialogs are answered.
func answering(p tool.Phrase) string {
	dialogs := "Dialogs"
	if p.Args["once"] == true {
		dialogs = "The next dialog"
	}
	switch p.Text("policy") {
	case "accept":
		return dialogs + ": OK" + tool.Join(" with ", p.Written("answer"))
	case "dismiss":
		return dialogs + ": Cancel"
	case "keep":
		return dialogs + ": leave open"
	}
	return ""
}
