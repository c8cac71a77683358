package network

import (
	"testing"
	"time"
)

func TestPolls(t *testing.T) {
	begin := time.Unix(1_790_000_000, 0)
	tests := []struct {
		name  string
		at    []time.Duration // of the requests outside of actions
		other bool            // they are another tab's
		want  bool
	}{
		{"asked once before", []time.Duration{0}, false, false},
		{"asked twice at once", []time.Duration{0, time.Millisecond}, false, false},
		{"asked twice, some time apart", []time.Duration{0, time.Second}, false, true},
		{"by another tab", []time.Duration{0, time.Second}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l Log
			var mine, others Traffic
			ask := func(of *Traffic, after time.Duration) *Exchange {
				e := requestSent{RequestID: string(rune('a' + l.Seq())), Type: "Fetch", WallTime: float64(begin.Add(after).Unix())}
				e.WallTime += float64((after % time.Second).Microseconds()) / 1e6
				e.Request.Method, e.Request.URL = "GET", "/status?n="+e.RequestID
				l.sent(nil, of, e)
				return l.list[len(l.list)-1]
			}
			for _, after := range tt.at {
				of := &mine
				if tt.other {
					of = &others
				}
				ask(of, after)
			}
			mine.BeginAction(l.Seq())
			x := ask(&mine, time.Minute)
			if got := l.Polls(x); got != tt.want {
				t.Errorf("a request of an action counts as polling: %v, want %v", got, tt.want)
			}
			if got := len(mine.Pending()); !tt.other && got != len(tt.at)+1 {
				t.Errorf("%d requests are pending, want %d", got, len(tt.at)+1)
			}
		})
	}
}
