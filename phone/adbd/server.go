package adbd

import (
	"context"
	"crypto/rsa"
	"io"
	"log/slog"
	"net"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// Command is a command line of the host with its streams. Raw is false where the host wants a terminal.
type Command struct {
	Line   string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer // the same as Stdout where the host does not tell them apart
	Raw    bool
}

// Options say what the device is. Run and Folder are required.
type Options struct {
	Port int // of 127.0.0.1; 0 is any free one
	// properties that `adb devices -l` shows: ro.product.name, .model, .device
	Banner map[string]string
	Run    func(ctx context.Context, c Command) int // runs a command line and returns its exit status
	Folder string                                   // the root of the device's files
	Keys   func() []*rsa.PublicKey                  // of the hosts that are let in; nil lets in all
	// connects to a socket of the device, such as "localabstract:x"
	Dial   func(ctx context.Context, name string) (net.Conn, error)
	Reboot func(ctx context.Context, into string) error // nil refuses
	Log    *slog.Logger                                 // nil discards
}

// Server is the listening device.
type Server struct {
	options Options
	listen  *listen.Listener
	log     *slog.Logger
	wait    sync.WaitGroup
	ctx     context.Context // ends with the server
	end     context.CancelFunc

	mu    sync.Mutex
	conns map[*conn]bool
	state State
}

// State is how the device behaves towards hosts.
type State string

// The states of a device.
const (
	Online       State = "online"
	Offline      State = "offline" // takes connections and answers nothing
	Unauthorized State = "unauthorized"
	Gone         State = "gone" // closes each connection
)

// Listen starts the device. Its connections end with ctx.
func Listen(ctx context.Context, o Options) (*Server, error) {
	l, err := listen.TCP(ctx, o.Port)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, listen: l, log: o.Log, conns: map[*conn]bool{}, state: Online}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.ctx, s.end = context.WithCancel(ctx)
	s.wait.Go(s.accept)
	context.AfterFunc(s.ctx, func() { _ = l.Close() })
	return s, nil
}

// Addr is the address for `adb connect`.
func (s *Server) Addr() string { return s.listen.Addr().String() }

// Close ends the connections and waits for what they run.
func (s *Server) Close() error {
	s.end()
	s.drop()
	s.wait.Wait()
	return nil
}

// Set changes how the device behaves. Hosts that are connected lose their connection.
func (s *Server) Set(state State) {
	s.mu.Lock()
	s.state = state
	s.mu.Unlock()
	s.drop()
}

// State returns how the device behaves.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// drop closes all connections.
func (s *Server) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.net.Close()
	}
}

func (s *Server) accept() {
	for {
		n, err := s.listen.Accept()
		if err != nil {
			return
		}
		s.wait.Go(func() { s.serve(n) })
	}
}
