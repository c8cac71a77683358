package event

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// Names inside a session directory.
const (
	File    = "events.ndjson"
	BlobDir = "blobs"
)

// Log appends the events of one session. Nil and Discard keep nothing; Create("") keeps everything in memory.
//
// Durability: an event is one write(2) to a file opened for appending, done before Append returns, so it survives the
// death of the process at any moment. The file is not synced to the disk per event (that would cost milliseconds per
// call); it is synced when the session ends and on Close. Only a crash of the whole machine can lose more, and then the
// tail is repaired on the next open.
type Log struct {
	mu     sync.Mutex
	dir    string
	root   *os.Root // of dir; nil in memory
	file   *os.File
	size   int64 // of the whole lines in file
	seq    uint64
	now    func() time.Time
	mask   func(Event) Event
	memory *memoryLog
	subs   map[int]func(Event)
	nextID int
	closed bool
}

// memoryLog is the storage of a log without a directory.
type memoryLog struct {
	events []Event
	blobs  map[string][]byte
}

// Create opens the log of a session directory, making the directory when it is missing and going on where an earlier
// process stopped: a torn last line is cut off and the numbering continues. A directory has one writer at a time; a
// second Create fails with fault.Busy until the first is closed or its process is gone. An empty dir keeps the
// events in memory.
func Create(dir string) (*Log, error) {
	l := &Log{dir: dir, now: time.Now, subs: map[int]func(Event){}}
	if dir == "" {
		l.memory = &memoryLog{blobs: map[string][]byte{}}
		return l, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.Denied, "create session directory")
	}
	if err := l.open(); err != nil {
		_ = l.release()
		return nil, err
	}
	return l, nil
}

// Discard returns a log that keeps nothing and still notifies its observers. It never grows, however long it lives.
func Discard() *Log { return &Log{now: time.Now, subs: map[int]func(Event){}} }

func (l *Log) open() error {
	const op = "open event log"
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	l.root = root
	if err := root.Mkdir(BlobDir, 0o700); err != nil && !os.IsExist(err) {
		return fault.Wrap(err, fault.Denied, op)
	}
	l.file, err = root.OpenFile(File, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fault.Wrap(err, fault.Denied, op)
	}
	if err := file.TryLock(l.file); err != nil {
		return fault.New(fault.Busy, op, "%s is being written by another process", l.dir).
			WithHint("Wait for that run to end, or choose another session id.")
	}
	l.seq, l.size, err = repair(l.file)
	return fault.Wrap(err, fault.Unavailable, op)
}

// Dir is the session directory, "" in memory.
func (l *Log) Dir() string {
	if l == nil {
		return ""
	}
	return l.dir
}

// SetMask makes every event pass through mask before it is kept, so that no event can carry a secret.
func (l *Log) SetMask(mask func(Event) Event) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mask = mask
}

// Append numbers the event, stamps it unless it has a time, masks it and writes it. It returns the event as kept.
func (l *Log) Append(e Event) (Event, error) {
	if l == nil {
		return e, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return e, fault.New(fault.Conflict, "append event", "the log is closed")
	}
	if e.Time.IsZero() {
		e.Time = l.now().UTC()
	}
	e.Seq = l.seq + 1
	if l.mask != nil {
		e = l.mask(e)
	}
	if err := l.keep(e); err != nil {
		return e, err
	}
	l.seq = e.Seq
	for _, fn := range l.subs {
		fn(e)
	}
	return e, nil
}

func (l *Log) keep(e Event) error {
	const op = "append event"
	if l.memory != nil {
		l.memory.events = append(l.memory.events, e)
		return nil
	}
	if l.file == nil {
		return nil
	}
	line, err := e.Line()
	if err != nil {
		return fault.Wrap(err, fault.Internal, op)
	}
	n, err := l.file.Write(line)
	if err != nil {
		if n > 0 { // a full disk can tear a line: take it back, or it would swallow the next one
			_ = l.file.Truncate(l.size)
		}
		return fault.Wrap(err, fault.Unavailable, op)
	}
	l.size += int64(n)
	if e.Type == SessionEnded {
		return fault.Wrap(l.file.Sync(), fault.Unavailable, "sync event log")
	}
	return nil
}

// Observe calls fn with every event right after it is kept, in order, until cancel. It runs inside Append: keep it
// short, and never call the log from it.
func (l *Log) Observe(fn func(Event)) (cancel func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextID++
	id := l.nextID
	if l.subs == nil {
		l.subs = map[int]func(Event){}
	}
	l.subs[id] = fn
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.subs, id)
	}
}

// Close syncs and closes the file. It is idempotent.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	var err error
	if l.file != nil {
		err = l.file.Sync()
	}
	if e := l.release(); err == nil {
		err = e
	}
	return fault.Wrap(err, fault.Unavailable, "close event log")
}

// release frees the lock of the file, so that the next writer may begin at once, and closes the open files.
func (l *Log) release() error {
	var err error
	if l.file != nil {
		_ = file.Unlock(l.file) // one that never had the lock has none to free
		err = l.file.Close()
	}
	if l.root != nil {
		if e := l.root.Close(); err == nil {
			err = e
		}
	}
	l.file, l.root = nil, nil
	return err
}

// Free returns fault.Busy while a process writes the log of a session directory, else nil.
func Free(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, File), os.O_RDWR, 0)
	if err != nil {
		return nil // nothing there to be written
	}
	defer func() { _ = f.Close() }()
	if file.TryLock(f) != nil {
		return fault.New(fault.Busy, "use session directory", "%s is being written by another process", dir).
			WithHint("End that session first.")
	}
	return nil
}
