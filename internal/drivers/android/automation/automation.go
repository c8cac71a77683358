package automation

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
)

//go:generate make -C ../../../.. helper
//go:embed helper.jar
var jar []byte

const (
	version   = 1        // of the wire, as Wire.VERSION
	maxAnswer = 64 << 20 // a picture as text is the largest
	maxIdle   = 4        // connections that are kept for the next call
)

// Hello is what the helper says of its phone.
type Hello struct {
	Version  int `json:"version"`
	API      int `json:"api"`
	Width    int `json:"width"`
	Height   int `json:"height"`
	Density  int `json:"density"`
	Rotation int `json:"rotation"`
}

// Client is a running helper. It is safe for concurrent use; calls that wait do not keep others from being answered.
type Client struct {
	Hello

	phone  adb.Device
	path   string // of the program
	socket string
	life   context.Context // of the helper and its connections
	end    context.CancelCauseFunc
	ended  chan struct{} // closed when the program has ended
	said   *output

	mu   sync.Mutex
	idle []io.ReadWriteCloser
}

// Folder is where adb's shell may write and start programs on every phone.
const Folder = "/data/local/tmp"

// startTimeout is long for a phone, and not for one that is starting up or emulated.
const startTimeout = 90 * time.Second

// Start puts the program into a folder of the phone that does not have it there, starts it, and greets it.
func Start(ctx context.Context, phone adb.Device, folder string) (*Client, error) {
	const op = "start helper on the phone"
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout,
		fault.New(fault.Timeout, op, "it did not answer within %v", startTimeout).
			WithHint("Is the phone very busy? Try again, or reboot it."))
	defer cancel()
	sum := sha256.Sum256(jar)
	path := folder + "/trailblaze-helper-" + hex.EncodeToString(sum[:6]) + ".jar"
	f, err := phone.Stat(ctx, path)
	if err == nil && int(f.Size) != len(jar) {
		err = phone.Push(ctx, path, 0o644, bytes.NewReader(jar))
	}
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	var name [6]byte
	_, _ = rand.Read(name[:])
	c := &Client{
		phone: phone, path: path, socket: "trailblaze-" + hex.EncodeToString(name[:]), ended: make(chan struct{}),
		said: &output{ready: make(chan struct{})},
	}
	c.life, c.end = context.WithCancelCause(context.WithoutCancel(ctx))
	go c.run()
	select {
	case <-c.said.ready:
	case <-c.ended:
		return nil, fault.New(fault.Unavailable, op, "it ended: %.400s", c.said.String()).
			WithHint("Another program may use the phone's UiAutomation: end it (uiautomator, Appium), or reboot the phone.")
	case <-ctx.Done():
		c.Close()
		return nil, fault.Wrap(context.Cause(ctx), "", op)
	}
	if err := c.Call(ctx, map[string]any{"do": "hello"}, &c.Hello); err != nil {
		c.Close()
		return nil, fault.Wrap(err, "", op)
	}
	if c.Version != version {
		c.Close()
		return nil, fault.New(fault.Internal, op, "it speaks version %d, and not %d", c.Version, version)
	}
	return c, nil
}

// run keeps the program alive: it ends with its standard input.
func (c *Client) run() {
	defer close(c.ended)
	in, hold := io.Pipe()
	defer func() { _ = hold.Close() }()
	stop := context.AfterFunc(c.life, func() { _ = hold.Close() })
	defer stop()
	res, err := c.phone.Shell(c.life, adb.Command{
		Line:  "CLASSPATH=" + adb.Quote(c.path) + " exec app_process / trailblaze.helper.Main " + c.socket,
		Stdin: in, Out: c.said,
	})
	if err == nil {
		_, _ = c.said.Write(res.Stderr)
	} else {
		_, _ = fmt.Fprint(c.said, err)
	}
	c.end(fault.New(fault.Unavailable, "ask helper", "the helper on the phone ended: %.300s", c.said.String()))
}

// Close ends the program and waits for it.
func (c *Client) Close() {
	c.end(fault.New(fault.Unavailable, "ask helper", "the helper was closed"))
	<-c.ended
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.idle {
		_ = conn.Close()
	}
	c.idle = nil
}

// Lost reports whether the program or the connection to it has ended: no call will be answered.
func (c *Client) Lost() bool { return c.life.Err() != nil }

// Call sends a request and reads its answer into out, unless that is nil.
func (c *Client) Call(ctx context.Context, request, out any) error {
	const op = "ask helper"
	if err := ctx.Err(); err != nil {
		return fault.Wrap(context.Cause(ctx), "", op)
	}
	conn, err := c.take()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	answer, err := exchange(conn, request)
	if !stop() || err != nil {
		_ = conn.Close()
		switch {
		case ctx.Err() != nil:
			return fault.Wrap(context.Cause(ctx), "", op)
		case c.life.Err() != nil:
			return context.Cause(c.life)
		}
		err = fault.Wrap(err, fault.Unavailable, op)
		c.end(err)
		return err
	}
	c.give(conn)
	var a struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	if a.OK == nil {
		return fault.New(fault.Unavailable, op, "the helper says: %.400s", a.Error)
	}
	if out == nil {
		return nil
	}
	return fault.Wrap(json.Unmarshal(a.OK, out), fault.Internal, op)
}

func (c *Client) take() (io.ReadWriteCloser, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		conn := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		return conn, nil
	}
	c.mu.Unlock()
	if c.life.Err() != nil {
		return nil, context.Cause(c.life)
	}
	conn, err := c.phone.Dial(c.life, "localabstract:"+c.socket)
	if err != nil {
		c.end(err)
	}
	return conn, err
}

func (c *Client) give(conn io.ReadWriteCloser) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) >= maxIdle || c.life.Err() != nil {
		_ = conn.Close()
		return
	}
	c.idle = append(c.idle, conn)
}

func exchange(conn io.ReadWriter, request any) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(body))) //nolint:gosec // small
	if _, err := conn.Write(append(frame, body...)); err != nil {
		return nil, err
	}
	return readFrame(conn)
}

// readFrame reads a length and as many bytes.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxAnswer {
		return nil, fmt.Errorf("an answer of %d bytes is larger than the wire has", n)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

// output keeps what the program prints, and notices that it is ready.
type output struct {
	mu    sync.Mutex
	text  []byte
	ready chan struct{}
	once  sync.Once
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.text) < 8<<10 {
		o.text = append(o.text, b...)
	}
	if strings.HasPrefix(string(o.text), "ready\n") {
		o.once.Do(func() { close(o.ready) })
	}
	return len(b), nil
}

// String is what was printed beside the word ready.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(strings.TrimPrefix(string(o.text), "ready\n"))
}

// Java holds the sources of the program, for a host that runs Android's framework in its own process: it implements
// Screen and has a Wire serve it.
//
//go:embed java
var Java embed.FS

// sources is the hash of the Java files, by which a test knows that helper.jar was made of them.
func sources() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(Java, "java", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(Java, path)
		_, _ = fmt.Fprintf(h, "%s %d\n%s", path, len(b), b)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
