package devices

import (
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Session is the session of a managed device. The lease guards it; logs and listings read it at any
// time.
type Session struct {
	*session.Session
	Observer *observe.Observer // what each client was last shown

	started time.Time
	actions atomic.Int64 // that succeeded
	steps   steps
	uncount func() // ends counting actions

	secretsOf string          // the client whose secrets the session knows; guarded by the lease
	secrets   map[string]bool // their names
}

// track counts the actions in a session.
func track(sess *session.Session, started time.Time, actions int) *Session {
	s := &Session{Session: sess, started: started, steps: steps{sess: sess}, Observer: observe.New()}
	s.actions.Store(int64(actions))
	s.uncount = sess.Log.Observe(func(e event.Event) {
		if acted(e) {
			s.actions.Add(1)
		}
	})
	return s
}

// acted reports whether an event is an action of a top-level call that succeeded.
func acted(e event.Event) bool {
	return e.Type == event.ToolCall && e.Call != nil && e.Call.Parent == "" && e.Call.Kind == tool.Action &&
		!e.Call.IsError
}

// Enter puts a call of a client into the step that its intent names, and ends the step before when
// that is another.
func (s *Session) Enter(client, intent string, kind tool.Kind) { s.steps.enter(client, intent, kind) }

// Called notes how a call went.
func (s *Session) Called(failure error) { s.steps.called(failure) }

// EndStep ends the open step.
func (s *Session) EndStep() { s.steps.end() }

// CloseWith ends the session.
func (s *Session) CloseWith(outcome event.Outcome, why error) error {
	s.steps.end()
	s.uncount()
	return s.Session.CloseWith(outcome, why)
}

// Leave lets go of the session without ending it.
func (s *Session) Leave() error {
	s.uncount()
	return s.Session.Leave()
}

// orphaned is the session after its device has gone.
func (s *Session) orphaned(url, why string) *orphan {
	return &orphan{
		Session: s.ID, Title: s.title(), Dir: s.Dir, URL: url, Started: s.started,
		Actions: int(s.actions.Load()), Why: why,
		memory: s.Memory,
	}
}

// title is the title of the session without secrets.
func (s *Session) title() string { return s.Memory.Mask(s.Info().Title) }

func (s *Session) status(device, client string) SessionStatus {
	return SessionStatus{
		ID: s.ID, Title: s.title(), Device: device, Dir: s.Dir, Started: s.started,
		Actions: int(s.actions.Load()), Client: client,
	}
}

// addSecrets makes the secrets of a client's call known to the session. A session that another client acted in before
// forgets the values of that client and still masks them.
func (s *Session) addSecrets(client string, secrets map[string]string) {
	if s.secretsOf != client {
		for name := range s.secrets {
			s.Memory.Delete(name)
		}
		s.secretsOf, s.secrets = client, map[string]bool{}
	}
	Learn(s.Memory, secrets)
	for name := range secrets {
		s.secrets[name] = true
	}
}

// Learn stores secrets in a memory that does not know them yet.
func Learn(m *memory.Store, secrets map[string]string) {
	for name, value := range secrets {
		if v, ok := m.Get(name); !ok || v != value || !m.IsSecret(name) {
			m.SetSecret(name, value)
		}
	}
}

// SessionStatus is a session as a listing shows it.
type SessionStatus struct {
	ID       string    `json:"id"`
	Title    string    `json:"title,omitempty"`
	Device   string    `json:"device"`
	Dir      string    `json:"dir,omitempty"`
	Started  time.Time `json:"started"`
	Actions  int       `json:"actions"`
	Client   string    `json:"clientId,omitempty"` // the beginning of the id of the client that holds its device
	Orphaned bool      `json:"lost,omitempty"`     // its device or daemon died, and it was not continued yet
}
