package waittest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fatal is a test that fails as a real one does, and keeps what it says.
type fatal struct {
	testing.TB
	said string
}

func (f *fatal) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// TestWaitsEnd proves that each wait in vain ends, long before the time of all tests is up, and says what never came.
func TestWaitsEnd(t *testing.T) {
	for name, wait := range map[string]func(testing.TB){
		"Await": func(t testing.TB) { Await(t, make(chan struct{}), "the answer comes") },
		"Join":  func(t testing.TB) { Join(t, func() { <-t.Context().Done() }, "the answer comes") },
		"Ended": func(t testing.TB) {
			_ = Ended(t, func() error { <-t.Context().Done(); return nil }, "the answer comes")
		},
		"Until": func(t testing.TB) { Until(t, func() bool { return false }, "the answer comes") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, began, over := &fatal{TB: t}, time.Now(), make(chan struct{})
				go func() {
					defer close(over)
					wait(f)
				}()
				<-over
				if took := time.Since(began); took < enough || took > 20*enough || !strings.Contains(f.said, "the answer comes") {
					t.Errorf("after %s it says %q", took, f.said)
				}
			})
		})
	}
}

// TestWaitsReturn proves that a wait gives what comes, and that Hold and Context end with their test.
func TestWaitsReturn(t *testing.T) {
	got := make(chan int)
	go func() { got <- 7 }()
	if n := Await(t, got, "a number"); n != 7 {
		t.Errorf("%d came, want 7", n)
	}
	if err := Ended(t, func() error { return fmt.Errorf("over") }, "the end"); err == nil {
		t.Error("the result of a wait is lost")
	}
	Join(t, func() {}, "the end")
	n := 0
	Until(t, func() bool { n++; return n == 3 }, "the third look")
	held := make(chan struct{})
	var ended <-chan struct{}
	t.Run("over", func(t *testing.T) {
		ended = Context(t).Done()
		go func() {
			Hold(t, nil)
			close(held)
		}()
	})
	Await(t, ended, "the context of a test that is over ends")
	Await(t, held, "the goroutine of a test that is over ends")
}

// What a test cleans up has a context that has not ended.
func TestContextOfCleanup(t *testing.T) {
	var err error
	t.Run("test", func(t *testing.T) {
		t.Cleanup(func() { err = Context(t).Err() })
	})
	if err != nil {
		t.Error(err)
	}
}
