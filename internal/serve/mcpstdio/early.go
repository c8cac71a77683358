package mcpstdio

import (
	"context"
	"sync"
	"time"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// earlyList lists the tools of a client that no daemon knows yet, and keeps what was listed, to be compared with the
// list of the daemon (docs/adr/0013-list-before-daemon.md).
type earlyList struct {
	lister func() (Lister, error) // see Options.First; made once
	shown  chan struct{}          // has one word when the client has a list that was made here

	mu     sync.Mutex
	client *pb.OpenClientRequest      // as the first daemon opens it
	over   bool                       // a daemon was told of the client
	asked  *pb.ListListedToolsRequest // the question for the list; nil: nothing was listed
	listed *pb.ListListedToolsResponse
}

// afterList is how long after its list a client is left alone with what it asks for first. A daemon that starts takes
// processors from it, and a client that only looks what there is needs none.
const afterList = 30 * time.Millisecond

// prepare makes the lister, and waits until the client has had its list for a moment. It returns false when ctx ends
// before, and true when a daemon is to be found: at once without a lister.
func (e *earlyList) prepare(ctx context.Context) bool {
	if _, err := e.lister(); err != nil {
		return true
	}
	select {
	case <-e.shown:
	case <-ctx.Done():
		return false
	}
	t := time.NewTimer(afterList)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// name names the client before a daemon is told of it. It returns false when it is too late.
func (e *earlyList) name(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.over {
		e.client.Name = name
	}
	return !e.over
}

// list lists the tools. It returns nil when a daemon must; the question goes there with the client if it can.
func (e *earlyList) list(ctx context.Context, q *pb.ListListedToolsRequest) *pb.ListListedToolsResponse {
	e.mu.Lock()
	over := e.over
	e.mu.Unlock()
	if over {
		return nil
	}
	var list *pb.ListListedToolsResponse
	here, err := e.lister()
	if err == nil {
		list, err = here.ListListedTools(ctx, q)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.over:
		return nil
	case err != nil:
		e.client.List = q
		return nil
	}
	e.asked, e.listed = q, list
	select {
	case e.shown <- struct{}{}:
	default: // it has one already
	}
	return list
}

// end says that a daemon is told of the client from now on.
func (e *earlyList) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
}

// opened keeps the list that came with the answer of the daemon that opened the client.
func (e *earlyList) opened(list *pb.ListListedToolsResponse) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if list != nil {
		e.asked, e.listed = e.client.List, list
	}
	e.client.List = nil
}

// answer returns the list that came for this very question with the client, or nil.
func (e *earlyList) answer(q *pb.ListListedToolsRequest) *pb.ListListedToolsResponse {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked != q {
		return nil
	}
	return e.listed
}

// take returns what was listed before a daemon watched the client, once; the question is nil when nothing was.
func (e *earlyList) take() (asked *pb.ListListedToolsRequest, listed *pb.ListListedToolsResponse) {
	e.mu.Lock()
	defer e.mu.Unlock()
	asked, listed = e.asked, e.listed
	e.asked, e.listed = nil, nil
	return asked, listed
}
