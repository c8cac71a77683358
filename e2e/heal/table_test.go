package heal

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// verdict is what became of a pair, by what its server was given.
type verdict int

const (
	declined verdict = iota
	right
	wrong
)

func (v verdict) String() string { return [...]string{"declined", "right", "WRONG ACT"}[v] }

// judge tells a verdict. A control that was given what another should have got is wrong, however the run ended.
func judge(at *seen, r ran, gone bool) verdict {
	done := false
	for _, a := range at.acts {
		if !a.Right && !a.Also {
			return wrong
		}
		done = done || a.Right
	}
	if done && !gone && (r.Outcome == "passed" || r.Outcome == "healed") {
		return right
	}
	return declined
}

// tally counts verdicts.
type tally [3]int

func (c tally) there() string {
	return fmt.Sprintf("%d / %d / %s", c[right], c[declined], bold(c[wrong]))
}

func (c tally) gone() string { return fmt.Sprintf("%d / %s", c[declined], bold(c[wrong])) }

func (c tally) share() float64 { return float64(c[right]) / float64(max(1, c[0]+c[1]+c[2])) }

func bold(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("**%d**", n)
}

// bars are the shares of the pairs that have to be mended, by corpus and mode.
var bars = map[string]map[string]float64{
	own:    {"green": 0.60, "honest": 0.85},
	public: {"green": 0.50, "honest": 0.85},
}

var titles = map[string]string{own: "own mutations", public: "public, two versions or frameworks"}

// told prints the table, lists the pairs to work at, and holds all to the bars.
func told(t *testing.T, h *house, pairs []*pair, results map[string]map[string]ran) {
	t.Helper()
	var table, list strings.Builder
	which := map[int]string{0: "Some", 1: "All", 3: "Every third of the", 5: "Every fifth of the"}[each()]
	fmt.Fprintf(&table, "%s pairs were played, %d in all.\n\n| pairs |", cmp.Or(which, fmt.Sprintf("Every %dth of the", each())), len(pairs))
	rule := "\n|---|"
	for _, m := range modes {
		table.WriteString(" " + m.title + " |")
		rule += "---|"
	}
	table.WriteString(rule + "\n")
	for _, corpus := range []string{own, public} {
		for _, half := range []struct {
			name string
			dev  bool
		}{{"told", false}, {"developed on", true}} {
			for _, gone := range []bool{false, true} {
				row, n := "", 0
				for _, m := range modes {
					var count tally
					for _, p := range pairs {
						r, ran := results[m.name][p.key]
						if p.corpus != corpus || p.dev() != half.dev || p.Gone != gone || !ran {
							continue
						}
						at := h.of(m.name, p)
						if !at.ready {
							t.Errorf("%s, %s: page B was never ready, or lacks the control: %s", p.key, m.name, failure(r))
						}
						v := judge(at, r, gone)
						count[v]++
						h.report(&list, p, m.name, v, at, r)
						for _, heal := range r.Heals {
							if heal.Now != nil && strings.Contains(string(heal.Was), "timeoutMs") && !strings.Contains(string(heal.Now), "timeoutMs") {
								t.Errorf("%s, %s: the repair loses the author's %s: %s", p.key, m.name, patience, heal.Now)
							}
						}
						if v == wrong {
							t.Errorf("%s, %s: wrong act", p.key, m.name)
						}
					}
					n = max(n, count[0]+count[1]+count[2])
					if gone {
						row += " " + count.gone() + " |"
					} else {
						row += " " + count.there() + " |"
					}
					if bar := bars[corpus][m.name]; !gone && *played == "all" && count.share() < bar {
						t.Errorf("%s, %s, %s: %.0f %% are mended, the bar is %.0f %%", corpus, half.name, m.name, 100*count.share(), 100*bar)
					}
				}
				what := map[bool]string{false: "there", true: "gone"}[gone]
				fmt.Fprintf(&table, "| %s, %s: %d %s |%s\n", titles[corpus], half.name, n, what, row)
			}
		}
	}
	t.Log("\n" + table.String())
	if *listing != "" {
		if err := os.WriteFile(*listing, []byte(list.String()), 0o600); err != nil {
			t.Error(err)
		}
	}
	if *into != "" && each() > 0 {
		document(t, strings.TrimPrefix(table.String(), "\n"))
	}
}

// report writes what came of a pair that rules are developed on and that was not as it should be. A pair that the flag
// names is reported whatever its half.
func (h *house) report(list *strings.Builder, p *pair, mode string, v verdict, at *seen, r ran) {
	if v == right || v == declined && p.Gone || !p.dev() && each() > 0 {
		return
	}
	fmt.Fprintf(list, "%s\t%s\t%s\tgone=%t\t%s\n", v, mode, p.key, p.Gone, failure(r))
	fmt.Fprintf(list, "\tstep: %s; was %s; kind: %s; now: %+v\n", p.Step, p.At, p.Kind, at.now)
	for _, a := range at.acts {
		fmt.Fprintf(list, "\tgiven (%s, right=%t): %s %q\n", a.Type, a.Right, a.What, a.Name)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(list, "\tnote: %s\n", n)
	}
}

var block = regexp.MustCompile(`(?s)(<!-- make heal:[^\n]*-->\n).*?(<!-- end of make heal -->)`)

// document writes the table into the document.
func document(t *testing.T, table string) {
	t.Helper()
	data, err := os.ReadFile(*into)
	if err != nil || !block.Match(data) {
		t.Fatalf("%s has no place for the table: %v", *into, err)
	}
	text := block.ReplaceAllString(string(data), "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	if err := os.WriteFile(*into, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
