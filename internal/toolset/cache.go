package toolset

import (
	"runtime"
	"sync"
	"weak"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Cache keeps what is made of a spec for as long as the spec is in use: the specs of a workspace go
// when its tools are replaced. What is made must not refer to the spec. A Cache is safe for
// concurrent use; the zero value is ready.
type Cache[T any] struct {
	made sync.Map // of weak.Pointer[tool.Spec] to T
}

// Of is what build makes of a spec, which it does once.
func (c *Cache[T]) Of(s *tool.Spec, build func(*tool.Spec) T) T {
	key := weak.Make(s)
	have, ok := c.made.Load(key)
	if !ok {
		if have, ok = c.made.LoadOrStore(key, build(s)); !ok {
			runtime.AddCleanup(s, func(key weak.Pointer[tool.Spec]) { c.made.Delete(key) }, key)
		}
	}
	return have.(T) //nolint:forcetypeassert // only these are stored
}
