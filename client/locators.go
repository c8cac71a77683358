// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/trailblaze-dev/trailblaze/fault"
	commandsv1 "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands"
)

// Locator is an element by its selector, which each call resolves anew.
type Locator struct {
	device   *Device
	Selector map[string]any // as recordings have it
}

// exactly is a pattern that matches this text alone.
func exactly(text string) string {
	if regexp.QuoteMeta(text) == text {
		return text
	}
	return `\Q` + strings.ReplaceAll(text, `\E`, `\E\\E\Q`) + `\E`
}

// with is a locator whose selector has another field.
func (l Locator) with(field string, value any) Locator {
	l.Selector = maps.Clone(l.Selector)
	l.Selector[field] = value
	return l
}

// Within are those in an element of another locator.
func (l Locator) Within(outer Locator) Locator {
	if in, ok := l.Selector["childOf"].(map[string]any); ok {
		outer = Locator{l.device, in}.Within(outer)
	}
	return l.with("childOf", outer.Selector)
}

// Containing are those that have an element of another locator in them.
func (l Locator) Containing(inner Locator) Locator {
	all, _ := l.Selector["containsDescendants"].([]any)
	return l.with("containsDescendants", append(all[:len(all):len(all)], inner.Selector))
}

// Nth is one of several, counted from 0 from top to bottom.
func (l Locator) Nth(index int) Locator { return l.with("index", index) }

// durable is the selector as a request has it.
func (l Locator) durable() (*structpb.Struct, error) {
	data, err := json.Marshal(l.Selector)
	out := &structpb.Struct{}
	if err == nil {
		err = out.UnmarshalJSON(data)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "write selector")
	}
	return out, nil
}

// one is the selector, unless several elements are meant, or the device is no browser.
func (l Locator) one(ctx context.Context) (*structpb.Struct, error) {
	if l.device.Web == nil {
		return nil, fault.New(fault.Unsupported, "use locator", "the device is no browser").
			WithHint("Tap by text, or with TapOn and a selector of its platform.")
	}
	if l.Selector["index"] == nil {
		n, err := l.Count(ctx)
		if err == nil && n > 1 {
			err = fault.New(fault.Conflict, "", "%d elements match %v", n, l.Selector).
				WithHint("Say which one: with Within, Containing or Nth.")
		}
		if err != nil {
			return nil, err
		}
	}
	return l.durable()
}

// Click clicks it.
func (l Locator) Click(ctx context.Context) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.Click(ctx, &commandsv1.ClickRequest{NodeSelector: of})
	}
	return err
}

// Fill sets the field to a value, and reads it back.
func (l Locator) Fill(ctx context.Context, value string) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.Fill(ctx, &commandsv1.FillRequest{NodeSelector: of, Value: new(value)})
	}
	return err
}

// Hover moves the mouse onto it.
func (l Locator) Hover(ctx context.Context) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.Hover(ctx, &commandsv1.WebHoverRequest{NodeSelector: of})
	}
	return err
}

// Press presses a key or a chord in it, such as Enter or Control+a.
func (l Locator) Press(ctx context.Context, key string) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.PressKey(ctx, &commandsv1.WebPressKeyRequest{NodeSelector: of, Key: new(key)})
	}
	return err
}

// Select chooses options by their label, value or index.
func (l Locator) Select(ctx context.Context, values []string) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.SelectOption(ctx, &commandsv1.WebSelectOptionRequest{NodeSelector: of, Values: values})
	}
	return err
}

// Check checks it.
func (l Locator) Check(ctx context.Context) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.SetChecked(ctx, &commandsv1.WebSetCheckedRequest{NodeSelector: of, Checked: new(true)})
	}
	return err
}

// Uncheck takes its check away.
func (l Locator) Uncheck(ctx context.Context) error {
	of, err := l.one(ctx)
	if err == nil {
		_, err = l.device.Web.SetChecked(ctx, &commandsv1.WebSetCheckedRequest{NodeSelector: of, Checked: new(false)})
	}
	return err
}

// Count is how many there are now that a person can see.
func (l Locator) Count(ctx context.Context) (int, error) {
	of, err := l.durable()
	if err != nil {
		return 0, err
	}
	r, err := l.device.GetElementCount(ctx, &commandsv1.GetElementCountRequest{NodeSelector: of})
	return int(r.GetCount()), err
}

// Text is what it shows now: a field's value, else its text, and "" when there is no such element.
func (l Locator) Text(ctx context.Context) (string, error) {
	of, err := l.durable()
	if err != nil {
		return "", err
	}
	r, err := l.device.GetElementText(ctx, &commandsv1.GetElementTextRequest{NodeSelector: of})
	return r.GetText(), err
}

// IsVisible says whether a person can see it now.
func (l Locator) IsVisible(ctx context.Context) (bool, error) {
	of, err := l.durable()
	if err != nil {
		return false, err
	}
	r, err := l.device.IsVisible(ctx, &commandsv1.IsVisibleRequest{NodeSelector: of})
	return r.GetVisible(), err
}

// Expectation asserts something of an element, looking again until it holds or time is over.
type Expectation struct {
	Timeout time.Duration
	of      Locator
	negated bool
}

// Expect is what is expected of an element: client.Expect(tb.GetByRole("row")).ToHaveCount(ctx, 3).
func Expect(l Locator) Expectation { return Expectation{5 * time.Second, l, false} }

// Not is the contrary.
func (e Expectation) Not() Expectation {
	e.negated = !e.negated
	return e
}

// ToBeVisible asserts that a person can see it.
func (e Expectation) ToBeVisible(ctx context.Context) error {
	of, err := e.of.durable()
	limit := int32(e.Timeout.Milliseconds()) //nolint:gosec // a time limit
	switch {
	case err != nil:
	case e.negated:
		_, err = e.of.device.AssertNotVisibleBySelector(ctx,
			&commandsv1.AssertNotVisibleBySelectorRequest{NodeSelector: of, TimeoutMs: &limit})
	default:
		_, err = e.of.device.AssertVisibleBySelector(ctx,
			&commandsv1.AssertVisibleBySelectorRequest{NodeSelector: of, TimeoutMs: &limit})
	}
	return err
}

// ToHaveText asserts what it shows.
func (e Expectation) ToHaveText(ctx context.Context, text string) error {
	return until(ctx, e, "the text", e.of.Text, text)
}

// ToHaveCount asserts how many there are.
func (e Expectation) ToHaveCount(ctx context.Context, count int) error {
	return until(ctx, e, "the number", e.of.Count, count)
}

func until[T comparable](ctx context.Context, e Expectation, what string, look func(context.Context) (T, error), want T) error {
	for end := time.Now().Add(e.Timeout); ; {
		got, err := look(ctx)
		switch {
		case err != nil:
			return err
		case (got == want) != e.negated:
			return nil
		case time.Now().After(end) && e.negated:
			return fault.New(fault.Assertion, "", "%s of %v is %v, want another", what, e.of.Selector, got)
		case time.Now().After(end):
			return fault.New(fault.Assertion, "", "%s of %v is %v, want %v", what, e.of.Selector, got, want).
				WithHint("Look at the screen, or set a longer Timeout.")
		}
		select {
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), fault.Timeout, "wait for "+what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// GetByRole are the elements of an ARIA role, such as button or row, and of a name when one is given.
func (d *Device) GetByRole(role string, name ...string) Locator {
	web := map[string]any{"ariaRole": role}
	if len(name) > 0 {
		web["ariaNameRegex"] = exactly(name[0])
	}
	return d.Locator(map[string]any{"web": web})
}

// GetByLabel are the fields of a label, or of a name that they have otherwise.
func (d *Device) GetByLabel(label string) Locator {
	web := map[string]any{"ariaNameRegex": exactly(label), "cssSelector": "input, textarea, select, [contenteditable]"}
	return d.Locator(map[string]any{"web": web})
}

// GetByText are the elements in which a text stands directly, and nothing else.
func (d *Device) GetByText(text string) Locator {
	web := map[string]any{"ownTextRegex": exactly(text)}
	return d.Locator(map[string]any{"web": web})
}

// GetByTestID are the elements of a data-testid.
func (d *Device) GetByTestID(id string) Locator {
	web := map[string]any{"dataTestId": id}
	return d.Locator(map[string]any{"web": web})
}

// GetByCss are the elements that a CSS selector matches.
func (d *Device) GetByCss(css string) Locator {
	web := map[string]any{"cssSelector": css}
	return d.Locator(map[string]any{"web": web})
}

// Locator is an element by a selector as recordings have it.
func (d *Device) Locator(selector map[string]any) Locator { return Locator{d, selector} }

// Screenshot is a picture of the screen, PNG.
func (d *Device) Screenshot(ctx context.Context) ([]byte, error) {
	r, err := d.GetScreenshot(ctx, &commandsv1.GetScreenshotRequest{Format: new("PNG")})
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, part := range r.GetCall().GetContent() {
		out = append(out, part.GetImage().GetData()...)
	}
	return out, nil
}
