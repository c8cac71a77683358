package llm

import (
	"errors"
	"io"
	"net/http"
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
			"event: content_block_start\ndata: " +
			"{\"type\":\"content_block_start\",\"index\":-7,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\"}}\n\n" +
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":9,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"[1\"}}\n\n" +
			"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\nevent: message_stop\n" +
			"data: {\"type\":\"message_stop\"}\n\n",
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"},{\"functionCall\":{\"name\":\"n\",\"args\":[]}}]},\"finishReason\":\"STOP\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\"}}\n\nevent: " +
			"message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{}}]},\"finishReason\":\"STOP\"}]}\n\n",
		"data: null\n\n", "data: []\n\n", "data\n\n", ":\n\n", "event\ndata:\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		for _, wire := range []string{OpenAI, Anthropic, Google} {
			said := 0
			m := over(t, wire, stream)
			r, err := m.Generate(t.Context(), Request{}, func(s string) { said += len(s) })
			if err != nil {
				if _, is := errors.AsType[*fault.Error](err); !is {
					t.Errorf("%s: %T %v says no kind", wire, err, err)
				}
				continue
			}
			if len(r.Calls) > maxCalls || len(r.Text) > 3*len(stream) || r.Text != "" && said != len(r.Text) || r.Stop == "" {
				t.Errorf("%s: %d calls, a text of %d bytes of which %d were told, stop %q", wire, len(r.Calls), len(r.Text), said, r.Stop)
			}
			for _, c := range r.Calls {
				if c.ID == "" || len(c.Args) == 0 {
					t.Errorf("%s: a call without id or arguments: %+v", wire, c)
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

// carrier answers every request with one text.
type carrier string

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(string(c)))}, nil
}

// over is a model whose provider answers with stream, once.
func over(t *testing.T, provider, stream string) Model {
	t.Helper()
	m, err := New(Settings{Provider: provider, Model: "m", Key: "test-key"})
	if err != nil {
		t.Fatal(err)
	}
	var w *wire
	switch m := m.(type) {
	case *openAI:
		w = m.w
	case *claude:
		w = m.w
	case *gemini:
		w = m.w
	}
	w.via, w.tries = carrier(stream), 1
	return m
}
