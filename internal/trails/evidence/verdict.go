package evidence

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// expected returns the outcome expected of a call, by its evidence.
func expected(ev *tool.Evidence) tool.Expectation {
	if ev == nil || ev.Expect == nil {
		return tool.Expectation{}
	}
	return *ev.Expect
}

// verdict holds a successful call to its evidence. A call that left none did not pass. from is the
// address of the page before the call, "" when it is unknown.
func verdict(spec *tool.Spec, ev *tool.Evidence, want tool.Expectation, from string) error {
	switch spec.Kind {
	case tool.Action:
		if ev == nil || ev.Effect == nil && ev.None == "" {
			f := fault.New(fault.Degraded, "judge "+spec.Name,
				"the call succeeded but left no evidence that anything happened")
			if spec.Origin == "" {
				return f
			}
			if e := spec.Effects; e != nil && (e.Process || e.Server) {
				return f.WithHint("It called no tool and kept no value, so nothing shows that it did anything: did it wait for "+
					"its own calls? If it acts on something of its own, such as a database, declare effect: external for it in %s; "+
					"if it looks, kind: query; if it checks, kind: assertion.", spec.Origin)
			}
			return f.WithHint("It called no tool, sent no request, wrote no file and kept no value, so it did nothing. If it "+
				"looks, declare it in %s as a query (kind: query); if it checks, as an assertion.", spec.Origin)
		}
		if ev.Effect == nil {
			return nil
		}
		if ev.InVain() && want.Effect != tool.NoEffect {
			return inVain(spec.Name, ev.Effect)
		}
		return navigated(spec.Name, ev.Effect, want, from)
	case tool.Assertion:
		if ev == nil || ev.Checked == "" {
			return fault.New(fault.Degraded, "judge "+spec.Name,
				"the assertion passed but does not say what it looked at")
		}
	}
	return nil
}

// inVain returns the verdict on an action without effect. Where the page changed meanwhile for an unknown reason, it
// is none.
func inVain(name string, e *driver.Effect) error {
	const hint = "if this is how it should be, declare `effect: none` on the call"
	if e.Changes.Unsure > 0 {
		return fault.New(fault.Degraded, "judge "+name,
			"the action was carried out, and nothing changed but what the page may have changed by itself%s", uncaught(e)).
			WithHint("Wait until the page is at rest before the call; %s, and check what it is for.", hint)
	}
	return fault.New(fault.NotActed, "judge "+name, "the action was carried out and nothing changed: %s%s",
		nothingChanged(e), uncaught(e)).WithHint("%s", hint)
}

// nothingChanged describes an effect without changes in a few words.
func nothingChanged(e *driver.Effect) string {
	s := "no content, value, focus, selection, scroll position, URL or network activity followed"
	if e.Changes.Received {
		s = "the element got the event, but " + s
	}
	if e.Changes.Own > 0 {
		s += "; what changed meanwhile the page changes by itself"
	}
	return s
}

// uncaught lists the errors of an effect without changes.
func uncaught(e *driver.Effect) string {
	if len(e.Errors) == 0 {
		return ""
	}
	return "; the page reported an error: " + strings.Join(e.Errors, "; ")
}

// navigated refuses a pass for a page that failed to load or that is of another origin than it
// should be.
func navigated(name string, e *driver.Effect, want tool.Expectation, from string) error {
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.Assertion, "judge "+name, format, args...)
	}
	switch {
	case want.Status != 0 && e.Status != want.Status:
		return refuse("the navigation ended with HTTP status %d, expected %d, at %s", e.Status, want.Status, e.URL)
	case e.Changes.Navigation && e.Status >= 400 && want.Status == 0:
		return refuse("the navigation ended with HTTP status %d at %s", e.Status, e.URL).
			WithHint("if this is how it should be, declare `expectStatus: %d` on the call", e.Status)
	case e.Changes.Navigation && e.Failed != "":
		return refuse("the page at %s did not load: %s", e.URL, e.Failed)
	case !e.Changes.Navigation && !e.Changes.URL:
		return nil
	}
	got := driver.Origin(e.URL)
	switch {
	case got == "":
		return nil // about:blank, data:, file: have none to compare
	case want.Origin != "":
		if got != driver.Origin(want.Origin) {
			return refuse("the navigation ended on %s, expected origin %s", e.URL, want.Origin)
		}
		return nil
	}
	if start := startOf(want, from); start != "" && driver.Origin(start) != got {
		return refuse("the navigation ended on another origin: %s, from %s", e.URL, driver.Origin(start)).
			WithHint("if this is how it should be, declare `expectOrigin: %s` on the call", got)
	}
	return nil
}

// startOf is the address whose origin a navigation keeps unless it declares another: the one that
// it asked for, else the one of the page before it; "" when neither has an origin.
func startOf(want tool.Expectation, from string) string {
	for _, url := range []string{want.URL, from} {
		if driver.Origin(url) != "" {
			return url
		}
	}
	return ""
}
