package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
)

// slow is a model that answers with its name after a time, a few questions long.
func slow(name string, after time.Duration, questions int) llm.Model {
	return llm.Sampled(name, false, func(ctx context.Context, _ llm.Request) (*llm.Sample, error) {
		if questions--; questions < 0 {
			return nil, llm.ErrEnough
		}
		select {
		case <-time.After(after):
			return &llm.Sample{Text: name}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

// TestRelay: a question waits for a model that can be asked, and goes to the next when that one has had enough; who leaves
// waits for the answer under way; at the end, and when nobody comes, questions fail with the reason.
func TestRelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := llm.NewRelay("relay", time.Minute)
		ask := func(ctx context.Context) chan string {
			out := make(chan string, 1)
			go func() {
				res, err := l.Generate(ctx, llm.Request{Messages: []llm.Message{llm.User("?")}}, nil)
				if err != nil {
					out <- err.Error() + " " + string(fault.KindOf(err))
					return
				}
				out <- res.Text
			}()
			return out
		}
		says := func(got <-chan string, want string) {
			t.Helper()
			if text := <-got; !strings.Contains(text, want) {
				t.Errorf("the question gave %q, want %q", text, want)
			}
		}
		first := ask(t.Context())
		synctest.Wait()
		_, leave := l.Attend(slow("a", time.Second, 1))
		says(first, "a")
		leave()

		enough, leaveA := l.Attend(slow("a", time.Second, 1))
		_, leaveB := l.Attend(slow("b", time.Hour, 1))
		says(ask(t.Context()), "a")
		second, began := ask(t.Context()), time.Now()
		<-enough
		leaveA()
		leaveB()
		if d := time.Since(began); d != time.Hour {
			t.Errorf("it left after %s", d)
		}
		says(second, "b")

		began = time.Now()
		says(ask(t.Context()), "no call of the client came within 1m0s to carry the question to its model timeout")
		if d := time.Since(began); d != time.Minute {
			t.Errorf("nobody came for %s", d)
		}
		ctx, cancel := context.WithCancel(t.Context())
		third := ask(ctx)
		cancel()
		says(third, "canceled")
		fourth := ask(t.Context())
		synctest.Wait()
		l.End(errors.New("it is over"))
		says(fourth, "it is over")
		says(ask(t.Context()), "it is over")
	})
}
