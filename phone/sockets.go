package phone

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// dial connects to a socket of the phone: one that a helper has opened, or a port, which is one of this machine.
func (p *Phone) dial(ctx context.Context, name string) (net.Conn, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch kind {
	case "tcp":
		port, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(rest, "localhost:"), "127.0.0.1:"), 10, 16)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "connect to "+name)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	case "localabstract":
		if p.helpers.named(rest) {
			ours, theirs := net.Pipe()
			p.work.Go(func() { p.helpers.serve(p, ours) })
			return theirs, nil
		}
	}
	return nil, fault.New(fault.NotFound, "connect to "+name, "there is no such socket")
}

const (
	helperClass = "trailblaze.helper.Main"
	helperTime  = time.Minute // that one request may take
)

// helpers are those of the driver for Android that run.
type helpers struct {
	mu    sync.Mutex
	count map[string]int // by the names of their sockets
}

// appProcess runs the helper of the driver for Android: the processes of apps answer its requests, from the same
// sources. The helper ends with its standard input. The phone runs no other class: it has no runtime for dex.
func appProcess(c *call) int {
	if len(c.args) < 3 || c.args[1] != helperClass {
		return c.refuse("it starts no class but " + helperClass)
	}
	name := c.args[2]
	c.helpers.add(name, 1)
	defer c.helpers.add(name, -1)
	c.printf("ready\n")
	_, _ = io.Copy(io.Discard, c.in)
	return 0
}

func (h *helpers) add(name string, more int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count[name] += more
}

func (h *helpers) named(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count[name] > 0
}

// serve answers the requests of a connection to the helper, which outlives apps as on a device: the process that
// is in front answers each, and when another one comes in front meanwhile, that one does.
func (h *helpers) serve(p *Phone, c net.Conn) {
	defer func() { _ = c.Close() }()
	stop := context.AfterFunc(p.life, func() { _ = c.Close() })
	defer stop()
	for {
		text, err := readBytes(c)
		if err != nil {
			return
		}
		answer, err := h.answer(p, string(text))
		if err != nil {
			said, _ := json.Marshal(map[string]string{"error": err.Error()})
			answer = append(binary.BigEndian.AppendUint32(nil, uint32(len(said))), said...)
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}

// reads are the requests that another process can be asked as well: the others would be done twice.
var reads = []string{"hello", "tree", "screenshot", "settle", "wait"}

// answer has the process in front answer a request of the helper's wire.
func (h *helpers) answer(p *Phone, text string) ([]byte, error) {
	var q struct{ Do string }
	_ = json.Unmarshal([]byte(text), &q) // the process says what is wrong with it
	ctx, cancel := context.WithTimeout(p.life, helperTime)
	defer cancel()
	return p.askFront(ctx, request{"do": "helper", "request": text}, slices.Contains(reads, q.Do))
}

// askFront asks the process in front, and waits for one where there is none. With again it asks the next one when
// another one comes in front meanwhile.
func (p *Phone) askFront(limit context.Context, q request, again bool) ([]byte, error) {
	for {
		p.mu.Lock()
		front, turned, none := p.front, p.turned, len(p.apps) == 0
		p.mu.Unlock()
		for front == nil && !none {
			select {
			case <-turned:
			case <-limit.Done():
				none = true
			}
			p.mu.Lock()
			front, turned = p.front, p.turned
			p.mu.Unlock()
		}
		if front == nil {
			_, err := p.foreground() // which says so
			return nil, err
		}
		ctx, done := context.WithCancel(limit)
		if again {
			go func() {
				select {
				case <-turned:
					done()
				case <-ctx.Done():
				}
			}()
		}
		answer, err := front.ask(ctx, maps.Clone(q), nil)
		done()
		if err == nil || !again || limit.Err() != nil {
			return answer, err
		}
		if front.ended() { // the next one comes in front as soon as its end is known
			select {
			case <-turned:
			case <-limit.Done():
			}
		} else if !closed(turned) {
			return nil, err
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
