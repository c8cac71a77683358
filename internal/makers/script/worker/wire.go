package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// The bounds of one message.
const (
	maxHead = 96 << 20
	maxBlob = 96 << 20 // a bundle for a process with its source map has 64 MiB
)

// The kinds of messages. A parent sends jobs, answers and stops; a child sends questions, notes and ends.
const (
	kindJob    = "job"
	kindAnswer = "answer"
	kindStop   = "stop"
	kindAsk    = "ask"
	kindNote   = "note"
	kindEnd    = "end"
)

// message is a message on the pipe: a head, and bytes that neither side takes apart on the way.
type message struct {
	Kind  string          `json:"kind"`
	ID    int             `json:"id,omitempty"` // of a job or a question
	Op    string          `json:"op,omitempty"`
	File  string          `json:"file,omitempty"` // of a job
	OK    bool            `json:"ok,omitempty"`
	Later bool            `json:"later,omitempty"` // the child goes on while it waits
	Stack string          `json:"stack,omitempty"` // of the script that asks
	Fault fault.Kind      `json:"fault,omitempty"`
	Hint  string          `json:"hint,omitempty"`
	Args  json.RawMessage `json:"args,omitempty"`

	blob []byte
}

// pipe sends and receives messages.
type pipe struct {
	in *bufio.Reader

	mu  sync.Mutex // guards out
	out *bufio.Writer
}

func newPipe(in io.Reader, out io.Writer) *pipe {
	return &pipe{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10)}
}

func (p *pipe) send(m message) error {
	head, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(head) > maxHead || len(m.blob) > maxBlob {
		return errors.New("the message is too long")
	}
	var size [8]byte
	binary.BigEndian.PutUint32(size[:], uint32(len(head)))    //nolint:gosec // bounded above
	binary.BigEndian.PutUint32(size[4:], uint32(len(m.blob))) //nolint:gosec // bounded above
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range [][]byte{size[:], head, m.blob} {
		if _, err := p.out.Write(part); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

func (p *pipe) receive() (m message, err error) {
	var size [8]byte
	if _, err := io.ReadFull(p.in, size[:]); err != nil {
		return m, err
	}
	head, blob := binary.BigEndian.Uint32(size[:]), binary.BigEndian.Uint32(size[4:])
	if head > maxHead || blob > maxBlob {
		return m, errors.New("the message is too long")
	}
	raw := make([]byte, head)
	if _, err := io.ReadFull(p.in, raw); err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	m.blob = make([]byte, blob)
	_, err = io.ReadFull(p.in, m.blob)
	return m, err
}
