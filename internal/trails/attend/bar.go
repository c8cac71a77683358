package attend

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed bar.html
var barPage string

// Bar is a window of its own, beside the page and unknown to it, in which a person sees the steps and gives orders.
type Bar struct {
	Recorder *Recorder       // with Changed and Missed
	Steps    func() []string // of the recording, as it is now

	page   driver.Evaluator
	stop   func() // ends the recording
	orders chan Order

	mu    sync.Mutex // guards the rest
	state state
}

// state is shown by the bar; see show in bar.html.
type state struct {
	Steps   []string `json:"steps"`
	Paused  bool     `json:"paused"`
	Picking string   `json:"picking"` // the check whose element the person is to point at
	Named   string   `json:"named"`   // the step that goes on
	Note    string   `json:"note"`
	Bad     bool     `json:"bad"`
}

// checks are the checks of what a person points at, by their buttons.
var checks = map[string]tool.Purpose{"see": tool.CheckElement, "text": tool.CheckText, "value": tool.CheckValue}

// Record has the recorder run until done is closed or the person says so, and serves them in an empty window meanwhile.
func (b *Bar) Record(ctx context.Context, window driver.Device, done <-chan struct{}) error {
	page, ok := driver.As[driver.Evaluator](window)
	if !ok {
		return fault.New(fault.Unsupported, "open bar", "device %s shows no page", window.Info().ID)
	}
	b.page, b.orders = page, make(chan Order)
	fill := fmt.Sprintf("void (document.write(%s), document.close())", quoted(barPage))
	if _, err := page.Evaluate(ctx, fill, 0); err != nil {
		return err
	}
	r, stop := b.Recorder, make(chan struct{})
	b.stop = sync.OnceFunc(func() { close(stop) })
	changed, missed := r.Changed, r.Missed
	r.Changed = func(last string) {
		b.tell(ctx, nil)
		changed(last)
	}
	r.Missed = func(err error) {
		b.tell(ctx, err)
		missed(err)
	}
	serving, leave := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { b.serve(serving) })
	all.Go(func() {
		select {
		case <-done:
			b.stop()
		case <-serving.Done():
		}
	})
	err := r.Run(ctx, stop, b.orders)
	leave()
	all.Wait()
	return err
}

func quoted(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return []byte("null")
	}
	return raw
}

// NotRecorded says why a thing that the person did is not in the recording, and what to do about it.
func NotRecorded(err error) string {
	f := fault.FailureOf(err)
	return "Not recorded: " + f.Message + tool.Join(". ", f.Hint)
}

// tell shows the new steps in the bar and, unless it is nil, the error.
func (b *Bar) tell(ctx context.Context, wrong error) {
	b.show(ctx, func(s *state) {
		if s.Note, s.Bad = "", wrong != nil; s.Bad {
			s.Note = NotRecorded(wrong)
		}
	})
}

func (b *Bar) show(ctx context.Context, change func(s *state)) {
	steps := b.Steps()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.Steps = append([]string{}, steps...)
	change(&b.state)
	_, _ = b.page.Evaluate(ctx, fmt.Sprintf("void show(%s)", quoted(b.state)), 0) // the window may be closed
}

// serve carries out what the person asks for, until the window is closed or ctx ends.
func (b *Bar) serve(ctx context.Context) {
	leave := func() {}
	defer func() { leave() }()
	for {
		raw, err := b.page.Evaluate(ctx, "asked()", 0)
		var ask struct{ What, Text string }
		if err != nil || json.Unmarshal(raw, &ask) != nil {
			return
		}
		leave()
		leave = func() {}
		switch what := ask.What; what {
		case "see", "text", "value":
			leave = b.pick(ctx, what)
		case "stop":
			b.stop()
		case "cancel":
		default:
			b.order(ctx, func(ctx context.Context) { b.carryOut(ctx, what, ask.Text) })
		}
	}
}

// order has the recorder do something after what the person did before.
func (b *Bar) order(ctx context.Context, do Order) {
	select {
	case b.orders <- do:
	case <-ctx.Done():
	}
}

// pick lets the person point at an element until they do or leave is called. When leave returns, the recorder has the
// check of the element that they pointed at.
func (b *Bar) pick(ctx context.Context, what string) (leave func()) {
	b.show(ctx, func(s *state) { s.Picking, s.Note = what, "" })
	picking, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		e, err := b.Recorder.pick(picking)
		b.show(ctx, func(s *state) { s.Picking = "" })
		switch {
		case e != nil: // it was pointed at, whatever the person does next
			b.order(ctx, func(ctx context.Context) { b.tell(ctx, b.Recorder.Check(ctx, checks[what], e)) })
		case err != nil && picking.Err() == nil:
			b.tell(ctx, err)
		}
	}()
	return func() {
		cancel()
		<-over
	}
}

// carryOut does what a button of the bar says.
func (b *Bar) carryOut(ctx context.Context, what, text string) {
	var err error
	change := func(*state) {}
	switch what {
	case "says":
		err = b.Recorder.CheckText(ctx, "", text)
	case "name":
		err = b.Recorder.Name(text)
		change = func(s *state) { s.Named = text }
	case "undo":
		err = b.Recorder.TakeBack()
	case "pause":
		change = func(s *state) {
			s.Paused = !s.Paused
			b.Recorder.Pause(s.Paused)
		}
	}
	if err == nil {
		b.show(ctx, change)
	}
	b.tell(ctx, err)
}
