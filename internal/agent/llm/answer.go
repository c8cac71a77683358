package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// maxCalls bounds the calls of one answer.
const maxCalls = 64

// answering gathers an answer from its pieces. It is for one attempt.
type answering struct {
	say      func(string)
	streamed bool // somebody has read along
	words    strings.Builder
	calls    []Call
	index    map[int64]int // of a call in the stream -> in calls
	stop     Stop          // "": the answer is not whole
	refused  bool
	inWords  bool // the model was told to write its calls as text
	model    string
	usage    Usage
}

// begins takes in a call.
func (a *answering) begins(c Call) error {
	if len(a.calls) >= maxCalls {
		return fault.New(fault.Degraded, op, "the model asked for more than %d calls at once", maxCalls)
	}
	a.calls = append(a.calls, c)
	return nil
}

// at takes in a call of which pieces follow under an index of the stream.
func (a *answering) at(index int64, c Call) error {
	if a.index == nil {
		a.index = map[int64]int{}
	}
	a.index[index] = len(a.calls)
	return a.begins(c)
}

// of is the call that an index of the stream means, nil when there is none.
func (a *answering) of(index int64) *Call {
	if at, ok := a.index[index]; ok && at < len(a.calls) {
		return &a.calls[at]
	}
	return nil
}

// ends takes in why an answer ended, in the words of all wires; "" is not yet.
func (a *answering) ends(reason string) {
	switch reason {
	case "":
	case "length", "max_tokens", "model_context_window_exceeded", "MAX_TOKENS":
		a.stop = Cut
	case "stop", "tool_calls", "function_call", "end_turn", "tool_use", "stop_sequence", "pause_turn", "STOP":
		a.stop = Ended
	default: // a filter of the provider, or the model itself
		a.stop = Refused
	}
}

func (a *answering) text(s string) {
	if s == "" {
		return
	}
	a.words.WriteString(s)
	if a.say != nil {
		a.streamed = true
		a.say(s)
	}
}

// response is the answer when it is whole. Calls of the offered tools that the model wrote into its text are calls.
func (a *answering) response(model string, offered []Tool) *Response {
	if len(a.calls) == 0 && a.stop == Ended && !a.refused && len(offered) > 0 {
		calls := callsIn(a.words.String())
		known := slices.ContainsFunc(calls, func(c Call) bool { return has(offered, c.Name) })
		if known || a.inWords && len(calls) > 0 {
			a.calls = calls
			a.words.Reset()
		}
	}
	r := &Response{Text: a.words.String(), Calls: a.calls, Stop: a.stop, Model: model, Usage: a.usage}
	if a.model != "" {
		r.Model = a.model
	}
	r.Usage.Calls = 1
	for i := range r.Calls {
		if len(r.Calls[i].Args) == 0 {
			r.Calls[i].Args = json.RawMessage("{}")
		}
		if r.Calls[i].ID == "" {
			r.Calls[i].ID = "call_" + string(rune('a'+i%26))
		}
	}
	switch {
	case a.refused:
		r.Stop = Refused
	case r.Stop == Ended && len(r.Calls) > 0:
		r.Stop = Calling
	}
	return r
}

func has(tools []Tool, name string) bool {
	return slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == name })
}

// offered are the tools that the model may call.
func (r Request) offered() []Tool {
	if r.Choice == None {
		return nil
	}
	return r.Tools
}

func (r Request) limit() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return 4096
}

func (r Request) choice() Choice {
	if r.Choice == "" {
		return Auto
	}
	return r.Choice
}

// object is raw, or an empty object when raw is none: providers refuse other arguments.
func object(raw json.RawMessage) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return json.RawMessage("{}")
	}
	return raw
}
