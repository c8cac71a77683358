package network

import (
	"strings"
	"testing"
)

// A list keeps its newest entries, within a number and within a size, and at least one.
func TestNewest(t *testing.T) {
	long := strings.Repeat("x", listBytes/4)
	for _, tt := range []struct {
		name  string
		list  []string
		limit int
		kept  int
	}{
		{"none", nil, 3, 0},
		{"all", []string{"a", "b"}, 3, 2},
		{"the limit", []string{"a", "b", "c"}, 2, 2},
		{"the size", []string{long, long, long, long, long, "a"}, 9, 4},
		{"one that is too long", []string{"a", strings.Repeat("x", 2*listBytes)}, 9, 1},
	} {
		kept, omitted := newest(tt.list, tt.limit)
		if len(kept) != tt.kept || omitted != len(tt.list)-tt.kept {
			t.Errorf("%s: %d kept, %d omitted; want %d kept of %d", tt.name, len(kept), omitted, tt.kept, len(tt.list))
		}
	}
}
