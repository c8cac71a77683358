package devices

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// Provider opens devices. It is safe for concurrent use.
type Provider interface {
	Open(ctx context.Context, s Spec) (driver.Device, error)
	// Available lists what could be connected, without opening anything.
	Available(ctx context.Context) ([]driver.Info, error)
}

// Spec says how a device is opened. Zero fields are the provider's choice.
type Spec struct {
	ID           string          `json:"id"` // "web", "web/checkout", "emulator-5554"
	Headless     *bool           `json:"headless,omitempty"`
	Viewport     string          `json:"viewport,omitempty"`    // "1280x800"
	Emulate      string          `json:"emulate,omitempty"`     // a device preset
	Profile      string          `json:"profile,omitempty"`     // a named, kept browser profile
	Permissions  []string        `json:"permissions,omitempty"` // of pages, in the words of the Permissions API
	Geolocation  string          `json:"geolocation,omitempty"` // "52.52,13.40"
	StorageState json.RawMessage `json:"-"`                     // login state; never written to disk
	Workspace    string          `json:"workspace,omitempty"`
}

// suits says whether a device that was opened with this spec is as wanted. A wanted spec that sets
// nothing fits every device.
func (s Spec) suits(want Spec) bool {
	bare := Spec{ID: s.ID, Workspace: s.Workspace}
	want.ID, want.Workspace = s.ID, s.Workspace
	return reflect.DeepEqual(want, bare) || reflect.DeepEqual(want, s)
}
