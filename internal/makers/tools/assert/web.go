package assert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/words"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type textIn struct {
	Text string `json:"text" pattern:"\\S" jsonschema:"text that must be visible, in whole words"`
	within
	action.Note
}

// webVerifyTextVisible keeps the text as it was written: it verifies the text, not the element that holds it.
func webVerifyTextVisible() tool.Tool {
	return action.Define(web("web_verifyTextVisible", "Verify text visible").With(tool.Facts{
		Default: 10, Purpose: tool.CheckText, Sentence: visible, Occasion: tool.Anytime,
	}), func(ctx context.Context, env tool.Env, in textIn) (*tool.Result, error) {
		r, err := assertVisible(ctx, env, in.apply(locator.Query{Text: in.Text}), nil, "")
		if err != nil {
			return r, err
		}
		r.Evidence.Checked = fmt.Sprintf("%q is visible in %s", in.Text, named(r.Evidence.Target))
		r.Content[0].Text = r.Evidence.Checked + "."
		return r, nil
	})
}

func named(f *identity.Fingerprint) string {
	if f == nil {
		return "the page"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %q", f.Role, f.Name))
}

type elementIn struct {
	locator.Target
	within
	action.Note
}

func (in elementIn) ask() (locator.Query, locator.Accept, error) {
	return in.apply(locator.Query{Target: in.Target}), nil, nil
}

type valueIn struct {
	Type      string `json:"type,omitempty" enum:"TEXT,VALUE,ATTRIBUTE" default:"TEXT" jsonschema:"TEXT: its text contains expected; VALUE: its value is expected; ATTRIBUTE: an attribute is"`
	Expected  string `json:"expected" jsonschema:"what it must be"`
	Attribute string `json:"attribute" default:"" jsonschema:"with ATTRIBUTE: its name"`
	locator.Target
	within
	action.Note
}

// Mistake implements tool.Meaningful: every text contains a blank one.
func (in valueIn) Mistake() error {
	switch {
	case in.Type == "ATTRIBUTE" && in.Attribute == "":
		return fault.New(fault.Invalid, "verify value", "type ATTRIBUTE needs attribute")
	case (in.Type == "TEXT" || in.Type == "") && strings.TrimSpace(in.Expected) == "":
		return fault.New(fault.Invalid, "verify value", "parameter expected is blank, and every text contains that").
			WithHint("type VALUE verifies that a field is empty.")
	}
	return nil
}

func webVerifyValue() tool.Tool {
	return action.Define(web("web_verifyValue", "Verify value").With(tool.Facts{
		Sentence: holds, Occasion: tool.Anytime, Purpose: tool.CheckValue,
	}), func(ctx context.Context, env tool.Env, in valueIn) (*tool.Result, error) {
		q := in.apply(locator.Query{Target: in.Target, Hidden: in.Type != "TEXT"})
		if in.Type == "VALUE" {
			q = q.For(locator.Holder)
		}
		r, err := assertVisible(ctx, env, q, in.holds(ctx, env), "")
		if err != nil {
			return r, err
		}
		what := map[string]string{"TEXT": "text", "VALUE": "value", "ATTRIBUTE": in.Attribute}[in.Type]
		r.Evidence.Checked = fmt.Sprintf("the %s of %s is as expected: %q", what, named(r.Evidence.Target), in.Expected)
		r.Content[0].Text = r.Evidence.Checked + "."
		return r, nil
	})
}

// holds compares an element with its expected value.
func (in valueIn) holds(ctx context.Context, env tool.Env) locator.Accept {
	return func(n *screen.Node) string {
		switch in.Type {
		case "VALUE":
			return in.value(ctx, env, n)
		case "ATTRIBUTE":
			return in.attribute(ctx, env, n)
		}
		text := locator.TextOf(n)
		if locator.Reads(n, func(t string) bool { return words.ContainsWords(t, in.Expected) }) ||
			words.ContainsWords(n.Name, in.Expected) && text == "" {
			return ""
		}
		return fmt.Sprintf("its text is %q, not %q", text, in.Expected)
	}
}

// value compares the field's value. A password is compared inside the page, so that it never leaves it.
func (in valueIn) value(ctx context.Context, env tool.Env, n *screen.Node) string {
	if n.State.Has(screen.Password) {
		var same bool
		if err := ask(ctx, env, n, "(element) => element.value === "+quoted(in.Expected), &same); err != nil {
			return "its value could not be read: " + err.Error()
		}
		if !same {
			return "its value (not shown) is another one"
		}
		return ""
	}
	if !words.SameText(n.Value, in.Expected) {
		return fmt.Sprintf("its value is %q, not %q", n.Value, in.Expected)
	}
	return ""
}

func (in valueIn) attribute(ctx context.Context, env tool.Env, n *screen.Node) string {
	var got *string
	if err := ask(ctx, env, n, "(element) => element.getAttribute("+quoted(in.Attribute)+")", &got); err != nil {
		return "its attribute could not be read: " + err.Error()
	}
	switch {
	case got == nil:
		return fmt.Sprintf("it has no attribute %s", in.Attribute)
	case *got != in.Expected:
		return fmt.Sprintf("its attribute %s is %q, not %q", in.Attribute, *got, in.Expected)
	}
	return ""
}

// ask evaluates a function of the element.
func ask(ctx context.Context, env tool.Env, n *screen.Node, script string, out any) error {
	eval, ok := driver.As[driver.Evaluator](env.Device())
	if !ok {
		return fault.New(fault.Unsupported, "read element", "device %s runs no scripts", env.Device().Info().ID)
	}
	raw, err := eval.Evaluate(ctx, script, n.ID)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

type listIn struct {
	Items []string `json:"items" minItems:"1" jsonschema:"texts that must all be visible, in whole words"`
	locator.Target
	within
	action.Note
}

// Mistake implements tool.Meaningful: a blank item is nothing to look for.
func (in listIn) Mistake() error {
	for i, item := range in.Items {
		if strings.TrimSpace(item) == "" {
			return fault.New(fault.Invalid, "verify list", "parameter items[%d] is blank", i)
		}
	}
	return nil
}

func webVerifyListVisible() tool.Tool {
	return action.Define(web("web_verifyListVisible", "Verify list visible").With(tool.Facts{Occasion: tool.AtList}),
		verifyList)
}

func verifyList(ctx context.Context, env tool.Env, in listIn) (*tool.Result, error) {
	dev, err := action.Device(env)
	if err != nil {
		return nil, err
	}
	ev := &tool.Evidence{}
	var holder *locator.Query
	if !in.Empty() {
		holder = &locator.Query{Target: in.Target, Timeout: in.apply(locator.Query{}).Timeout}
		if tool.IsRecorded(ctx) {
			*holder = in.wait(*holder)
		}
		found, err := locator.Resolve(ctx, dev, *holder)
		ev = action.Identify(found, *holder)
		if err != nil {
			return &tool.Result{Evidence: ev}, fault.Wrap(err, fault.Assertion, "find list")
		}
	}
	for i, item := range in.Items {
		q := in.apply(locator.Query{Text: item, Within: holder})
		found, err := locator.See(ctx, dev, q, nil)
		if ev.Screen = found.Snapshot; err != nil {
			return &tool.Result{Evidence: ev},
				fault.Wrap(err, "", fmt.Sprintf("verify item %d of %d, %q", i+1, len(in.Items), item))
		}
	}
	ev.Checked = fmt.Sprintf("all of %q are visible", in.Items)
	r := tool.TextResult("All %d items are visible.", len(in.Items))
	r.Evidence, r.Record = ev, action.Durable("", ev)
	return r, nil
}

func holds(p tool.Phrase) string {
	return tool.Capital(cmp.Or(p.Target, "the field")) + " holds " + p.Quoted("expected")
}
