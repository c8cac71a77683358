package cdp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"
)

// A page decides how large the texts are that the browser passes on. These bounds keep it from
// filling our memory.
const (
	// maxString limits the part that is kept of one text of an event. Chromium's addresses have 2 MiB at most: they
	// stay whole.
	maxString = 2<<20 + 64<<10
	// maxEvent is the largest event, its texts cut. A larger one is left out.
	maxEvent = 16 << 20
	// maxAnswer is the largest answer: base64 of a picture. A call whose answer is larger fails.
	maxAnswer = 64 << 20
)

// reader reads the browser's messages: JSON, each ended by a zero byte. Long texts of events are cut as they arrive. A
// caller waits for an answer, so it is whole or an error.
type reader struct {
	in       *bufio.Reader
	decoder  jsonv2.Decoder
	event    int // the bounds, smaller in tests
	answer   int
	longText int
}

func newReader(r io.Reader) *reader {
	return &reader{in: bufio.NewReaderSize(r, 64<<10), event: maxEvent, answer: maxAnswer, longText: maxString}
}

// next reads a message. It returns io.EOF when the browser has closed its end.
func (r *reader) next() (*cdproto.Message, error) {
	for {
		raw, err := r.raw()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		msg := new(cdproto.Message)
		r.decoder.Reset(bytes.NewReader(raw), chromedp.DefaultUnmarshalOptions)
		if err := jsonv2.UnmarshalDecode(&r.decoder, msg, chromedp.DefaultUnmarshalOptions); err != nil {
			return nil, err
		}
		return msg, nil
	}
}

var answers = []byte(`{"id":`)

// raw reads a message without its end. An event that is too large gives nothing.
func (r *reader) raw() ([]byte, error) {
	var msg []byte
	var cut *cutter
	over := false
	for {
		part, err := r.in.ReadSlice(0)
		ended := err == nil
		switch {
		case ended:
			part = part[:len(part)-1]
		case errors.Is(err, io.EOF) && len(msg)+len(part) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		switch {
		case over:
		case cut != nil:
			msg = cut.add(msg, part)
			over = len(msg) > r.event
		default:
			msg = append(msg, part...)
			if answer := bytes.HasPrefix(msg, answers); answer {
				over = len(msg) > r.answer
			} else if len(msg) > r.longText {
				cut = &cutter{max: r.longText}
				msg = cut.add(nil, msg)
				over = len(msg) > r.event
			}
		}
		if over {
			msg = r.instead(msg[:min(len(msg), 64)])
		}
		if ended {
			return msg, nil
		}
	}
}

// instead returns the replacement of a message that is too large and begins with head.
func (r *reader) instead(head []byte) []byte {
	rest, ok := bytes.CutPrefix(head, answers)
	id, _, more := bytes.Cut(rest, []byte(","))
	if !ok || !more {
		return nil
	}
	return fmt.Appendf(nil,
		`{"id":%s,"error":{"code":-32000,"message":"the page's answer is larger than %d MiB; ask for less of it"}}`, id,
		r.answer>>20)
}

// cutter copies JSON and leaves out everything beyond the first max bytes of a text in it.
type cutter struct {
	max     int
	in      bool // within a text
	full    bool // the text is cut: the rest of it is left out
	size    int  // of the text so far, without its quotes
	escaped bool // the byte before was a backslash
	hex     int  // digits of \u0000 still to come
}

func (c *cutter) add(out, part []byte) []byte {
	for _, b := range part {
		whole := !c.escaped && c.hex == 0 // an escape is never taken apart
		switch {
		case c.escaped:
			c.escaped = false
			if b == 'u' {
				c.hex = 4
			}
		case c.hex > 0:
			c.hex--
		case !c.in:
			c.in, c.size = b == '"', -1
		case b == '"':
			c.in, c.full = false, false
		case b == '\\':
			c.escaped = true
		}
		if c.in {
			c.full = c.full || whole && c.size >= c.max
			c.size++
		}
		if !c.full {
			out = append(out, b)
		}
	}
	return out
}
