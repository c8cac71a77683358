package mcpproxy

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/testtime"
)

// TestRelay: lines go through as they are, both ways, in order, in either era.
func TestRelay(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	odd := `{"jsonrpc":"2.0","id":"a\"b","method":"tools/call","params":{"name":"act","arguments":{"text":"\u00e9 \\ \" { ["}}}`
	r.send(odd)
	if got := d.next(); got != odd {
		t.Errorf("daemon got %s", got)
	}
	r.reply(`"id":"a\"b"`)
	d.writeLine(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`)
	r.reply(`notifications/progress`)

	discover := `{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	r.send(discover)
	if got := d.next(); got != discover {
		t.Errorf("daemon got %s", got)
	}
	r.reply(`"id":7`)
}

// TestDialsBeforeTheFirstLine: the daemon is on its way while the client has said nothing.
func TestDialsBeforeTheFirstLine(t *testing.T) { newRig(t).daemon() }

// TestBadLines: what is no message is refused by its line alone, and the next goes through.
func TestBadLines(t *testing.T) {
	r := newRig(t)
	r.greet()
	for line, code := range map[string]string{
		`{"jsonrpc":`:            `-32700`,
		`hello`:                  `-32700`,
		"\xff\xfe":               `-32700`,
		`[]`:                     `-32600`,
		`[[]]`:                   `-32600`,
		`[1]`:                    `-32600`,
		`42`:                     `-32600`,
		`{}`:                     `-32600`,
		`{"jsonrpc":"2.0"}`:      `-32600`,
		`{"method":5,"id":1}`:    `-32600`,
		`{"id":9,"result":{}} x`: `-32700`,
	} {
		r.send(line)
		r.reply(code, `"id":null`)
	}
	r.send("")
	r.send("   ")
	r.send(`[` + call(11, "act") + `, ` + call(12, "act") + `]`)
	r.reply(`"id":11`, `"result"`)
	r.reply(`"id":12`, `"result"`)
	r.send(call(4, "act"))
	r.reply(`"id":4`, `"did":"tools/call"`)
}

// TestLongLines: a line up to the limit goes through; a longer one is dropped, and the stream goes on.
func TestLongLines(t *testing.T) {
	const longest = 1 << 20
	r := newRig(t, func(_ *rig, o *Options) { o.maxLine = longest })
	d := r.greet()
	text := strings.Repeat("x", longest*9/10)
	r.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"act","arguments":{"text":"` + text + `"}}}`)
	if got := d.next(); len(got) < len(text) {
		t.Errorf("daemon got %d bytes", len(got))
	}
	r.reply(`"id":5`)
	r.send(`{"id":6,"method":"ping","params":"` + strings.Repeat("x", longest) + `"}`)
	r.reply(`-32600`, `64 MB`)
	d.mute.Store(true)
	r.send(call(7, "look"))
	d.next()
	d.writeLine(`{"jsonrpc":"2.0","id":7,"result":{"content":"` + strings.Repeat("x", longest) + `"}}`)
	r.reply(`"id":7`, `-32603`, `64 MB`)
}

// TestEnd: the end of stdin ends the proxy at once, with the connection, whatever runs.
func TestEnd(t *testing.T) {
	r := newRig(t)
	d := r.greet()
	d.mute.Store(true)
	r.send(call(3, "act"))
	d.next()
	began := time.Now()
	_ = r.in.Close()
	if err := receive(t, r.done, "end"); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > testtime.Within(200*time.Millisecond) {
		t.Errorf("took %s", took)
	}
	if _, err := d.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection is still there: %v", err)
	}
}

// TestEndAnswersQuestions: `printf … | trailblaze mcp` prints the answers to what it asked.
func TestEndAnswersQuestions(t *testing.T) {
	r := newRig(t, func(_ *rig, o *Options) { o.Grace = soon })
	r.send(initialize)
	r.send(initialized)
	r.send(listTools)
	_ = r.in.Close()
	r.reply(`"id":1`)
	r.reply(`"id":2`, `"look"`)
	if err := receive(t, r.done, "end"); err != nil {
		t.Error(err)
	}
}

// TestSignal: a signal ends the proxy although stdin stays open and a daemon is only being dialed.
func TestSignal(t *testing.T) {
	r := newRig(t, func(r *rig, _ *Options) { r.fails(errNoDaemon) })
	r.send(initialize)
	began := time.Now()
	r.cancel()
	if err := receive(t, r.done, "end"); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > testtime.Within(200*time.Millisecond) {
		t.Errorf("took %s", took)
	}
}

// TestClientGone: a stdout that nobody reads any more ends the proxy.
func TestClientGone(t *testing.T) {
	r := newRig(t, func(_ *rig, o *Options) { o.Out = closedWriter{} })
	r.daemon()
	r.send(initialize)
	if err := receive(t, r.done, "end"); err == nil {
		t.Error("no error")
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
