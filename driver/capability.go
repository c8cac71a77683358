package driver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// The optional capabilities. A driver implements those its platform has; tools find them with As and answer with a
// plain sentence when one is missing. Units: CSS pixels, time.Duration.

// Waiter wakes a caller when the screen may have changed since snap was taken (nil: from now on). It returns nil on a
// change, ctx's error otherwise. It never polls where the platform has an event.
type Waiter interface {
	WaitChange(ctx context.Context, since *screen.Snapshot) error
}

// Cause is the reason for a change on the screen, as far as it is known.
type Cause int

// The causes that a device distinguishes.
const (
	UnknownCause Cause = iota
	ActionCause        // the last action
	OwnCause           // the screen's own doing
	UnsureCause        // either
)

// Ascriber separates the results of the last action from changes that happen without it. The node 0 means the
// title. A node without an entry has not changed, or the cause is unknown.
type Ascriber interface {
	Ascribe(ctx context.Context, nodes []screen.NodeID) map[screen.NodeID]Cause
}

// Navigation is a request to load a document.
type Navigation struct {
	Action  string // "" or "goto", "back", "forward", "reload"
	URL     string
	Referer string
}

// Navigator loads documents. It returns when the new document has settled.
type Navigator interface {
	Navigate(ctx context.Context, n Navigation) (*Effect, error)

	// URL is the address of the page in front. With an error it is that of a page that cannot be used, or "".
	URL(ctx context.Context) (string, error)
}

// Leaver waits for the active page when it has begun to leave without an action.
type Leaver interface {
	// Leave waits, until ctx ends, for a navigation that has begun, and returns its effect: Changes.Navigation says
	// whether another document came since the last action that reported one, Settle.Reason is "quiet" when there
	// was nothing to wait for.
	Leave(ctx context.Context) (*Effect, error)
}

// Evaluator runs script text in the page's own world and returns JSON. With a node, the script may be a function that
// gets the element as its argument.
type Evaluator interface {
	Evaluate(ctx context.Context, script string, node screen.NodeID) (json.RawMessage, error)
}

// Reader looks closely at one element: at the ink of its text and at the position of the very words, which would be
// too much for a capture of everything.
type Reader interface {
	// Illegible returns the reason why a person could not read text in the element, or not see the element when text is
	// empty; "" when there is none.
	Illegible(ctx context.Context, node screen.NodeID, text string) (string, error)
}

// Recaller asks its screen less often when an action begins with the last capture.
type Recaller interface {
	// Recall is the newest capture, to act on by Target.Seen; nil when there is none to go by, or when a new one would
	// cost nothing.
	Recall() *screen.Snapshot
}

// Tab is an open tab.
type Tab struct {
	ID     string `json:"id"` // "t1", stable while it lives
	URL    string `json:"url"`
	Title  string `json:"title"`
	Active bool   `json:"active"`
	Opener string `json:"opener,omitempty"`
}

// Tabs lists and switches tabs and popups.
type Tabs interface {
	Tabs(ctx context.Context) ([]Tab, error)
	NewTab(ctx context.Context, url string) (Tab, error)
	SwitchTab(ctx context.Context, id string) error
	CloseTab(ctx context.Context, id string) error
}

// DialogPolicy says how dialogs are answered when no call waits for them. The zero value accepts alerts and
// beforeunload and dismisses confirms and prompts.
type DialogPolicy struct {
	Accept bool
	Answer string
	Once   bool // only the next dialog, then back to the default
	Keep   bool // leave dialogs open for HandleDialog; the capture then shows Snapshot.Dialog
}

// Dialogs answers JavaScript dialogs. No dialog ever hangs an action.
type Dialogs interface {
	SetDialogPolicy(ctx context.Context, p DialogPolicy) error
	HandleDialog(ctx context.Context, accept bool, answer string) (*DialogEvent, error)
	DialogLog(ctx context.Context) ([]DialogEvent, error)
}

// Downloader lists the downloads; WaitDownload waits for the next one that completes.
type Downloader interface {
	Downloads(ctx context.Context) ([]Download, error)
	WaitDownload(ctx context.Context) (*Download, error)
}

// Request is one network exchange as seen by the browser.
type Request struct {
	ID       string            `json:"id"`
	Seq      uint64            `json:"seq"`
	Method   string            `json:"method"`
	URL      string            `json:"url"`
	Type     string            `json:"type"` // document, xhr, fetch, script, …
	Status   int               `json:"status,omitempty"`
	Error    string            `json:"error,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	PostData string            `json:"postData,omitempty"`
	MIME     string            `json:"mime,omitempty"`
	Started  time.Time         `json:"started"`
	Duration time.Duration     `json:"duration,omitempty"`
	Done     bool              `json:"done"`
	Mocked   bool              `json:"mocked,omitempty"`
}

// Route answers matching requests instead of the network.
type Route struct {
	Pattern string            `json:"pattern"` // glob over the whole URL: * within a path segment, ** anything
	Method  string            `json:"method,omitempty"`
	Abort   bool              `json:"abort,omitempty"`
	Status  int               `json:"status,omitempty"` // default 200
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Times   int               `json:"times,omitempty"` // 0: always
}

// Network observes and answers requests.
type Network interface {
	Requests(ctx context.Context, since uint64) ([]Request, error)
	SetRoutes(ctx context.Context, routes []Route) error
}

// Routed lists the routes in force, so that one can be added to them. A used-up route is not among them.
type Routed interface {
	Routes(ctx context.Context) ([]Route, error)
}

// ConsoleMessage is one console line or uncaught error.
type ConsoleMessage struct {
	Seq    uint64    `json:"seq"`
	Level  string    `json:"level"` // log, info, warning, error, exception; network: a request that failed or was refused
	Text   string    `json:"text"`
	Source string    `json:"source,omitempty"` // url:line
	Time   time.Time `json:"time"`
}

// Failure reports whether the message says that something went wrong.
func (m ConsoleMessage) Failure() bool {
	return m.Level == "error" || m.Level == "exception" || m.Level == "network"
}

// Console returns what the page logged.
type Console interface {
	ConsoleMessages(ctx context.Context, since uint64) ([]ConsoleMessage, error)
}

// Storage moves login state in and out, in Playwright's storage-state JSON.
type Storage interface {
	StorageState(ctx context.Context) (json.RawMessage, error)
	SetStorageState(ctx context.Context, state json.RawMessage) error
}

// Viewport changes the size and the emulated device.
type Viewport interface {
	Resize(ctx context.Context, width, height int) error
	Emulate(ctx context.Context, preset string) error // "iPhone 14"; "" ends emulation
}

// Clipboard reads and writes the device's clipboard.
type Clipboard interface {
	SetClipboard(ctx context.Context, text string) error
	Clipboard(ctx context.Context) (string, error)
}

// StaleRefs explains a ref that is gone from the screen: the element it named, and how that one left the screen.
type StaleRefs interface {
	ExplainRef(ref string) string
}

// RefQuerier returns the CSS selectors with which a capture shows the element of a ref that no other capture shows,
// such as a wrapper that a selector found: none for a ref of what is always shown.
type RefQuerier interface {
	RefQuery(ref string) []string
}

// AppManager installs, starts and stops apps. On the web an app is an origin.
type AppManager interface {
	LaunchApp(ctx context.Context, id, mode string) (*Effect, error)
	StopApp(ctx context.Context, id string) error
	ClearAppData(ctx context.Context, id string) error
	InstalledApps(ctx context.Context) ([]string, error)
}

// Interrupter makes a device that does not answer usable again: a page whose script never ends, an unseen dialog.
// It asks the device for a sign of life first; when that comes, nothing is done and the text is "". Otherwise the
// text says in one sentence what had to be done, and the loss. It returns when ctx ends at the latest, with an
// error when the device is still not usable. It may be called while an action runs.
type Interrupter interface {
	Interrupt(ctx context.Context) (done string, err error)
}

// Lifeline knows whether a device is gone for good: its browser died, its phone was unplugged. It sends no
// request and returns at once.
type Lifeline interface {
	Gone() bool
}

// Concealer keeps secrets out of pictures: before one is taken, the device asks which texts show a secret, and paints
// over what shows them. Secrets is asked each time, because sessions learn secrets as they go; it gives nil when
// there are none. The values themselves are never handed over.
type Concealer interface {
	Conceal(secrets func() Secrets)
}

// Secrets finds the texts of a screen that show a secret.
type Secrets interface {
	Shows(text string) bool             // the whole of one, in whatever spelling
	SplitSecrets(texts []string) []bool // which of them, as they follow each other, show one that the page took apart
}
