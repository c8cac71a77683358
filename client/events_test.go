package client

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/fault"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// losing streams five events, and breaks the connection off after the third as often as it is told to.
type losing struct {
	trailblazev1connect.UnimplementedSessionServiceHandler

	mu     sync.Mutex // the handler of a connection that was lost may still run when the next one is asked
	losses int
	asked  []*pb.WatchEventsRequest
}

// loses reports whether the connection is to break off now.
func (l *losing) loses() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losses--
	return l.losses >= 0
}

func (l *losing) WatchEvents(_ context.Context, r *pb.WatchEventsRequest, s *connect.ServerStream[pb.WatchEventsResponse]) error {
	l.mu.Lock()
	l.asked = append(l.asked, r)
	l.mu.Unlock()
	for seq := r.GetAfter() + 1; seq <= 5; seq++ {
		if seq == 4 && l.loses() {
			panic(http.ErrAbortHandler)
		}
		if err := s.Send(&pb.WatchEventsResponse{Event: &pb.Event{Seq: seq}}); err != nil {
			return err
		}
	}
	return nil
}

// R44: the stream of events goes on after the last one that came when its connection is lost: none is missing, and none
// comes twice. It goes to the daemon that there is then. A second loss with no event between is an error.
func TestEventsGoOn(t *testing.T) {
	read := func(tb *Client, from *pb.WatchEventsRequest, most int) (seen []int64, err error) {
		for e, failed := range tb.Events(t.Context(), from) {
			if failed != nil {
				return seen, failed
			}
			if seen = append(seen, e.GetSeq()); len(seen) == most {
				break
			}
		}
		return seen, nil
	}
	for _, c := range []struct {
		name   string
		losses int
		from   *pb.WatchEventsRequest
		most   int
		want   []int64
		fails  bool
	}{
		{"no loss", 0, nil, 9, []int64{1, 2, 3, 4, 5}, false},
		{"one loss", 1, nil, 9, []int64{1, 2, 3, 4, 5}, false},
		{"from the second on", 1, &pb.WatchEventsRequest{SessionId: "other", After: 1}, 9, []int64{2, 3, 4, 5}, false},
		{"the reader leaves", 0, nil, 2, []int64{1, 2}, false},
		{"lost for good", 9, &pb.WatchEventsRequest{After: 3}, 9, nil, true},
	} {
		server, found := &losing{losses: c.losses}, 0
		_, handler := trailblazev1connect.NewSessionServiceHandler(server)
		srv := httptest.NewServer(handler)
		next := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == trailblazev1connect.SessionServiceWatchEventsProcedure {
				found++
			}
			handler.ServeHTTP(w, r)
		}))
		tb := New(Options{URL: srv.URL, Session: "own"})
		tb.dialed = &Options{URL: next.URL} // where the daemon is found when it is looked for again
		got, err := read(tb, c.from, c.most)
		srv.Close() // and with it every handler
		next.Close()
		if !slices.Equal(got, c.want) || (err != nil) != c.fails {
			t.Errorf("%s: %v %v, want %v", c.name, got, err, c.want)
		}
		if c.losses > 0 && found != 1 {
			t.Errorf("%s: the next daemon was asked %d times", c.name, found)
		}
		if session := server.asked[0].GetSessionId(); session != cmp.Or(c.from.GetSessionId(), "own") {
			t.Errorf("%s: session %s", c.name, session)
		}
		if c.fails && (fault.KindOf(err) != fault.Unavailable || fault.HintOf(err) == "") {
			t.Errorf("%s: %v, hint %q", c.name, err, fault.HintOf(err))
		}
	}
}
