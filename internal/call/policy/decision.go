package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// decision is a yes or no, and the rule behind it.
type decision struct {
	Allowed bool
	Subject string // what was asked for: a tool, a host, a file
	Rule    string // that decided
	Where   string // it stands
	Hint    string // how to get another answer
}

func (d decision) yes(rule, where string) decision {
	d.Allowed, d.Rule, d.Where = true, rule, where
	return d
}

func (d decision) no(rule, where, hint string) decision {
	d.Rule, d.Where, d.Hint = rule, where, hint
	return d
}

// fault is a denial as an error that says which rule and how to change it.
func (d decision) fault(op string) *fault.Error {
	where := ""
	if d.Where != "" && !strings.HasPrefix(d.Where, "profile ") {
		where = " (" + d.Where + ")"
	} else if d.Where != "" {
		where = " of " + d.Where
	}
	f := fault.New(fault.Denied, op, "the policy denies %s: %s%s", d.Subject, d.Rule, where)
	if d.Hint == "" {
		return f
	}
	return f.WithHint("%s", d.Hint)
}

// quoted is a pattern as it is shown.
func quoted(s string) string { return strconv.Quote(s) }

// usual allows what no rule is about, as the profile does.
func (b *basis) usual(d decision) decision {
	return d.yes("profile "+string(b.profile), "profile "+string(b.profile))
}

// listPlace returns the place of a list in its file, or where it would be.
func (b *basis) listPlace(key string) string {
	if w, ok := b.where[key]; ok {
		return b.at(w)
	}
	if b.path != "" {
		return fmt.Sprintf("profile %s in %s, which has no %s", b.profile, b.name(), key)
	}
	return "profile " + string(b.profile)
}
