package page_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// floorWalk is about the least work that yields a snapshot at all: tag, own text and box of every
// element.
const floorWalk = `(()=>{const o=[];const w=(e,d)=>{const r=e.getBoundingClientRect();let t='';for(const c of e.childNodes)if(c.nodeType===3)t+=c.data;
o.push(' '.repeat(d)+e.localName+(e.getAttribute('role')?' role='+e.getAttribute('role'):'')+' "'+t.trim()+'" '
+(r.x|0)+','+(r.y|0)+','+(r.width|0)+','+(r.height|0));
for(const c of e.children)w(c,d+1)};w(document.body,0);return o.join('\n')})()`

// BenchmarkCapture measures, on a fresh document each round, the floor script, the first capture
// (protocol, decoding and the tree copy included) and a capture after one small change, and reports
// their ratios. The bars: first/floor at most 4 with 2,000 elements and 3 with 20,000; second/first
// at most 0.35.
func BenchmarkCapture(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			html := benchPage(n)
			l := newLab(b)
			var floor, first, second, full, apply []time.Duration
			for b.Loop() {
				l.load(html)
				l.js("1")
				floor = append(floor, timed(func() { l.js(floorWalk) }))
				l.load(html)
				first = append(first, timed(func() { l.capture() }))
				l.js(`document.querySelectorAll('button')[3].textContent='Changed'`)
				second = append(second, timed(func() { l.capture() }))
				full = append(full, timed(func() { l.doc.Reset(); l.capture() }))
				raw := l.raw(true)
				apply = append(apply, timed(func() {
					if err := l.doc.Apply(raw); err != nil {
						b.Fatal(err)
					}
					l.doc.Tree()
				}))
			}
			f, c, s := median(floor), median(first), median(second)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ms(f), "floor-ms")
			b.ReportMetric(ms(c), "first-ms")
			b.ReportMetric(ms(s), "second-ms")
			b.ReportMetric(ms(median(full)), "again-ms")
			b.ReportMetric(ms(median(apply)), "decode-ms")
			b.ReportMetric(c.Seconds()/f.Seconds(), "first/floor")
			b.ReportMetric(s.Seconds()/c.Seconds(), "second/first")
		})
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// benchPage builds a page of about n elements: forms, tables, lists and articles in equal parts.
// PAGE_FILE measures another page instead.
func benchPage(n int) string {
	if f := os.Getenv("PAGE_FILE"); f != "" {
		if html, err := os.ReadFile(strings.ReplaceAll(f, "%d", fmt.Sprint(n))); err == nil {
			return string(html)
		}
	}
	var s strings.Builder
	s.WriteString(`<!doctype html><html lang=en><title>Bench</title><style>body{font:14px sans-serif;margin:16px;max-width:1000px}
.row{margin:4px 0}td,th{border:1px solid #ccc;padding:2px 6px}.badge{background:#eef}nav a{margin-right:8px}</style><body><main>`)
	for i, count := 0, 3; count < n; i++ {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&s, `<form aria-label="Request %[1]d"><h3>Request form %[1]d</h3><div class=row><label
for=n%[1]d>Full name %[1]d</label><input id=n%[1]d value="Ben Okafor"></div>
<div class=row><label for=r%[1]d>Region</label><select id=r%[1]d><option>North<option>South<option>East<option>West</select></div>
<div class=row><input id=c%[1]d type=checkbox checked><label for=c%[1]d>Subscribe %[1]d</label></div><button type=button>Save request %[1]d</button></form>`, i)
			count += 16
		case 1:
			fmt.Fprintf(&s, `<table><caption>Orders %d</caption><thead><tr>`+
				`<th scope=col>Order<th scope=col>Customer<th scope=col>Amount<th scope=col>Status</tr></thead><tbody>`, i)
			count += 8
			for r := range 12 {
				fmt.Fprintf(&s, `<tr><td><a href="#o%d-%d">#%d</a><td>Elena Rossi<td>118.%02d<td><span class=badge>Refunded</span></tr>`, i, r, i*100+r, r)
				count += 7
			}
			s.WriteString(`</tbody></table>`)
		case 2:
			fmt.Fprintf(&s, `<section><h2>Priority stock supplier %d</h2><ul>`, i)
			count += 3
			for k := range 8 {
				fmt.Fprintf(&s, `<li><a href="#i%d-%d">Contract renewal ticket %d</a><p>Account order invoice shipping customer payment refund delivery</p></li>`, i, k, k)
				count += 3
			}
			s.WriteString(`</ul></section>`)
		case 3:
			fmt.Fprintf(&s, `<article><h2>Team project %d</h2><p>Monthly pending review approved archive settings profile.</p>
				<p>Budget forecast <strong>region north</strong> south east.</p>
<div role=group aria-label=Actions><button type=button>Reply %d</button><button type=button>Share %d</button></div></article>`, i, i, i)
			count += 8
		}
	}
	s.WriteString(`</main>`)
	return s.String()
}
