package attend

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/gesture"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Recorder makes a call of each gesture.
type Recorder struct {
	Dispatcher *dispatch.Dispatcher
	Session    *session.Session // on Device
	Device     *Device
	Files      string            // folder that files to upload must be in; see web_uploadFile
	Changed    func(last string) // called after each gesture with the reply to its call; may be nil
	Missed     func(err error)   // called where a gesture could not be recorded; may be nil

	tab    string // that the calls act on
	last   made   // call
	paused bool
	named  int     // steps that were given a name
	done   []thing // that is in the recording, in its order
}

// thing is one thing that a person did, or that they see.
type thing struct {
	calls []string // ids in the log
	tab   string   // that calls acted on before
}

// made is a call that was made for a gesture.
type made struct {
	id     string // in the log, "" when it is in no recording
	action driver.Action
	effect *driver.Effect
}

// Order calls methods of the recorder between two gestures.
type Order func(ctx context.Context)

// Run records until stop is closed, the device is gone or ctx ends, and then what the person is in the middle of. It
// carries out orders, each after all that the person did before.
func (r *Recorder) Run(ctx context.Context, stop <-chan struct{}, orders <-chan Order) error {
	hands, err := r.hands()
	if err != nil {
		return err
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	unwatch := r.Session.Log.Observe(r.observe)
	defer unwatch()
	for over := false; !over; {
		asked, quiet := make(chan struct{}), make(chan struct{})
		waiting := make(chan Order, 1)
		go func() {
			defer close(asked)
			select {
			case order := <-orders:
				waiting <- order
			case <-stop:
				select {
				case order := <-orders: // it was asked for before
					waiting <- order
				default:
					waiting <- nil
				}
			case <-quiet:
			}
		}()
		over = r.takeAll(ctx, hands, asked) != nil // the device is gone
		close(quiet)
		<-asked
		select {
		case order := <-waiting:
			if order == nil {
				return ctx.Err()
			}
			order(ctx)
		default:
		}
	}
	return ctx.Err()
}

// look finds out which tab the calls act on.
func (r *Recorder) look(ctx context.Context) error {
	tabs, ok := driver.As[driver.Tabs](r.Device.Device)
	if !ok {
		return nil
	}
	list, err := tabs.Tabs(ctx)
	for _, t := range list {
		if t.Active {
			r.tab = t.ID
		}
	}
	return err
}

func (r *Recorder) hands() (gesture.Source, error) {
	hands, ok := driver.As[gesture.Source](r.Device.Device)
	if !ok {
		return nil, fault.New(fault.Unsupported, "record", "device %s does not tell what a person does on it",
			r.Device.Info().ID)
	}
	return hands, nil
}

// pick waits until the person points at an element; nil is none.
func (r *Recorder) pick(ctx context.Context) (*gesture.Element, error) {
	hands, err := r.hands()
	if err != nil {
		return nil, err
	}
	return hands.Pick(ctx)
}

// takeAll records what the person does until something is asked for or the device is gone, and what is pending then.
func (r *Recorder) takeAll(ctx context.Context, hands gesture.Source, asked <-chan struct{}) (gone error) {
	for {
		g, err := hands.NextGesture(ctx, asked)
		switch {
		case g != nil:
			r.take(ctx, g)
		case err == nil || gone != nil || ctx.Err() != nil:
			return errors.Join(gone, ctx.Err())
		default: // once more, for what is pending
			over := make(chan struct{})
			close(over)
			gone, asked = err, over
		}
	}
}

// observe notes the last call that a recording keeps.
func (r *Recorder) observe(e event.Event) {
	if e.Type == event.ToolCall && e.Call != nil && e.Call.Recorded != nil && !e.Call.IsError {
		r.last.id = e.Call.ID
		if n := len(r.done); n > 0 {
			r.done[n-1].calls = append(r.done[n-1].calls, e.Call.ID)
		}
	}
}

// take records a gesture.
func (r *Recorder) take(ctx context.Context, g *gesture.Gesture) {
	g.Effect = once(g.Effect)
	if !r.paused {
		r.done = append(r.done, thing{tab: r.tab})
		if err := r.record(ctx, g); err != nil && r.Missed != nil {
			r.Missed(err)
		}
	}
	// The next gesture may be in a frame or a shadow tree that only a capture finds.
	_, _ = r.Device.Device.Snapshot(ctx, driver.SnapshotOptions{})
}

func once(effect func(context.Context) (*driver.Effect, error)) func(context.Context) (*driver.Effect, error) {
	var mu sync.Mutex
	var e *driver.Effect
	return func(ctx context.Context) (*driver.Effect, error) {
		mu.Lock()
		defer mu.Unlock()
		if e != nil {
			return e, nil
		}
		got, err := effect(ctx)
		if err == nil {
			e = got
		}
		return got, err
	}
}

func (r *Recorder) record(ctx context.Context, g *gesture.Gesture) error {
	before := r.last
	if g.NewTab {
		r.tab = g.Tab // the call opens it
	}
	if g.Tabs == nil {
		if err := r.to(ctx, g.Tab); err != nil {
			return err
		}
	}
	purpose, in, err := r.words(g)
	if err != nil {
		return err
	}
	e, err := g.Effect(ctx)
	if err != nil {
		return err
	}
	if err := r.answers(ctx, e); err != nil {
		return err
	}
	if r.absorbs(before, g.Action) {
		if err := r.Retract(before.id); err != nil {
			return err
		}
	}
	if err := r.call(ctx, g, purpose, in); err != nil {
		return err
	}
	r.last.action, r.last.effect = g.Action, e
	if g.Tabs != nil && g.Tab == r.tab {
		return r.look(ctx)
	}
	for _, f := range e.Files {
		if err := r.call(ctx, nil, tool.AwaitDownload, args{"name": f.Name}); err != nil {
			return err
		}
	}
	return nil
}

// Retract takes a call back: no recording keeps it.
func (r *Recorder) Retract(id string) error {
	for i, x := range r.done {
		r.done[i].calls = slices.DeleteFunc(x.calls, func(c string) bool { return c == id })
	}
	_, err := r.Session.Log.Append(event.Event{Type: event.Retracted, Call: &event.Call{ID: id}})
	return err
}

// absorbs reports whether an action says all of the one before: the clicks of a double click, that into a field which
// gave it the focus before it was typed into, and what was typed there before.
func (r *Recorder) absorbs(before made, a driver.Action) bool {
	if before.id == "" || before.effect == nil {
		return false
	}
	c := before.effect.Changes
	alone := c.Tree == 0 && c.Requests == 0 && !c.URL && !c.Navigation && !c.Dialog
	switch a := a.(type) {
	case driver.Tap:
		first, ok := before.action.(driver.Tap)
		return ok && a.Count > 1 && a.Count == max(first.Count, 1)+1 && a.Target.Node == first.Target.Node
	case driver.TypeText:
		if !a.Clear { // it goes on at the caret, which what was done before has placed
			return false
		}
		switch first := before.action.(type) {
		case driver.Tap:
			return alone && a.Target.Node == first.Target.Node
		case driver.TypeText:
			return alone && a.Target.Node == first.Target.Node
		}
	}
	return false
}

// answers makes the call that has a replay answer dialogs as the person did, where that is not how they are answered
// anyway.
func (r *Recorder) answers(ctx context.Context, e *driver.Effect) error {
	for _, d := range e.Dialogs {
		if !d.Accepted || d.Type != "confirm" && d.Type != "prompt" {
			continue
		}
		in := args{"policy": "accept", "once": len(e.Dialogs) == 1}
		if d.Answer != "" {
			in["answer"] = d.Answer
		}
		return r.call(ctx, nil, tool.AnswerDialogs, in)
	}
	return nil
}

// args are the arguments of a call.
type args map[string]any

// call makes a call of the tool for a purpose, for a gesture unless that is nil.
func (r *Recorder) call(ctx context.Context, g *gesture.Gesture, p tool.Purpose, in args) error {
	spec := r.Dispatcher.Registry().For(p, r.Device.Info().Platform)
	if spec == nil {
		return fault.New(fault.Unsupported, "record", "there is no tool to %s", p)
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "record")
	}
	r.last = made{}
	var res *tool.Result
	r.Device.during(g, func() {
		res, err = r.Dispatcher.Call(ctx, r.Session, dispatch.Person, tool.Call{Name: spec.Name, Args: raw})
	})
	if err == nil && res.IsError {
		err = res.Err()
	}
	if err == nil && r.Changed != nil {
		r.Changed(res.Text())
	}
	return err
}

// words are the purpose of the tool that does what a person did, and its arguments.
func (r *Recorder) words(g *gesture.Gesture) (p tool.Purpose, in args, err error) {
	if n := g.Navigation; n != nil {
		if g.NewTab {
			return tool.OpenTab, args{"url": n.URL}, nil
		}
		if n.Action == "" || n.Action == "goto" {
			return tool.OpenPage, args{"url": n.URL}, nil
		}
		return tool.OpenPage, args{"action": strings.ToUpper(n.Action)}, nil
	}
	if g.Tabs != nil {
		return tool.CloseTab, args{"tab": g.Tab}, nil
	}
	switch a := g.Action.(type) {
	case driver.Tap:
		in = args{"ref": ref(g, a.Target)}
		if a.Count > 1 {
			in["count"] = a.Count
		}
		if a.Button != "" && a.Button != driver.Left {
			in["button"] = a.Button
		}
		if len(a.Modifiers) > 0 {
			in["modifiers"] = a.Modifiers
		}
		if at := a.Target.Point; at != nil {
			in["position"] = map[string]float64{"x": at.X, "y": at.Y}
		}
		return tool.Click, in, nil
	case driver.TypeText:
		if a.Secret {
			return tool.EnterSecret, args{"ref": ref(g, a.Target), "value": "{{memory." + r.secret(a.Text) + "}}"}, nil
		}
		in = args{"ref": ref(g, a.Target), "text": a.Text}
		if !a.Clear {
			in["clearFirst"] = false
		}
		return tool.EnterText, in, nil
	case driver.PressKey:
		in = args{"key": a.Key}
		if n := g.Screen.Node(a.Target.Node); n != nil && n.Parent != nil {
			in["ref"] = ref(g, a.Target)
		}
		return tool.PressKey, in, nil
	case driver.SelectOption:
		return tool.Choose, args{"ref": ref(g, a.Target), "values": a.Options}, nil
	case driver.SetChecked:
		return tool.SetChecked, args{"ref": ref(g, a.Target), "checked": a.Checked}, nil
	case driver.Upload:
		paths, err := r.find(g.Files)
		return tool.GiveFiles, args{"ref": ref(g, a.Target), "paths": paths}, err
	case driver.Drag:
		return tool.Drag, dragged(g, a), nil
	}
	return "", nil, fault.New(fault.Unsupported, "record", "there is no call for %T", g.Action)
}

func dragged(g *gesture.Gesture, a driver.Drag) args {
	in := args{"ref": ref(g, a.From)}
	from, to := g.Screen.Node(a.From.Node), g.Screen.Node(a.To.Node)
	switch {
	case a.To.Node == 0:
		in["dx"], in["dy"] = a.To.Point.X, a.To.Point.Y
		return in
	case from != nil && to != nil && from.Parent != nil && from.Parent == to.Parent && from.Role == to.Role:
		in["place"] = "before"
		if start, _ := g.Screen.Span(from); start < first(g.Screen.Span(to)) {
			in["place"] = "after"
		}
	}
	in["toRef"] = ref(g, a.To)
	return in
}

func first(from, _ int) int { return from }

// ref is the name of the element of a target.
func ref(g *gesture.Gesture, t driver.Target) string {
	if n := g.Screen.Node(t.Node); n != nil {
		return g.Screen.RefFor(n)
	}
	return g.Screen.RefFor(&screen.Node{ID: t.Node, Role: "generic"})
}

// secret keeps a secret that was typed, and returns its name in memory.
func (r *Recorder) secret(text string) string {
	m := r.Session.Memory
	for n := 1; ; n++ {
		name := "password"
		if n > 1 {
			name += strconv.Itoa(n)
		}
		have, known := m.Get(name)
		if known && have != text {
			continue
		}
		if !known {
			m.SetSecret(name, text)
		}
		return name
	}
}

// find finds files that a person chose in the workspace, and names them as a trail does.
func (r *Recorder) find(files []gesture.File) ([]string, error) {
	out := []string{}
	for _, f := range files {
		found := ""
		err := fs.WalkDir(os.DirFS(r.Files), ".", func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && at != "." && foreign(path.Base(at)) {
				return fs.SkipDir
			}
			if info, err := d.Info(); err == nil && f.Is(info) {
				found = at
				return fs.SkipAll
			}
			return nil
		})
		if err != nil || found == "" {
			return nil, fault.New(fault.NotFound, "record upload", "%q, which was chosen, is not in %s", f.Name, r.Files).
				WithHint("Copy it there, but not into node_modules or .git, and choose it from there: the trail needs it.")
		}
		out = append(out, found)
	}
	return out, nil
}

// foreign reports whether a folder is a tool's, and too large to be searched.
func foreign(folder string) bool { return folder == "node_modules" || folder == ".git" }
