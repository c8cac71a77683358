package shell

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// TestCallOfAHungDaemon: a call does not wait for a daemon that gives no sign of life, and says which process that
// is. One that is only busy with a long call answers beside it, and is waited for.
func TestCallOfAHungDaemon(t *testing.T) {
	hang := make(chan struct{})
	l := served(t, func(http.ResponseWriter, *http.Request) { <-hang }).(linked).Daemon
	defer close(hang)
	l.Boot.PID = 4711
	ctx, ended := l.Attend(t.Context(), time.Millisecond, time.Millisecond)
	_, err := Tools(l).CallTool(ctx, &pb.CallToolRequest{})
	err = ended(RequestError(ctx, l, err))
	if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "4711") || !strings.Contains(err.Error(), "not known") {
		t.Errorf("hung: %v", err)
	}

	answer, asked := make(chan struct{}), make(chan struct{}, 100)
	busy := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/ping" {
			select {
			case asked <- struct{}{}:
			default:
			}
			_, _ = w.Write([]byte("{}"))
			return
		}
		<-answer
		w.Header().Set("Content-Type", "application/proto")
	}).(linked).Daemon
	go func() { <-asked; <-asked; close(answer) }()
	ctx, ended = busy.Attend(t.Context(), time.Millisecond, time.Minute)
	_, err = Tools(busy).CallTool(ctx, &pb.CallToolRequest{})
	if err := ended(RequestError(ctx, busy, err)); err != nil {
		t.Errorf("busy: %v", err)
	}
}
