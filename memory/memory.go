package memory

import (
	"sync"
)

// Store is the memory of one session: named values, some of them secret. It is safe for concurrent use.
// The zero value is not usable; call New.
type Store struct {
	mu      sync.RWMutex
	values  map[string]any
	args    map[string]any
	secrets map[string]bool // names, sticky for the session
	origins map[string]string
	masks   []string // secret values seen so far, longest first
}

// New returns an empty store.
func New() *Store {
	return &Store{values: map[string]any{}, args: map[string]any{}, secrets: map[string]bool{}, origins: map[string]string{}}
}
