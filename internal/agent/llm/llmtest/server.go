// Package llmtest replaces the language model that costs money, at the wire: a server with scripted answers that
// speaks the chat completions of OpenAI, the messages of Anthropic and the streamed generateContent of Google, as
// server-sent events. All else that a test runs is the real thing. It can overload, refuse, cut its answer off, send
// garbage and hang. A Server is safe for concurrent use.
//
//	s := llmtest.Start(llmtest.Call("web_click", map[string]any{"ref": "e7"}), llmtest.Say("done"))
//	defer s.Close()
//	m, err := llm.New(s.Settings(llm.Anthropic))
package llmtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
)

// Say is an answer in words.
func Say(text string) Turn { return Turn{Text: text} }

// Call is an answer that calls a tool.
func Call(name string, args any) Turn {
	raw, _ := json.Marshal(args) // a script is written by hand; what is no JSON gives no arguments
	return Turn{Calls: []llm.Call{{ID: "call_" + name, Name: name, Args: raw}}}
}

// And is an answer that makes the calls of both.
func (t Turn) And(o Turn) Turn {
	for i := range o.Calls {
		o.Calls[i].ID += fmt.Sprintf("_%d", len(t.Calls)+i)
	}
	t.Calls = append(t.Calls, o.Calls...)
	return t
}

// Question is a request as the server got it.
type Question struct {
	Wire   string // openai, anthropic, google
	Header http.Header
	Body   string // JSON
	N      int    // from 1, of all questions; of those to the judge apart
}

// Has reports whether the question has a text.
func (q Question) Has(text string) bool { return strings.Contains(q.Text(), text) }

// Text is the body with its line ends and quotes as the model reads them.
func (q Question) Text() string {
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(q.Body)
}

// Screen is the screen that the question shows: the last one in it.
func (q Question) Screen() string {
	text := q.Text()
	if at := strings.LastIndex(text, "The screen now:"); at >= 0 {
		text = text[at:]
	}
	text, _, _ = strings.Cut(text, "\n<<end ")
	return text
}

// Ref is the ref in the first line of the screen that has all of these words, "" when there is none. It is how a
// script points at an element.
func (q Question) Ref(words ...string) string { return refIn(q.Screen(), words) }

// RefAfter is Ref below the first line that has the text after.
func (q Question) RefAfter(after string, words ...string) string {
	_, rest, _ := strings.Cut(q.Screen(), after)
	return refIn(rest, words)
}

var ref = regexp.MustCompile(`\s(e\d+)(?:\s|$)`)

func refIn(text string, words []string) string {
	for line := range strings.SplitSeq(text, "\n") {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if m := ref.FindStringSubmatch(line); all && m != nil {
			return m[1]
		}
	}
	return ""
}

// Server answers by its script.
type Server struct {
	URL string
	srv *httptest.Server

	mu     sync.Mutex
	policy func(Question) Turn
	judge  func(Question) Turn
	asked  []Question
	judged []Question
	closed chan struct{}
}

// Start starts a server that gives these answers in order, and the last of them from then on.
func Start(turns ...Turn) *Server {
	return StartPolicy(func(q Question) Turn {
		if len(turns) == 0 {
			return Say("")
		}
		return turns[min(q.N, len(turns))-1]
	})
}

// StartPolicy starts a server that answers by a function.
func StartPolicy(policy func(Question) Turn) *Server {
	s := &Server{policy: policy, judge: Agree, closed: make(chan struct{})}
	s.srv = httptest.NewServer(s)
	s.URL = s.srv.URL
	return s
}

// Answer changes the function that answers.
func (s *Server) Answer(policy func(Question) Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = policy
}

// Judge changes the function that answers the judge of checks and steps, at first Agree. Its questions are apart from
// the others: they have their own numbers, and Asked does not have them.
func (s *Server) Judge(policy func(Question) Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judge = policy
}

// Judged are the questions to the judge so far.
func (s *Server) Judged() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Question(nil), s.judged...)
}

// Rule is an answer of the judge: holds, does not hold, or unsure.
func Rule(ruling, why string) Turn {
	return Call("judge", map[string]string{"ruling": ruling, "why": why})
}

// ForJudge says whether a question is one to the judge.
func (q Question) ForJudge() bool { return q.Has("Judge this ") }

// Agree is the judge of a test that is about something else: of a statement it goes by the assertions. A step may fail
// one, to show that nothing is to be done.
func Agree(q Question) Turn {
	if q.Has("-> failed: ") && !q.Has("Judge this step: ") {
		return Rule("does not", "An assertion failed.")
	}
	return Rule("holds", "The results show it.")
}

// Close ends the server; hanging answers end first.
func (s *Server) Close() {
	close(s.closed)
	s.srv.Close()
}

// Asked are the questions so far.
func (s *Server) Asked() []Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Question(nil), s.asked...)
}

// Settings are those of a model behind this server that speaks the wire of a provider.
func (s *Server) Settings(provider string) llm.Settings {
	base := s.URL
	switch provider {
	case llm.Google:
		base += "/v1beta"
	case llm.Anthropic:
	default:
		base += "/v1"
	}
	return llm.Settings{Provider: provider, Model: "scripted", Key: "test-key", BaseURL: base}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	q := Question{Header: r.Header, Body: string(body)}
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		q.Wire = llm.OpenAI
	case strings.HasSuffix(r.URL.Path, "/v1/messages"):
		q.Wire = llm.Anthropic
	case strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		q.Wire = llm.Google
	default:
		http.Error(w, `{"error":{"message":"no such path"}}`, http.StatusNotFound)
		return
	}
	s.mu.Lock()
	policy, asked := s.policy, &s.asked
	if q.ForJudge() {
		policy, asked = s.judge, &s.judged
	}
	q.N = len(*asked) + 1
	*asked = append(*asked, q)
	s.mu.Unlock()
	s.answer(w, r, q, policy(q))
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, q Question, t Turn) {
	if t.Status != 0 {
		if t.Retry != "" {
			w.Header().Set("Retry-After", t.Retry)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(t.Status)
		_, _ = fmt.Fprintf(w, `{"type":"error","error":{"type":"overloaded_error","code":%q,"message":%q}}`,
			t.Code, cmp.Or(t.Text, fmt.Sprintf("scripted status %d", t.Status)))
		return
	}
	if t.OneDocument {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]func(Turn) any{llm.OpenAI: completion, llm.Anthropic: message,
			llm.Google: candidates}[q.Wire](t))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	f := http.NewResponseController(w)
	send := func(e string) {
		_, _ = io.WriteString(w, e)
		_ = f.Flush()
	}
	events := map[string]func(Turn) []string{llm.OpenAI: openAI, llm.Anthropic: anthropic, llm.Google: google}[q.Wire](t)
	switch {
	case t.Garbage:
		send("data: <html>502 Bad Gateway</html>\n\n")
	case t.Hang:
		send(events[0])
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
	case t.Cut:
		for _, e := range events[:len(events)/2] {
			send(e)
		}
		if conn, _, err := f.Hijack(); err == nil { // an answer without its last chunk
			_ = conn.Close()
		}
	case t.Huge:
		for range 4096 {
			if r.Context().Err() != nil {
				return
			}
			send(events[0])
			send(": " + strings.Repeat("x", 8<<10) + "\n\n")
		}
	default:
		for _, e := range events {
			send(e)
		}
	}
}
