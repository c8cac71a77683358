package demo

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

//go:embed site
var site embed.FS

// How long the shop lets its visitors wait, so that spinners spin.
const (
	listDelay   = 250 * time.Millisecond
	reviewDelay = 400 * time.Millisecond
	orderDelay  = 300 * time.Millisecond
)

// Shop is a running sample shop and the bank whose payment form it embeds.
type Shop struct {
	URL  string // of the shop, "http://127.0.0.1:port"
	Bank string // of the bank: another site, so that its frame has a process of its own

	servers []*http.Server
	running sync.WaitGroup
	once    sync.Once
	err     error
}

// Serve starts the shop on free loopback ports. It runs until Close, or until ctx ends.
func Serve(ctx context.Context) (*Shop, error) {
	front, err := openPort(ctx)
	if err != nil {
		return nil, err
	}
	till, err := openPort(ctx)
	if err != nil {
		return nil, errors.Join(err, front.Close())
	}
	_, port, err := net.SplitHostPort(till.Addr().String())
	if err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Internal, "serve demo shop"), front.Close(), till.Close())
	}
	s := &Shop{URL: "http://" + front.Addr().String(), Bank: "http://localhost:" + port}
	s.serve(ctx, front, s.shopHandler())
	s.serve(ctx, till, s.bankHandler())
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

func openPort(ctx context.Context) (net.Listener, error) {
	l, err := listen.TCP(ctx, 0)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "serve demo shop")
	}
	return l, nil
}

func (s *Shop) serve(ctx context.Context, l net.Listener, h http.Handler) {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	s.servers = append(s.servers, srv)
	s.running.Go(func() { _ = srv.Serve(l) })
}

// Close stops both servers and waits for them. It is idempotent.
func (s *Shop) Close() error {
	s.once.Do(func() {
		var errs []error
		for _, srv := range s.servers {
			errs = append(errs, srv.Close())
		}
		s.running.Wait()
		s.err = fault.Wrap(errors.Join(errs...), fault.Internal, "stop demo shop")
	})
	return s.err
}

// static serves the scripts, styles and drawings.
func static() http.Handler {
	sub, err := fs.Sub(site, "site/static")
	if err != nil {
		return http.NotFoundHandler()
	}
	files := http.StripPrefix("/static/", http.FileServerFS(sub))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
}

// pause lets a visitor wait d, or until they go away.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
