package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// TestEventStream: ten subscribers, one of which does not read and several of which lose their connection on the way,
// get each of 5,000 events once and in order. The writer of the events waits for none of them.
func TestEventStream(t *testing.T) {
	d := open(t, hub.Options{})
	c := trailblazev1connect.NewToolServiceClient(d.client, d.url)
	r, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "demo_echo", Options: &pb.CallOptions{Workspace: d.rig.Workspace}})
	if err != nil {
		t.Fatal(err)
	}
	id := r.GetCall().GetSessionId()
	running, ok := d.rig.SessionByID(id)
	if !ok {
		t.Fatalf("no session %q", id)
	}
	const many = 5000
	filler := strings.Repeat("x", 200)
	written := make(chan struct{}) // the slow subscriber reads its second event only then
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			via := d.http2Client()
			s := subscriber{session: id, want: many}
			if i == 0 { // the server can write no more to it than it has room for, a twentieth of all
				via.Transport.(*http.Transport).HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10}
				s.pause = written
			}
			s.client = trailblazev1connect.NewSessionServiceClient(via, d.url)
			if i%3 == 1 {
				s.drop = 700
			}
			if err := s.read(ctx); err != nil {
				t.Errorf("subscriber %d: %v", i, err)
			}
		})
	}
	for i := range many {
		if _, err := running.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Text: fmt.Sprint(i, filler)}}); err != nil {
			t.Fatal(err)
		}
	}
	// A call while the slow subscriber holds its stream is carried out all the same.
	if _, err := c.CallTool(ctx, &pb.CallToolRequest{Name: "demo_echo", Options: &pb.CallOptions{Workspace: d.rig.Workspace}}); err != nil {
		t.Error(err)
	}
	close(written)
	waittest.Join(t, all.Wait, "all subscribers have read")
}

// subscriber reads events and checks that none is lost or doubled.
type subscriber struct {
	client  trailblazev1connect.SessionServiceClient
	session string
	want    int64
	drop    int             // events after which it drops its connection; 0: never
	pause   <-chan struct{} // it waits for this after its first event
	last    int64
}

func (s *subscriber) read(ctx context.Context) error {
	for s.last < s.want {
		if err := s.connection(ctx); err != nil {
			return fmt.Errorf("after event %d: %w", s.last, err)
		}
	}
	return nil
}

// connection reads over one connection, and goes on where the last one ended.
func (s *subscriber) connection(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := s.client.WatchEvents(ctx, &pb.WatchEventsRequest{SessionId: s.session, After: s.last})
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	for n := 1; stream.Receive(); n++ {
		e := stream.Msg().GetEvent()
		if e.GetSeq() != s.last+1 || e.GetType() == "" || e.GetData() == nil {
			return fmt.Errorf("event %d came after %d", e.GetSeq(), s.last)
		}
		if s.last = e.GetSeq(); s.last >= s.want {
			return nil
		}
		if s.pause != nil && n == 1 {
			select {
			case <-s.pause:
			case <-ctx.Done():
			}
		}
		if n == s.drop {
			return nil
		}
	}
	return errors.Join(stream.Err(), ctx.Err())
}

// TestEventStreamEnds: the stream ends with its session, and a session that has ended is read like one that runs.
func TestEventStreamEnds(t *testing.T) {
	d := open(t, hub.Options{})
	options := &pb.CallOptions{Workspace: d.rig.Workspace}
	c := trailblazev1connect.NewToolServiceClient(d.client, d.url)
	r, err := c.CallTool(t.Context(), &pb.CallToolRequest{Name: "demo_echo", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	s := trailblazev1connect.NewSessionServiceClient(d.client, d.url)
	id := r.GetCall().GetSessionId()
	client, _ := d.rig.Lookup(r.GetCall().GetClientId())
	listed, err := s.ListSessions(t.Context(), &pb.ListSessionsRequest{})
	if err != nil || len(listed.GetSessions()) != 1 || listed.GetSessions()[0].GetSessionId() != id {
		t.Errorf("%v %v", listed, err)
	}
	if m, err := s.GetMemory(t.Context(), &pb.GetMemoryRequest{SessionId: id}); err != nil || m.GetValues() == nil {
		t.Errorf("%v %v", m, err)
	}
	read := func() (types []string) {
		stream, err := s.WatchEvents(t.Context(), &pb.WatchEventsRequest{SessionId: id})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = stream.Close() }()
		for stream.Receive() {
			if types = append(types, stream.Msg().GetEvent().GetType()); len(types) == 1 {
				_, _ = d.rig.StopSession(t.Context(), client, id) // the second time there is none to end
			}
		}
		if err := stream.Err(); err != nil {
			t.Error(err)
		}
		return types
	}
	for range 2 {
		if types := read(); len(types) < 3 || types[0] != "session_started" || types[len(types)-1] != "session_ended" {
			t.Errorf("%v", types)
		}
	}
	for _, none := range []string{"../etc", "2026_never_was"} {
		stream, err := s.WatchEvents(t.Context(), &pb.WatchEventsRequest{SessionId: none})
		if err == nil {
			stream.Receive()
			err = stream.Err()
		}
		if f := failureIn(t, err); f.GetKind() != "not_found" || f.GetHint() == "" {
			t.Errorf("%s: %v", none, err)
		}
	}
}
