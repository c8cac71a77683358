package frames

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// tabOf returns a set with one tab whose frames are a main one, a frame in it and a frame in that, each with a document.
func tabOf(t *testing.T) (*Set, *Tab) {
	t.Helper()
	set := New(make(chan struct{}))
	tab := set.AddTab(&cdp.Session{}, &target.Info{TargetID: "T"})
	for _, ids := range [][2]proto.FrameID{{"main", ""}, {"inner", "main"}, {"innermost", "inner"}} {
		f := tab.ensureFrame(ids[0], ids[1], tab.Host)
		if tab.Main == nil {
			tab.Main = f
		}
		set.lastDoc++
		doc := &Document{Frame: f, Host: tab.Host, serial: set.lastDoc, uid: string(ids[0]), gone: make(chan struct{})}
		set.documents[doc.serial] = doc
		f.setDocument(doc)
	}
	return set, tab
}

// TestFramesEndTogether proves that a frame that is removed takes the frames in it along, that their documents end, and
// that an element of one of them is told as gone with the reason, while those of the others stay.
func TestFramesEndTogether(t *testing.T) {
	set, tab := tabOf(t)
	main, inner := tab.Frames["main"].Document, tab.Frames["innermost"].Document
	if got := tab.Children(tab.Main); len(got) != 1 || got[0].ID != "inner" {
		t.Errorf("the main frame has %v", got)
	}
	before := set.Generation
	set.Locked(func() { tab.removeFrame(tab.Frames["inner"]) })
	if len(tab.Frames) != 1 || set.Generation == before {
		t.Errorf("%d frames are left, generation %d after %d", len(tab.Frames), set.Generation, before)
	}
	select {
	case <-inner.gone:
	default:
		t.Error("the document of the innermost frame did not end")
	}
	if !errors.Is(inner.Ended(), ErrGone) || main.Ended() != nil {
		t.Errorf("ended: %v and %v", inner.Ended(), main.Ended())
	}
	set.Lock()
	defer set.Unlock()
	if doc, element := set.Holder(inner.NodeID(7)); doc != nil {
		t.Errorf("element %d is held by %v", element, doc)
	}
	if doc, element := set.Holder(main.NodeID(7)); doc != main || element != 7 {
		t.Errorf("element 7 of the main document is %d of %v", element, doc)
	}
}

// TestNumbersOfFramesStay proves that a frame keeps its number when it is met again, so that its elements keep their
// names, and that a frame is known as soon as it was met.
func TestNumbersOfFramesStay(t *testing.T) {
	set, tab := tabOf(t)
	number := tab.Frames["inner"].Number
	set.Locked(func() { tab.removeFrame(tab.Frames["inner"]) })
	if again := tab.ensureFrame("inner", "main", tab.Host); again.Number != number || again.Parent != tab.Main {
		t.Errorf("number %d in %v, want %d in the main frame", again.Number, again.Parent, number)
	}
	for id, want := range map[proto.FrameID]bool{"innermost": true, "T": true, "other": false} {
		if set.Knows(id) != want {
			t.Errorf("%s is known: %v", id, !want)
		}
	}
}

// TestFindTab proves that a tab is found by its id, and that a wrong one is told with what to do.
func TestFindTab(t *testing.T) {
	set, tab := tabOf(t)
	if got, err := set.FindTab(tab.ID); got != tab || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := set.FindTab("t9"); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), `"t9"`) {
		t.Errorf("error %v", err)
	}
}

// TestAwaitAlwaysAnswers proves each way in which a wait ends: the condition, its own error, the caller's deadline, the
// device's end and the browser's.
func TestAwaitAlwaysAnswers(t *testing.T) {
	broken := errors.New("broken")
	for name, tc := range map[string]struct {
		change func(set *Set, lost chan struct{}, ready *bool)
		want   error
		kind   fault.Kind
	}{
		"the condition holds":  {func(set *Set, _ chan struct{}, ready *bool) { set.Locked(func() { *ready = true }) }, nil, ""},
		"the deadline passes":  {func(*Set, chan struct{}, *bool) {}, context.DeadlineExceeded, fault.Timeout},
		"the device is closed": {func(set *Set, _ chan struct{}, _ *bool) { close(set.Done) }, nil, fault.Unavailable},
		"the browser is gone":  {func(_ *Set, lost chan struct{}, _ *bool) { close(lost) }, nil, fault.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lost := make(chan struct{})
				set := New(lost)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				ready := false
				answer := make(chan error, 1)
				go func() { answer <- set.Await(ctx, "page", func() (bool, error) { return ready, nil }) }()
				synctest.Wait()
				set.Changes.Notify() // a change that is not the one waited for
				synctest.Wait()
				if len(answer) > 0 {
					t.Fatalf("answered too early: %v", <-answer)
				}
				tc.change(set, lost, &ready)
				err := <-answer
				if fault.KindOf(err) != tc.kind && tc.kind != "" || tc.want != nil && !errors.Is(err, tc.want) ||
					tc.kind == "" && err != nil {
					t.Errorf("error %v (%v), want %v (%v)", err, fault.KindOf(err), tc.want, tc.kind)
				}
			})
		})
	}
	if err := New(nil).Await(t.Context(), "page", func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want the condition's", err)
	}
}

// TestBroadcastLosesNothing proves that a change between the taking of the channel and the wait wakes it, and that all
// who wait are woken by one change.
func TestBroadcastLosesNothing(t *testing.T) {
	var b Broadcast
	first, second := b.Wait(), b.Wait()
	b.Notify()
	for _, c := range []<-chan struct{}{first, second} {
		select {
		case <-c:
		default:
			t.Error("a waiter sleeps on")
		}
	}
	select {
	case <-b.Wait():
		t.Error("an old change wakes a new waiter")
	default:
	}
}

// TestNodeIDsHoldTheirDocument proves that the ids of elements are unlike in documents that are unlike, and lead back.
func TestNodeIDsHoldTheirDocument(t *testing.T) {
	seen := map[int64][]int64{}
	for serial := range int64(3) {
		doc := &Document{serial: serial + 1}
		for _, element := range []int64{1, 2, 1<<elementBits - 1} {
			s, e := splitID(doc.NodeID(element))
			if s != serial+1 || e != element || slices.Contains(seen[s], e) {
				t.Errorf("element %d of document %d is told as %d of %d", element, serial+1, e, s)
			}
			seen[s] = append(seen[s], e)
		}
	}
}
