package worker

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// Argument as the first makes a child of the program.
const Argument = "__script-worker"

// The bounds of a child. Where the system has none for memory, the garbage collector keeps to the first alone.
const (
	softMemory = 640 << 20
	hardMemory = 1 << 30
	maxStack   = 64 << 20 // of a goroutine: a parser that goes deeper ends the child
)

func init() {
	if len(os.Args) > 1 && os.Args[1] == Argument {
		debug.SetMaxStack(maxStack)
		debug.SetMemoryLimit(softMemory)
		if err := proc.Bound(hardMemory); err != nil {
			os.Exit(1) //nolint:forbidigo // as main does
		}
		serve(newPipe(os.Stdin, os.Stdout))
		os.Exit(0) //nolint:forbidigo // as main does
	}
}

// child is a process that does jobs.
type child struct {
	*pipe
	mu      sync.Mutex
	last    int
	waiting map[int]func(message) // by question; they do not block
	job     int
	stop    context.CancelFunc // of the job
}

// serve does one job after the other until the parent is gone.
func serve(p *pipe) {
	c := &child{pipe: p, waiting: map[int]func(message){}}
	jobs := make(chan message)
	go func() {
		defer os.Exit(0) //nolint:forbidigo // the parent is gone: a script that still runs ends with it
		for {
			m, err := p.receive()
			if err != nil {
				return
			}
			c.route(m, jobs)
		}
	}()
	for m := range jobs {
		end := c.do(m)
		end.Kind, end.ID = kindEnd, m.ID
		if p.send(end) != nil {
			_ = p.send(message{Kind: kindEnd, ID: m.ID, Op: endError, Fault: fault.Invalid,
				blob: []byte("what came of it is too long")})
		}
	}
}

func (c *child) route(m message, jobs chan<- message) {
	switch m.Kind {
	case kindJob:
		jobs <- m
	case kindStop:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.job == m.ID && c.stop != nil {
			c.stop()
		}
	case kindAnswer:
		c.mu.Lock()
		tell := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if tell != nil {
			tell(m)
		}
	}
}

// later asks the parent; the callback gets the answer and must not block.
func (c *child) later(q message, tell func(message)) error {
	c.mu.Lock()
	c.last++
	q.Kind, q.ID = kindAsk, c.last
	c.waiting[q.ID] = tell
	c.mu.Unlock()
	return c.send(q)
}

// ask asks the parent and waits for the answer.
func (c *child) ask(q message) (message, error) {
	got := make(chan message, 1)
	if err := c.later(q, func(m message) { got <- m }); err != nil {
		return message{}, err
	}
	m := <-got
	if !m.OK {
		return m, errors.New(string(m.blob))
	}
	return m, nil
}
