package screen

import (
	"regexp"
	"strings"
)

// structuralBlocks are a phone's ids and classes.
func structuralBlocks(n *Node) []Selector {
	switch d := n.Native.(type) {
	case *AndroidAccessibility:
		m := func(f AndroidAccessibilityMatch) Selector { return Selector{AndroidAccessibility: &f} }
		return present([]Selector{
			m(AndroidAccessibilityMatch{UniqueID: d.UniqueID}), m(AndroidAccessibilityMatch{ResourceIDRegex: literal(d.ResourceID)}),
			m(AndroidAccessibilityMatch{ComposeTestTagRegex: literal(d.ComposeTestTag)}), m(AndroidAccessibilityMatch{ClassNameRegex: literal(d.ClassName)}),
		})
	case *AndroidMaestro:
		return present([]Selector{{AndroidMaestro: &AndroidMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}}, {AndroidMaestro: &AndroidMaestroMatch{ClassNameRegex: literal(d.ClassName)}}})
	case *IOSMaestro:
		return present([]Selector{{IOSMaestro: &IOSMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}}, {IOSMaestro: &IOSMaestroMatch{ClassNameRegex: literal(d.ClassName)}}})
	case *IOSAxe:
		return present([]Selector{{IOSAxe: &IOSAxeMatch{UniqueID: d.UniqueID}}, {IOSAxe: &IOSAxeMatch{SubroleRegex: literal(d.Subrole), RoleRegex: literal(d.Role)}}})
	case *Compose:
		return present([]Selector{{Compose: &ComposeMatch{TestTag: d.TestTag}}, {Compose: &ComposeMatch{Role: d.Role}}})
	}
	return nil
}

func mobileBlocks(n *Node) []Selector {
	switch d := n.Native.(type) {
	case *AndroidAccessibility:
		return androidBlocks(d)
	case *AndroidMaestro:
		return present([]Selector{
			{AndroidMaestro: &AndroidMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}},
			{AndroidMaestro: &AndroidMaestroMatch{TextRegex: literal(d.Text)}},
			{AndroidMaestro: &AndroidMaestroMatch{AccessibilityTextRegex: literal(d.AccessibilityText)}},
			{AndroidMaestro: &AndroidMaestroMatch{ClassNameRegex: literal(d.ClassName)}},
		})
	case *IOSMaestro:
		return present([]Selector{
			{IOSMaestro: &IOSMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}},
			{IOSMaestro: &IOSMaestroMatch{AccessibilityTextRegex: literal(d.AccessibilityText)}},
			{IOSMaestro: &IOSMaestroMatch{TextRegex: literal(d.Text)}},
			{IOSMaestro: &IOSMaestroMatch{HintTextRegex: literal(d.HintText)}},
			{IOSMaestro: &IOSMaestroMatch{TextRegex: literal(d.Text), ClassNameRegex: literal(d.ClassName)}},
			{IOSMaestro: &IOSMaestroMatch{ClassNameRegex: literal(d.ClassName)}},
		})
	case *IOSAxe:
		return present([]Selector{
			{IOSAxe: &IOSAxeMatch{UniqueID: d.UniqueID}},
			{IOSAxe: &IOSAxeMatch{LabelRegex: literal(d.Label)}},
			{IOSAxe: &IOSAxeMatch{LabelRegex: literal(d.Label), RoleRegex: literal(d.Role)}},
			{IOSAxe: &IOSAxeMatch{ValueRegex: literal(d.Value)}},
			{IOSAxe: &IOSAxeMatch{TitleRegex: literal(d.Title)}},
			{IOSAxe: &IOSAxeMatch{SubroleRegex: literal(d.Subrole), RoleRegex: literal(d.Role)}},
			{IOSAxe: &IOSAxeMatch{RoleRegex: literal(d.Role)}},
		})
	case *Compose:
		return present([]Selector{
			{Compose: &ComposeMatch{TestTag: d.TestTag}},
			{Compose: &ComposeMatch{ContentDescriptionRegex: literal(d.ContentDescription)}},
			{Compose: &ComposeMatch{ContentDescriptionRegex: literal(d.ContentDescription), Role: d.Role}},
			{Compose: &ComposeMatch{TextRegex: literal(d.Text)}},
			{Compose: &ComposeMatch{TextRegex: literal(d.Text), Role: d.Role}},
			{Compose: &ComposeMatch{Role: d.Role}},
		})
	}
	return nil
}

func androidBlocks(d *AndroidAccessibility) []Selector {
	m := func(f AndroidAccessibilityMatch) Selector { return Selector{AndroidAccessibility: &f} }
	text, class := literal(d.ResolveText()), literal(d.ClassName)
	if d.IsEditable {
		text = "" // what a person typed is no name
	}
	return present([]Selector{
		m(AndroidAccessibilityMatch{UniqueID: d.UniqueID}), m(AndroidAccessibilityMatch{ResourceIDRegex: literal(d.ResourceID)}),
		m(AndroidAccessibilityMatch{ComposeTestTagRegex: literal(d.ComposeTestTag)}),
		m(AndroidAccessibilityMatch{ContentDescriptionRegex: literal(d.ContentDescription)}),
		m(AndroidAccessibilityMatch{ContentDescriptionRegex: literal(d.ContentDescription), ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{HintTextRegex: literal(d.HintText)}), m(AndroidAccessibilityMatch{HintTextRegex: literal(d.HintText), ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{TextRegex: text}), m(AndroidAccessibilityMatch{TextRegex: text, ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{ResourceIDRegex: literal(d.ResourceID), TextRegex: text}),
		m(AndroidAccessibilityMatch{LabeledByTextRegex: literal(d.LabeledByText)}), m(AndroidAccessibilityMatch{PaneTitleRegex: literal(d.PaneTitle)}),
		m(AndroidAccessibilityMatch{ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{ClassNameRegex: class, IsEditable: when(d.IsEditable), IsCheckable: when(d.IsCheckable), IsHeading: when(d.IsHeading),
			IsPassword: when(d.IsPassword), IsScrollable: when(d.IsScrollable)}), // never selected: that is what taps change
		m(AndroidAccessibilityMatch{ClassNameRegex: class, InputType: d.InputType}),
		m(AndroidAccessibilityMatch{StateDescriptionRegex: literal(d.StateDescription)}),
		m(AndroidAccessibilityMatch{RoleDescriptionRegex: literal(d.RoleDescription)}),
		m(AndroidAccessibilityMatch{CollectionItemRowIndex: d.CollectionRow, CollectionItemColumnIndex: d.CollectionColumn}),
	})
}

// present drops selectors whose block says nothing.
func present(sels []Selector) []Selector {
	var out []Selector
	for _, s := range sels {
		if s.says() {
			out = append(out, s)
		}
	}
	return out
}

func (sel *Selector) says() bool {
	switch {
	case sel.AndroidAccessibility != nil:
		return *sel.AndroidAccessibility != AndroidAccessibilityMatch{}
	case sel.AndroidMaestro != nil:
		return *sel.AndroidMaestro != AndroidMaestroMatch{}
	case sel.IOSMaestro != nil:
		return *sel.IOSMaestro != IOSMaestroMatch{}
	case sel.IOSAxe != nil:
		return *sel.IOSAxe != IOSAxeMatch{}
	case sel.Compose != nil:
		return *sel.Compose != ComposeMatch{}
	case sel.Web != nil:
		return *sel.Web != WebMatch{}
	}
	return false
}

// kindOf is what sort of element a phone's node is.
func kindOf(n *Node) (Selector, bool) {
	switch d := n.Native.(type) {
	case *AndroidAccessibility:
		return Selector{AndroidAccessibility: &AndroidAccessibilityMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *AndroidMaestro:
		return Selector{AndroidMaestro: &AndroidMaestroMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *IOSMaestro:
		return Selector{IOSMaestro: &IOSMaestroMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *IOSAxe:
		return Selector{IOSAxe: &IOSAxeMatch{RoleRegex: literal(d.Role)}}, d.Role != ""
	case *Compose:
		return Selector{Compose: &ComposeMatch{Role: d.Role}}, d.Role != ""
	}
	return Selector{}, false
}

// literal is a pattern that matches exactly this text, written plainly where that means the same.
func literal(text string) string {
	text = squeeze(text)
	if text == "" || regexp.QuoteMeta(text) == text {
		return text
	}
	if !strings.Contains(text, `\E`) {
		return `\Q` + text + `\E`
	}
	return regexp.QuoteMeta(text)
}

// variable are parts of names that change from run to run: long numbers, dates, times, amounts.
var variable = regexp.MustCompile(`\d{4,}|\d+[:./-]\d+|[$€£]\s?\d`)

func when(b bool) *bool {
	if b {
		return &b
	}
	return nil
}

func meaningful(role string) string {
	switch role {
	case "", "generic", "none", "presentation", "text":
		return ""
	}
	return role
}
