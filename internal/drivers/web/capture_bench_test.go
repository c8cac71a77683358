package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// list is a page with about n elements.
func list(n int) string {
	var b strings.Builder
	b.WriteString("<title>List</title><h1>List</h1><ul>")
	for i := range n / 5 {
		fmt.Fprintf(&b, `<li><span>Item %d</span><a href="/i/%d">Open %d</a><button data-testid="b%d">Buy</button><input aria-label="Count %d"></li>`, i, i, i, i, i)
	}
	b.WriteString("</ul>")
	return b.String()
}

func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{200, 2000, 20000} {
		srv := serve(b, map[string]string{"/": list(n)})
		d := newDevice(b, DeviceOptions{})
		open(b, d, srv.URL+"/")
		for _, mode := range []string{"full", "changed", "same"} {
			b.Run(fmt.Sprintf("%s/%d", mode, n), func(b *testing.B) {
				i := 0
				for b.Loop() {
					if mode == "changed" {
						b.StopTimer()
						i++
						eval[any](b, d, fmt.Sprintf(`document.querySelector('span').textContent='x%d';1`, i))
						b.StartTimer()
					}
					if _, err := d.Snapshot(b.Context(), driver.SnapshotOptions{Full: mode == "full"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
