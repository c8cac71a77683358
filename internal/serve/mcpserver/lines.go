package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lineConn is JSON-RPC in lines. Unlike the SDK's own it answers a malformed line and continues, so that one stray
// print does not cost a client its session.
type lineConn struct {
	stream io.ReadWriteCloser
	max    int64 // bytes of a message

	in     chan jsonrpc.Message
	closed chan struct{}
	done   chan struct{} // the reader has returned
	once   sync.Once
	err    error // of the reader, after done

	writing sync.Mutex
	mu      sync.Mutex
	onEnd   func()
	open    int           // requests without an answer
	idle    chan struct{} // closed when there are none, after the end of the stream
}

// linesPerMessage limits the length of a line that is answered under its own id, in messages.
const linesPerMessage = 8

func newLineConn(stream io.ReadWriteCloser, max int64) *lineConn {
	c := &lineConn{stream: stream, max: max, in: make(chan jsonrpc.Message), closed: make(chan struct{}),
		done: make(chan struct{})}
	go c.read()
	return c
}

// ended calls fn when the client's side of the stream ends, at once if it has ended.
func (c *lineConn) ended(fn func()) {
	c.mu.Lock()
	c.onEnd = fn
	c.mu.Unlock()
	select {
	case <-c.done:
		fn()
	default:
	}
}

func (c *lineConn) read() {
	defer func() {
		close(c.done)
		c.mu.Lock()
		fn := c.onEnd
		c.mu.Unlock()
		if fn != nil {
			fn()
		}
	}()
	in := bufio.NewReaderSize(c.stream, 64<<10)
	for {
		line, err := readLine(in, linesPerMessage*c.max)
		if errors.Is(err, errLongLine) {
			c.complain(jsonrpc.CodeInvalidRequest, tooLong(linesPerMessage*c.max))
			continue
		}
		if err != nil {
			c.err = err
			c.lastAnswers()
			return
		}
		if !c.deliver(line) {
			return
		}
	}
}

// grace is the time in which open questions may still be answered after the end of the stream, as `printf … |
// trailblaze mcp` expects.
const grace = 150 * time.Millisecond

func (c *lineConn) lastAnswers() {
	c.mu.Lock()
	c.idle = make(chan struct{})
	if c.open <= 0 {
		close(c.idle)
	}
	c.mu.Unlock()
	end := time.NewTimer(grace)
	defer end.Stop()
	select {
	case <-c.idle:
	case <-c.closed:
	case <-end.C:
	}
}

// count counts the requests without an answer.
func (c *lineConn) count(change int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open += change; c.open <= 0 && c.idle != nil {
		select {
		case <-c.idle:
		default:
			close(c.idle)
		}
	}
}

// deliver passes on the messages of a line; false when the connection is closed.
func (c *lineConn) deliver(line []byte) bool {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return true
	}
	raws := []json.RawMessage{line}
	if line[0] == '[' { // a batch of protocol 2025-03-26, answered one by one
		if json.Unmarshal(line, &raws) != nil || len(raws) == 0 {
			c.complain(jsonrpc.CodeParseError, "the line is no list of messages in JSON")
			return true
		}
	}
	for _, raw := range raws {
		if !json.Valid(raw) {
			c.complain(jsonrpc.CodeParseError, "the line is not JSON")
			continue
		}
		if why := oversize(raw, c.max); why != "" {
			c.refuse(raw, why)
			continue
		}
		if err := checkID(raw); err != nil {
			c.complain(jsonrpc.CodeInvalidRequest, err.Error())
			continue
		}
		msg, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			c.complain(jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC 2.0 message")
			continue
		}
		if q, ok := msg.(*jsonrpc.Request); ok && q.ID.IsValid() {
			c.count(1)
		}
		select {
		case c.in <- msg:
		case <-c.closed:
			return false
		}
	}
	return true
}

// complain answers a line that has no id.
func (c *lineConn) complain(code int64, text string) { c.fail(nil, code, text) }

// refuse answers a message without reading it further, under its id if it has one.
func (c *lineConn) refuse(raw []byte, why string) {
	var m message
	if _ = m.read(raw); m.Method == "" { // an answer's id is ours
		m.ID = nil
	}
	c.fail(m.ID, jsonrpc.CodeInvalidRequest, why)
}

func (c *lineConn) fail(id json.RawMessage, code int64, text string) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": text}})
	if err == nil {
		_ = c.write(body)
	}
}

var errLongLine = errors.New("line too long")

// readLine reads a line of at most max bytes and drops the rest of a longer one.
func readLine(in *bufio.Reader, max int64) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long && int64(len(line)+len(part)) > max {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case err == nil && long:
			return nil, errLongLine
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0:
			return line, nil // the last line lacks its end
		default:
			return nil, err
		}
	}
}

// Read implements mcp.Connection.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.in:
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	case <-c.done:
		if c.err != nil {
			return nil, c.err
		}
		return nil, io.EOF
	}
}

// Write implements mcp.Connection.
func (c *lineConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	body, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if _, ok := msg.(*jsonrpc.Response); ok {
		defer c.count(-1)
	}
	return c.write(body)
}

func (c *lineConn) write(body []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	bound(c.stream)
	_, err := c.stream.Write(append(body, '\n'))
	if err != nil {
		_ = c.stream.Close() // the line may be sent in part, so nothing after it could be read
	}
	return err
}

// Close implements mcp.Connection. It unblocks Read and waits for the reader.
func (c *lineConn) Close() error {
	var err error
	c.once.Do(func() {
		close(c.closed)
		err = c.stream.Close()
	})
	<-c.done
	return err
}

// SessionID implements mcp.Connection: a connection needs no id.
func (c *lineConn) SessionID() string { return "" }
