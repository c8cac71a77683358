package metrics

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Handler serves the metrics in Prometheus' text format 0.0.4.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(m.page())
	})
}

// page is all metrics, the same ones in the same order each time.
func (m *Metrics) page() []byte {
	var p printer
	var s Status
	if m.o.Status != nil {
		s = m.o.Status()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p.family("trailblaze_calls_total", "counter", "Tool calls that ended.")
	for _, k := range slices.SortedFunc(maps.Keys(m.calls), compareCalls) {
		p.line("trailblaze_calls_total", float64(m.calls[k]), "tool", k.tool, "kind", k.kind, "outcome", k.outcome,
			"caller", k.caller)
	}
	p.family("trailblaze_call_seconds", "histogram", "How long tool calls took.")
	for _, k := range slices.SortedFunc(maps.Keys(m.seconds), compareTools) {
		p.histogram("trailblaze_call_seconds", m.seconds[k], "tool", k.tool, "kind", k.kind)
	}
	names := slices.Sorted(maps.Keys(m.replies))
	p.family("trailblaze_reply_bytes_total", "counter", "Bytes of the results of calls from outside.")
	for _, n := range names {
		p.line("trailblaze_reply_bytes_total", float64(m.replies[n].bytes), "tool", n)
	}
	p.family("trailblaze_reply_tokens_total", "counter", "About how many tokens their texts are.")
	for _, n := range names {
		p.line("trailblaze_reply_tokens_total", float64(m.replies[n].tokens), "tool", n)
	}
	for _, g := range []struct {
		name, help string
		value      float64
	}{
		{"trailblaze_clients", "Clients that the daemon knows.", float64(s.Clients)},
		{"trailblaze_devices", "Devices that are open or to be reopened.", float64(s.Devices)},
		{"trailblaze_sessions", "Sessions that run.", float64(s.Sessions)},
		{"trailblaze_calls_running", "Calls in flight.", float64(s.Running)},
		{"trailblaze_jobs", "Calls that went on as jobs and still run.", float64(s.Jobs)},
		{"trailblaze_uptime_seconds", "Since the daemon began.",
			time.Since(m.started).Truncate(time.Millisecond).Seconds()},
		{"go_goroutines", "Goroutines that exist.", float64(runtime.NumGoroutine())},
	} {
		p.family(g.name, "gauge", g.help)
		p.line(g.name, g.value)
	}
	return p.Bytes()
}

func compareCalls(a, b callKey) int {
	return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.kind, b.kind), cmp.Compare(a.outcome, b.outcome),
		cmp.Compare(a.caller, b.caller))
}

func compareTools(a, b toolKey) int {
	return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.kind, b.kind))
}

// printer writes the text format.
type printer struct{ bytes.Buffer }

func (p *printer) family(name, kind, help string) {
	_, _ = fmt.Fprintf(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// line writes one sample; labels are names and values in turn.
func (p *printer) line(name string, v float64, labels ...string) {
	p.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		if i == 0 {
			p.WriteByte('{')
		} else {
			p.WriteByte(',')
		}
		_, _ = fmt.Fprintf(p, `%s="%s"`, labels[i], labelEscapes.Replace(labels[i+1]))
	}
	if len(labels) > 1 {
		p.WriteByte('}')
	}
	p.WriteByte(' ')
	p.WriteString(number(v))
	p.WriteByte('\n')
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func (p *printer) histogram(name string, h *histogram, labels ...string) {
	var sum uint64
	for i, b := range bounds {
		sum += h.buckets[i]
		p.line(name+"_bucket", float64(sum), append(slices.Clone(labels), "le", number(b))...)
	}
	p.line(name+"_bucket", float64(h.count), append(slices.Clone(labels), "le", "+Inf")...)
	p.line(name+"_sum", h.sum, labels...)
	p.line(name+"_count", float64(h.count), labels...)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
