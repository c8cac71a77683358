package event

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// Damaged is the type that Read gives to a line that is not an event. The line itself is in Unknown.
const Damaged Type = "damaged"

// maxLine is more than any event; a longer line is damage and is not kept in memory.
const maxLine = 64 << 20

// Read yields the events of a session directory in order, also while they are being written. It gives every reader
// something to show: a type it does not know keeps its whole line in Unknown, a damaged line comes as type Damaged, and
// a last line without its end (still being written, or torn) is left out. An error ends the sequence.
func Read(dir string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f, err := file.OpenPlain(dir, File)
		if err != nil {
			yield(Event{}, fault.Wrap(err, unread(err), "read event log"))
			return
		}
		defer func() { _ = f.Close() }()
		for e, err := range Decode(f) {
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// unread distinguishes a log that is not there from one that cannot be read.
func unread(err error) fault.Kind {
	if errors.Is(err, os.ErrNotExist) {
		return fault.NotFound
	}
	return fault.Unavailable
}

// tailSize is more than a session's last event needs.
const tailSize = 64 << 10

// Ends reads the first and the last event of a session directory without reading those between, for listings. Last is
// the zero Event when there is only one, or when it is too large to be the end of a session.
func Ends(dir string) (first, last Event, err error) {
	const op = "read event log"
	f, err := file.OpenPlain(dir, File)
	if err != nil {
		return first, last, fault.Wrap(err, unread(err), op)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return first, last, fault.Wrap(err, fault.Unavailable, op)
	}
	var head int64
	for line, err := range lines(f) {
		if err != nil {
			return first, last, fault.Wrap(err, fault.Unavailable, op)
		}
		first, head = parse(line.text), line.size
		break
	}
	from := max(head, info.Size()-tailSize)
	tail := make([]byte, info.Size()-from)
	n, err := f.ReadAt(tail, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return first, last, fault.Wrap(err, fault.Unavailable, op)
	}
	tail = tail[:n]
	tail = tail[:bytes.LastIndexByte(tail, '\n')+1] // what follows is torn
	tail = bytes.TrimRight(tail, "\n")
	start := bytes.LastIndexByte(tail, '\n') + 1
	if len(tail) == 0 || start == 0 && from > head {
		return first, last, nil
	}
	return first, parse(tail[start:]), nil
}

// Decode is Read for the bytes of an event file, wherever they come from.
func Decode(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for line, err := range lines(r) {
			if err != nil {
				yield(Event{}, fault.Wrap(err, fault.Unavailable, "read event log"))
				return
			}
			if len(bytes.TrimSpace(line.text)) == 0 {
				continue
			}
			if !yield(parse(line.text), nil) {
				return
			}
		}
	}
}

// rawLine is a line without its end. A line longer than maxLine keeps only its beginning; size is its size in the
// file, its end included.
type rawLine struct {
	text []byte
	size int64
}

// lines yields the complete lines. The text is valid until the next step.
func lines(r io.Reader) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		br := bufio.NewReaderSize(r, 64<<10)
		var l rawLine
		for {
			chunk, err := br.ReadSlice('\n')
			l.size += int64(len(chunk))
			if len(l.text) < maxLine {
				l.text = append(l.text, chunk...)
			}
			switch {
			case err == nil:
				l.text = bytes.TrimSuffix(l.text, []byte{'\n'})
				if !yield(l, nil) {
					return
				}
				l = rawLine{text: l.text[:0]}
			case errors.Is(err, bufio.ErrBufferFull):
			case errors.Is(err, io.EOF):
				return
			default:
				yield(rawLine{}, err)
				return
			}
		}
	}
}

func parse(line []byte) Event {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil || e.Type == "" || e.Seq > math.MaxInt64 {
		seq, _ := seqOf(line)
		return Event{Seq: seq, Type: Damaged, Unknown: bytes.Clone(line)}
	}
	if !e.Type.known() {
		e.Unknown = bytes.Clone(line)
	}
	return e
}

func (t Type) known() bool {
	switch t {
	case SessionStarted, SessionEnded, TrailStarted, TrailEnded, StepStarted, StepEnded, ToolStarted, ToolCall, Snapshot,
		Screenshot, Note, Retracted,
		McpAgentRun, McpAgentIteration, McpSampling, McpAgentTool, PolicyDecision:
		return true
	}
	return false
}

// Line returns the event as a line of a file, line end included. An event of an unknown type is written as it was
// read.
func (e Event) Line() ([]byte, error) {
	if e.Unknown != nil { // a line end inside would make two lines of it; in JSON it is only white space
		return append(bytes.ReplaceAll(e.Unknown, []byte{'\n'}, []byte{' '}), '\n'), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return b.Bytes(), nil
}

// repair finds the last whole line of the file, cuts off what follows it, and returns the highest number in use and
// the size that is left.
func repair(f *os.File) (seq uint64, size int64, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	for line, err := range lines(f) {
		if err != nil {
			return 0, 0, err
		}
		size += line.size
		if n, ok := seqOf(line.text); ok {
			seq = max(seq, n)
		}
	}
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	if info.Size() > size {
		err = f.Truncate(size)
	}
	return seq, size, err
}

var seqKey = []byte(`{"seq":`)

// seqOf reads the number of a line without decoding the rest; our lines all begin with it.
func seqOf(line []byte) (uint64, bool) {
	rest, ok := bytes.CutPrefix(line, seqKey)
	if !ok {
		var e struct {
			Seq uint64 `json:"seq"`
		}
		err := json.Unmarshal(line, &e)
		return e.Seq, err == nil && e.Seq > 0 && e.Seq <= math.MaxInt64
	}
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end <= 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(rest[:end]), 10, 64)
	return n, err == nil && n <= math.MaxInt64 // the index and the next number have no room for more
}
