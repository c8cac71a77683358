package callback

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
)

// guest is a request that has not shown yet that it is of a tool server. It is kept in the context, beside the call.
type guest struct {
	conn net.Conn // nil behind the daemon, which has its own check
	w    http.ResponseWriter
}

type guestKey struct{}

// arrive limits the time for the body of a request, and notes whose it is.
func (s *Server) arrive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g := &guest{w: w, conn: listen.ConnOf(r.Context())}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), guestKey{}, g)))
	})
}

// admit is for a request that names a call: while it is carried out its connection stays. leave ends the connection of
// one that has named no call in flight.
func (s *Server) admit(ctx context.Context) (leave func(err error)) {
	g, ok := ctx.Value(guestKey{}).(*guest)
	if !ok || g.conn == nil {
		return func(error) {}
	}
	listen.Admit(g.conn)
	_ = http.NewResponseController(g.w).SetReadDeadline(time.Time{}) // its end would end the call
	return func(err error) {
		var c coded
		if errors.As(err, &c) {
			g.w.Header().Set("Connection", "close")
		}
	}
}

func (s *Server) listen() error {
	l, err := listen.TCP(context.Background(), 0)
	if err != nil {
		return err
	}
	l.Warn, l.Bounded = func(err error) { s.o.Log.Warn("accept a callback", "error", err) }, true
	s.listener = l
	mux := http.NewServeMux()
	mux.Handle(Path, s.Handler())
	if s.o.Services != nil {
		mux.Handle("/", s.services())
	}
	s.server = &http.Server{
		Handler: auth.Open(s.arrive(mux)), ReadHeaderTimeout: listen.HeaderTime, IdleTimeout: listen.IdleTime,
		MaxHeaderBytes: 64 << 10, ConnContext: listen.WithConn,
		DisableGeneralOptionsHandler: true, ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn),
	}
	s.serving.Go(func() {
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.o.Log.Error("the callback listener ended", "error", err)
		}
	})
	s.url = "http://" + l.Addr().String()
	return nil
}
