package heal

import (
	"regexp"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm/llmtest"
)

var (
	keyOf   = regexp.MustCompile(`/k/([a-z0-9-]+)/`)
	anAct   = regexp.MustCompile(`(?m)^\d+\. (?:web_|mobile_)?(click|type|tap|selectOption|setChecked)\w* `)
	element = regexp.MustCompile(`([a-z]+|-) ("(?:[^"\\]|\\.)*")? ?(?:\[[^]]*\] )?(e\d+)`)
)

// model answers every question of healing about the page of a pair: an honest one by the truth that the page's server has,
// a lying one by another control, which it then says is the right one.
func (s *server) model(lies bool) func(llmtest.Question) llmtest.Turn {
	return func(q llmtest.Question) llmtest.Turn {
		says := func(status, answer string) llmtest.Turn {
			return llmtest.Call("objectiveStatus", map[string]any{"status": status, "explanation": "It does the same thing.", "answer": answer})
		}
		keys := keyOf.FindAllStringSubmatch(q.Text(), -1)
		if keys == nil || s.pairs[keys[len(keys)-1][1]] == nil {
			return says("FAILED", "none")
		}
		p := s.pairs[keys[len(keys)-1][1]]
		s.mu.Lock()
		known := *s.at(s.mode, p.key)
		s.mu.Unlock()
		asked := strings.Contains(q.Text(), "can no longer find its element") // it may look and not act
		ref := refOf(q.Screen(), known.now)
		if lies {
			ref = lie(q.Screen(), &known, ref)
		}
		switch {
		case ref == "" && asked:
			return says("COMPLETED", "none")
		case asked:
			return says("COMPLETED", ref)
		case strings.Contains(q.Screen(), "Received"):
			return says("COMPLETED", "")
		case ref == "" || len(anAct.FindAllString(q.Text(), -1)) > 3:
			return says("FAILED", "none")
		}
		if way := refOf(q.Screen(), known.also); way != "" && !lies && strings.Contains(q.Text(), " is covered by ") {
			return llmtest.Call("web_click", map[string]any{"ref": way})
		}
		return p.deed(ref)
	}
}

// deed is the call that does what the pair is about.
func (p *pair) deed(ref string) llmtest.Turn {
	switch p.Do {
	case "type":
		return llmtest.Call("web_type", map[string]any{"ref": ref, "text": p.Text})
	case "check":
		return llmtest.Call("web_setChecked", map[string]any{"ref": ref, "checked": true})
	case "select":
		return llmtest.Call("web_selectOption", map[string]any{"ref": ref, "values": []string{p.Text}})
	}
	return llmtest.Call("web_click", map[string]any{"ref": ref})
}

// refOf is the ref of the control on a screen.
func refOf(screen string, f *facts) string {
	if f == nil {
		return ""
	}
	n, last := f.Nth, ""
	for line := range strings.SplitSeq(screen, "\n") {
		for _, m := range element.FindAllStringSubmatch(line, -1) {
			name := strings.Trim(m[2], `"`)
			if f.Role != "" && m[1] != f.Role && !(f.Role == "textbox" && m[1] == "searchbox") || !sameName(name, f.Name) {
				continue
			}
			if last = m[3]; n <= 0 {
				return last
			}
			n--
		}
	}
	return last
}

func sameName(a, b string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	return plain(a) == plain(b)
}

// lie returns the ref of a wrong element: the one that the pair names, or the first other control of its role, or of any.
func lie(screen string, known *seen, right string) string {
	if ref := refOf(screen, known.lie); ref != "" {
		return ref
	}
	role := "button"
	if known.now != nil {
		role = known.now.Role
	}
	other := ""
	for _, m := range element.FindAllStringSubmatch(screen, -1) {
		switch {
		case m[3] == right:
		case m[1] == role:
			return m[3]
		case other == "" && (m[1] == "button" || m[1] == "link" || m[1] == "textbox"):
			other = m[3]
		}
	}
	return other
}
