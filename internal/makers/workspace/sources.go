package workspace

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Options shape Sources.
type Options struct {
	Root    string      // the workspace
	Home    string      // the user's own folder; "" keeps nothing there
	BuiltIn []tool.Tool // the tools of the product; they win over those of a source

	Daemon func(name string) (*tool.Spec, bool) // see source.Options

	Toolsets []string // ids of the toolsets of the product

	Config func() (*config.Config, error) // the settings as their files stand; nil: none

	Env     func(string) string // nil: no variables
	BaseURL func() string       // where processes call back; nil: nowhere

	// Grant and Report are those of source.Options.
	Grant  func(reach func(invocationID string) []string) (token string, revoke func())
	Report func(ctx context.Context, message string, done, total int)

	Model  source.Model // answers servers that may ask for completions; nil: none
	Log    *slog.Logger // nil discards
	Trust  bool         // the user trusts the workspace for now: it may start what it declares
	Follow bool         // changes of the files are followed until Close
	Idle   bool         // load nothing: only Processes is asked
	Makers Makers       // of the sources
}

// Sources are the tools of a workspace: those that are built in, and those of its sources. Each source is loaded by a
// goroutine of its own, so a slow one holds up no other. The registry is replaced as a whole; a holder of an old one
// keeps using it.
type Sources struct {
	o       Options
	builtIn *tool.Registry
	sums    contents
	life    context.Context // of loading: Sources is a lifetime owner
	stop    context.CancelFunc
	work    sync.WaitGroup

	hurry func()        // has what is put off begin now
	now   chan struct{} // closed by hurry

	making  sync.Mutex     // held while the sources are made
	last    *config.Config // that could be read, under making
	telling sync.Mutex     // held while the watchers are told
	targets
	all      []*loader
	folders  []source.Folder
	registry *tool.Registry
	problems []tool.Problem
	relisted bool           // declared is not what the watchers were told of
	wrong    []tool.Problem // with targets and toolsets
	watchers map[*func([]tool.Tool)]struct{}
	closed   bool
}

// targets are the apps and the toolsets that a workspace declares.
type targets struct {
	mu       sync.Mutex // guards also what follows in Sources
	declared Declared
	app      config.Setting // the target of the settings
	base     config.Setting // where the settings say that it is
}

// loader is a source and its last tools.
type loader struct {
	tool.Source
	basis   string          // see basis
	content string          // see content
	life    context.Context // of loading it
	stop    context.CancelFunc
	wake    chan struct{} // holds one word that the source has changed
	ended   chan struct{} // closed when it is loaded no more
	quiet   func()        // ends the notification; nil before it is started

	// Under Sources.mu.
	wanted, done int           // loads that were asked for, and the newest that is done
	loaded       chan struct{} // closed and replaced after each load
	tools        []tool.Tool
	problems     []tool.Problem
}

// Open starts to load the sources of a workspace and returns at once. Only mistakes in the built-in tools are an
// error.
func Open(o Options) (*Sources, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	if o.Config == nil {
		o.Config = func() (*config.Config, error) { return &config.Config{}, nil }
	}
	if o.BaseURL == nil {
		o.BaseURL = func() string { return "" }
	}
	reg, wrong := tool.Collect(o.BuiltIn...)
	if len(wrong) > 0 {
		return nil, fault.Wrap(wrong[0], fault.Internal, "register the built-in tools")
	}
	s := &Sources{o: o, last: &config.Config{}, builtIn: reg, registry: reg, watchers: map[*func([]tool.Tool)]struct{}{}}
	s.life, s.stop = context.WithCancel(context.Background())
	s.now = make(chan struct{})
	s.hurry = sync.OnceFunc(func() { close(s.now) })
	soon := time.AfterFunc(putOff, s.hurry)
	context.AfterFunc(s.life, func() { soon.Stop() })
	s.remake(true)
	if o.Follow && o.Root != "" {
		s.work.Go(s.follow)
	}
	return s, nil
}

func newLoader(life context.Context, src tool.Source, basis string) *loader {
	l := &loader{Source: src, basis: basis, wake: make(chan struct{}, 1), loaded: make(chan struct{}), wanted: 1,
		ended: make(chan struct{})}
	l.life, l.stop = context.WithCancel(life)
	return l
}

// startLocked begins to load a source. mu is held.
func (s *Sources) startLocked(l *loader) {
	l.quiet = func() {}
	if s.o.Idle {
		close(l.ended)
		return
	}
	if n, ok := l.Source.(tool.Notifier); ok {
		l.quiet = n.Notify(func() { s.ask(l) })
	}
	s.work.Go(func() {
		defer close(l.ended)
		s.keep(l)
	})
}

// ask has a source loaded again, and says which load will show what it is now.
func (s *Sources) ask(l *loader) (load int) {
	s.mu.Lock()
	l.wanted++
	load = l.wanted
	s.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // a word is there already
	}
	return load
}

// putOff is the time after Open in which no process is started and no server connected to, unless a call waits for
// them: the client that opened the workspace is about to ask for the list of tools, and would share the processors
// with all of them. Most get their answer within a tenth of this time.
const putOff = 150 * time.Millisecond

// keep loads a source, and again each time that it has changed.
func (s *Sources) keep(l *loader) {
	if _, ok := l.Source.(source.Started); ok {
		select {
		case <-s.now:
		case <-l.life.Done():
			return
		}
	}
	for {
		s.load(l)
		select {
		case <-l.wake:
		case <-l.life.Done():
			return
		}
	}
}

func (s *Sources) load(l *loader) {
	s.mu.Lock()
	load := l.wanted
	s.mu.Unlock()
	found, problems, err := l.Load(l.life)
	if l.life.Err() != nil {
		return
	}
	if err != nil {
		found, problems = nil, append(problems, tool.Problem{Err: fault.Wrap(err, "", "load "+l.Origin()), AllTools: true})
	}
	for _, p := range problems {
		what := "a tool is left out"
		if p.Warning {
			what = "a source of tools is not as it should be"
		}
		s.o.Log.Warn(what, "workspace", s.o.Root, "source", l.Origin(), "tool", p.Name, "error", p.Err)
	}
	s.mu.Lock()
	l.tools, l.problems = found, problems
	s.publishLocked()
	s.mu.Unlock()
	s.tell()
	s.mu.Lock()
	defer s.mu.Unlock()
	l.done = load
	close(l.loaded)
	l.loaded = make(chan struct{})
}

// tell gives the watchers the present tools. One call of it at a time: the last one has the newest.
func (s *Sources) tell() {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.mu.Lock()
	tools, watchers := s.registry.All(), slices.Collect(maps.Keys(s.watchers))
	s.mu.Unlock()
	for _, fn := range watchers {
		(*fn)(tools)
	}
}

// publishLocked makes the registry anew. mu is held.
func (s *Sources) publishLocked() {
	all := slices.Clone(s.o.BuiltIn)
	var problems []tool.Problem
	for _, l := range s.all {
		problems = append(problems, l.problems...)
		for _, t := range l.tools {
			if err := tool.ValidCustomName(t.Spec().Name); err != nil {
				problems = append(problems, tool.Problem{Name: t.Spec().Name, Err: fault.Wrap(err, "", "load "+l.Origin())})
				continue
			}
			all = append(all, t)
		}
	}
	reg, clashes := tool.Collect(all...)
	s.problems = append(problems, clashes...)
	s.registry = reg.Lacking(s.problems)
}

// Registry returns the present tools.
func (s *Sources) Registry() *tool.Registry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.registry
}

// Started lists the processes and connections of the sources, one sentence each.
func (s *Sources) Started() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, l := range s.all {
		if st, ok := l.Source.(source.Started); ok {
			if text := st.Started(); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// Problems returns the tools that are left out with the reasons, and other present warnings. One without a name is
// about a whole source.
func (s *Sources) Problems() []tool.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.wrong, s.unknownLocked(), s.problems)
}

// Watch calls fn with all tools after each change, one call at a time, until stop. It begins with a call when the
// tools are others than those of seen.
func (s *Sources) Watch(seen *tool.Registry, fn func([]tool.Tool)) (stop func()) {
	s.mu.Lock()
	s.watchers[&fn] = struct{}{}
	others := s.registry != seen
	s.mu.Unlock()
	if others {
		s.tell()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, &fn)
	}
}

// Wait returns when every source has been loaded as it was when Wait was called, or ctx ends. Watchers have the tools
// by then.
func (s *Sources) Wait(ctx context.Context) error {
	s.mu.Lock()
	until := make(map[*loader]int, len(s.all))
	for _, l := range s.all {
		until[l] = l.wanted
	}
	s.mu.Unlock()
	return s.wait(ctx, until)
}

// wait returns when each loader has done the load with this number.
func (s *Sources) wait(ctx context.Context, until map[*loader]int) error {
	s.hurry()
	for l, load := range until {
		for gone := false; !gone; {
			s.mu.Lock()
			done, loaded := l.done, l.loaded
			s.mu.Unlock()
			if done >= load {
				break
			}
			select {
			case <-loaded:
			case <-l.ended:
				if s.life.Err() != nil {
					return fault.New(fault.Canceled, "load tools", "the workspace is closing")
				}
				gone = true // with its declaration
			case <-ctx.Done():
				return fault.New(fault.Timeout, "load tools", "%s has not loaded in time", l.Origin()).
					WithHint("See what it waits for, or take it out of the configuration.")
			}
		}
	}
	return nil
}

// Close ends what the sources have started, and returns when it has ended.
func (s *Sources) Close() error {
	s.mu.Lock()
	all := s.all
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return nil
	}
	s.stop()
	err := s.end(all)
	s.work.Wait()
	return err
}

// end closes sources that are used no more.
func (s *Sources) end(all []*loader) error {
	errs := make([]error, len(all))
	var closing sync.WaitGroup
	for i, l := range all {
		closing.Go(func() {
			l.stop()
			if l.quiet != nil {
				l.quiet()
			}
			errs[i] = l.Source.Close()
			if l.quiet != nil {
				<-l.ended
			}
		})
	}
	closing.Wait()
	err := errors.Join(errs...)
	if err != nil {
		s.o.Log.Warn("a source of tools did not end well", "workspace", s.o.Root, "error", err)
	}
	return err
}
