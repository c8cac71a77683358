package adb

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// File is what the phone says of a file.
type File struct {
	Mode     uint32 // as Unix has it; 0: there is none
	Size     uint32 // of more than 4 GiB only the lower half
	Modified time.Time
}

// Exists reports whether there is such a file.
func (f File) Exists() bool { return f.Mode != 0 }

const maxData = 64 << 10

// Stat looks at a file on the phone.
func (p *Phone) Stat(ctx context.Context, path string) (f File, err error) {
	err = p.sync(ctx, "look at "+path, func(c *conn) error {
		if err := syncSend(c, "STAT", []byte(path)); err != nil {
			return err
		}
		var b [16]byte
		if _, err := io.ReadFull(c.r, b[:]); err != nil {
			return err
		}
		if id := string(b[:4]); id != "STAT" {
			return fmt.Errorf("the phone answers %q", id)
		}
		u := func(i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
		f = File{Mode: u(4), Size: u(8), Modified: time.Unix(int64(u(12)), 0)}
		return nil
	})
	return f, err
}

// Push writes a file on the phone.
func (p *Phone) Push(ctx context.Context, path string, mode fs.FileMode, data io.Reader) error {
	return p.sync(ctx, "push "+path, func(c *conn) error {
		if err := syncSend(c, "SEND", fmt.Appendf(nil, "%s,%d", path, mode.Perm())); err != nil {
			return err
		}
		buf := make([]byte, maxData)
		for {
			n, err := io.ReadFull(data, buf)
			if n > 0 {
				if err := syncSend(c, "DATA", buf[:n]); err != nil {
					return err
				}
			}
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				break
			}
			if err != nil {
				return err
			}
		}
		head := binary.LittleEndian.AppendUint32([]byte("DONE"), uint32(time.Now().Unix())) //nolint:gosec // until 2106
		if _, err := c.Write(head); err != nil {
			return err
		}
		id, _, err := syncHead(c.r)
		if err == nil && id != string(okay) {
			err = fmt.Errorf("the phone answers %q", id)
		}
		return err
	})
}

// Pull reads a file of the phone, of at most so many bytes.
func (p *Phone) Pull(ctx context.Context, path string, w io.Writer, most int64) error {
	return p.sync(ctx, "pull "+path, func(c *conn) error {
		if err := syncSend(c, "RECV", []byte(path)); err != nil {
			return err
		}
		return receive(c.r, w, most)
	})
}

// receive copies the packets of a file up to DONE.
func receive(r io.Reader, w io.Writer, most int64) error {
	for {
		id, n, err := syncHead(r)
		if err != nil {
			return err
		}
		switch id {
		case "DONE":
			return nil
		case "DATA":
			if most -= int64(n); most < 0 || n > maxPacket {
				return fault.New(fault.Invalid, "", "the file is larger than allowed")
			}
			if _, err := io.CopyN(w, r, int64(n)); err != nil {
				return err
			}
		default:
			return fmt.Errorf("the phone answers %q", id)
		}
	}
}

// sync opens the phone's file service for one exchange.
func (p *Phone) sync(ctx context.Context, op string, do func(*conn) error) error {
	c, err := p.open(ctx, "sync:")
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	defer func() { _ = c.Close() }()
	if err := do(c); err != nil {
		return c.err(err, op)
	}
	_ = syncSend(c, "QUIT", nil)
	return nil
}

func syncSend(w io.Writer, id string, data []byte) error {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(data))) //nolint:gosec // at most maxData
	_, err := w.Write(append(b, data...))
	return err
}

// syncHead reads the head of a packet. FAIL becomes an error with its reason.
func syncHead(r io.Reader) (id string, n uint32, err error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return "", 0, err
	}
	id, n = string(b[:4]), binary.LittleEndian.Uint32(b[4:])
	if id != string(fail) {
		return id, n, nil
	}
	if n > maxText {
		return "", 0, fmt.Errorf("a reason of %d bytes", n)
	}
	said := make([]byte, n)
	if _, err := io.ReadFull(r, said); err != nil {
		return "", 0, err
	}
	return "", 0, refusal{string(said)}
}
