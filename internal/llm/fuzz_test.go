package llm

import (
	"errors"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// FuzzAnswers: whatever a provider streams, an answer is whole, bounded and has an id and arguments for each call, or it
// is an error that says what is wrong. Garbled names and arguments are told to the model: internal/agent tests that.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"id\":\"x\",\"function\":{\"name\":\"n\",\"arguments\":\"{\"}}]}}]}\n\n" +
			"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m\"}}\n\n" +
			"data: {\"type\":\"content_block_start\",\"index\":-7,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\"}}\n\n" +
			"data: {\"type\":\"content_block_delta\",\"index\":9,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"[1\"}}\n\n" +
			"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"},{\"functionCall\":{\"name\":\"n\",\"args\":[]}}]},\"finishReason\":\"STOP\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{}}]},\"finishReason\":\"STOP\"}]}\n\n",
		"data: null\n\n", "data: []\n\n", "data\n\n", ":\n\n", "event\ndata:\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		said := 0
		open := func() *answering {
			return (&answering{say: func(s string) { said += len(s) }}).anew()
		}
		for name, begin := range map[string]func() (parser, *answering){
			"openai": func() (parser, *answering) { p := &openAIStream{answering: open()}; return p, p.answering },
			"anthropic": func() (parser, *answering) {
				p := &anthropicStream{answering: open(), index: map[int]int{}}
				return p, p.answering
			},
			"gemini": func() (parser, *answering) { p := &geminiStream{answering: open()}; return p, p.answering },
		} {
			said = 0
			p, a := begin()
			if err := readEvents(strings.NewReader(stream), p); err != nil {
				if _, is := errors.AsType[*fault.Error](err); !is && !errors.Is(err, errCut) {
					t.Errorf("%s: %T %v says neither a kind nor that the stream was cut", name, err, err)
				}
				continue
			}
			r := a.response("m")
			if len(r.Calls) > maxCalls || len(r.Text) > len(stream) || said != len(r.Text) || r.Stop == "" {
				t.Errorf("%s: %d calls, a text of %d bytes of which %d were told, stop %q", name, len(r.Calls), len(r.Text), said, r.Stop)
			}
			for _, c := range r.Calls {
				if c.ID == "" || len(c.Args) == 0 {
					t.Errorf("%s: a call without id or arguments: %+v", name, c)
				}
			}
		}
		for _, c := range callsIn(stream) {
			if len(c.Args) == 0 || c.ID == "" {
				t.Errorf("sampled: %+v", c)
			}
		}
	})
}
