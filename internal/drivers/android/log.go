package android

import (
	"bufio"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// log keeps the newest lines of the phone's log.
type log struct {
	mu    sync.Mutex
	lines []line
	seq   uint64
	next  chan struct{} // closed by the next line, nil while nothing waits for it
	over  bool          // the phone gives no lines
}

// line is a line of logcat's threadtime format.
type line struct {
	seq              uint64
	at               time.Time
	pid, level       string
	tag, text, whole string
}

// head returns what stands before the text. The lines of one text have the same, to the millisecond.
func (n line) head() string { return strings.TrimSuffix(n.whole, n.text) }

const maxLines = 2000

// follow reads the log until ctx ends. The adb server may end meanwhile: the lines since then are read from the next
// one. A phone that gives no line has an empty log.
func (l *log) follow(ctx context.Context, phone adb.Device, await func(context.Context) error) {
	from := "1"
	for last := l.read(ctx, phone, from, ""); last != ""; last = l.read(ctx, phone, from, last) {
		if await(ctx) != nil {
			break
		}
		if m := logTime().FindString(last); m != "" {
			from = adb.Quote(m)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.wake()
}

var logTime = regex.Lazy(`^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}`)

// read reads the lines from a time on, or the last few, and returns the last one. A line that is known is left out.
func (l *log) read(ctx context.Context, phone adb.Device, from, known string) (last string) {
	r, err := phone.Stream(ctx, "logcat -v threadtime -T "+from+" 2>/dev/null")
	if err != nil {
		return ""
	}
	defer func() { _ = r.Close() }()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 64<<10)
	for in.Scan() {
		if last = strings.TrimRight(in.Text(), "\r"); last != known {
			l.add(parseLine(last, time.Now()))
		}
	}
	return last
}

func (l *log) add(n line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	n.seq = l.seq
	if len(l.lines) >= maxLines {
		l.lines = append(l.lines[:0], l.lines[maxLines/2:]...)
	}
	l.lines = append(l.lines, n)
	l.wake()
}

func (l *log) wake() {
	if l.next != nil {
		close(l.next)
		l.next = nil
	}
}

// more waits for another line, for at most so long.
func (l *log) more(ctx context.Context, most time.Duration) bool {
	if most <= 0 {
		return false
	}
	l.mu.Lock()
	if l.next == nil {
		l.next = make(chan struct{})
	}
	next, over := l.next, l.over
	l.mu.Unlock()
	if over {
		return false
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-next:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func (l *log) newest() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// since copies the lines after one.
func (l *log) since(seq uint64) []line {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []line
	for _, n := range l.lines {
		if n.seq > seq {
			out = append(out, n)
		}
	}
	return out
}

// parseLine reads `11-25 19:03:55.123  1234  1240 E Tag: text`. Any other line is a text.
func parseLine(s string, now time.Time) line {
	out := line{at: now, whole: s, text: s, level: "I"}
	f := strings.Fields(s)
	if len(f) < 6 || len(f[4]) != 1 {
		return out
	}
	if _, err := strconv.Atoi(f[2]); err != nil {
		return out
	}
	out.pid, out.level = f[2], f[4]
	_, rest, _ := strings.Cut(s, " "+f[4]+" ")
	tag, said, ok := strings.Cut(rest, ": ")
	if !ok {
		tag, said, _ = strings.Cut(rest, ":")
	}
	out.tag, out.text = strings.TrimSpace(tag), said
	return out
}

// started returns the number of the line by which the system says that it starts an app, or since where none comes: a
// crash before it is one of the app as it was.
func (l *log) started(ctx context.Context, since uint64, app string) uint64 {
	for end := time.Now().Add(grace); ; {
		for _, n := range l.since(since) {
			if strings.HasPrefix(n.tag, "Activity") && strings.HasPrefix(n.text, "START u") &&
				strings.Contains(n.text, "cmp="+app+"/") {
				return n.seq
			}
		}
		if !l.more(ctx, time.Until(end)) {
			return since
		}
	}
}

// crash is the report of a crash of an app, or that it did not answer.
func (l *log) crash(since uint64, app string) string {
	var out []string
	pid := ""
	for _, n := range l.since(since) {
		switch {
		case n.tag == "AndroidRuntime" && strings.HasPrefix(n.text, "FATAL EXCEPTION"):
			pid, out = n.pid, []string{n.text}
		case pid != "" && n.tag == "AndroidRuntime" && n.pid == pid && len(out) < 12:
			out = append(out, n.text)
		case n.tag == "ActivityManager" && strings.HasPrefix(n.text, "ANR in ") && strings.Contains(n.text, app):
			return n.text
		}
	}
	said := strings.Join(out, "\n")
	if !strings.Contains(said, "Process: "+app) {
		return ""
	}
	return said
}

// about returns the last lines since a time that are of some processes or name an app. A crash names its own process.
func (l *log) about(since time.Time, pids, apps []string) string {
	const most, width = 20, 240
	var out []string
	for _, n := range l.since(0) {
		named := slices.ContainsFunc(apps, func(app string) bool { return strings.Contains(n.text, app) })
		if named && n.tag == "AndroidRuntime" {
			pids = append(pids, n.pid)
		}
		if n.at.Before(since) || !named && !slices.Contains(pids, n.pid) {
			continue
		}
		text := []rune(n.level + " " + n.tag + ": " + n.text)
		out = append(out, string(text[:min(len(text), width)]))
	}
	return strings.Join(out[max(0, len(out)-most):], "\n")
}

var windowInFront = regex.Lazy(`mCurrentFocus=.* ([\w.]+)/([\w.$]+)`)

// Diagnose returns what a failure may come of: what is in front, in which version, and what the log says of it and of
// the app that was started.
func (d *Device) Diagnose(ctx context.Context, since time.Time) (out []string) {
	d.mu.Lock()
	apps := []string{d.started}
	d.mu.Unlock()
	said, _, _, _ := d.Run(ctx, "dumpsys window | grep mCurrentFocus")
	if m := windowInFront().FindStringSubmatch(said); m != nil {
		apps = append(apps, m[1])
		out = append(out, "in front was "+strings.TrimPrefix(m[2], m[1])+" of "+d.version(ctx, m[1]))
	}
	apps = slices.DeleteFunc(apps, func(app string) bool { return app == "" })
	pids, _, _, _ := d.Run(ctx, "pidof "+strings.Join(apps, " "))
	if lines := d.log.about(since, strings.Fields(pids), apps); lines != "" {
		out = append(out, "the phone's log of this step and the one before:\n"+lines)
	}
	return out
}

// ConsoleMessages implements driver.Console: the log of the phone. The lines of one text are one message. An error is
// the end of the app that was started or is in front, or an exception that it has logged; Android itself logs errors
// without one in each app, whatever it does. Those are warnings, and what other programs log as errors is "log".
func (d *Device) ConsoleMessages(ctx context.Context, since uint64) ([]driver.ConsoleMessage, error) {
	var texts []line
	head := ""
	for _, n := range d.log.since(since) {
		if k := len(texts) - 1; k >= 0 && n.head() == head && n.tag != "" {
			texts[k].seq, texts[k].text = n.seq, texts[k].text+"\n"+n.text
		} else {
			texts, head = append(texts, n), n.head()
		}
	}
	var out []driver.ConsoleMessage
	for _, n := range texts {
		first, trace, _ := strings.Cut(n.text, "\n\t")
		level := map[string]string{"W": "warning", "E": "error", "F": "exception", "I": "info"}[n.level]
		switch {
		case level == "", level != "info" && level != "warning" && !logged(ctx, d, n):
			level = "log"
		case level == "error" && trace == "" && !fatal(n):
			level = "warning"
		}
		// The first line of a crash does not say which it is.
		text := strings.TrimSuffix(strings.ReplaceAll(first, "\n", " ")+"\n\t"+trace, "\n\t")
		out = append(out, driver.ConsoleMessage{Seq: n.seq, Level: level, Text: text, Source: n.tag, Time: n.at})
	}
	return out, nil
}

// fatal reports whether a text is of the end of an app, which is named in it, or of an app that does not answer.
func fatal(n line) bool { return n.tag == "AndroidRuntime" || strings.HasPrefix(n.text, "ANR in ") }

// logged reports whether a text is of the app that was started or is in front, or of its end. The rest of a stack
// is not.
func logged(ctx context.Context, d *Device, n line) bool {
	d.mu.Lock()
	apps := slices.DeleteFunc([]string{d.started, d.inFront}, func(app string) bool { return app == "" })
	key := strings.Join(apps, " ")
	if d.pids.apps != key {
		d.pids.apps, d.pids.ours = key, map[string]bool{}
	}
	ours, known := d.pids.ours[n.pid]
	d.mu.Unlock()
	switch {
	case key == "", strings.HasPrefix(n.text, "\t"):
		return false
	case fatal(n):
		return slices.ContainsFunc(apps, func(app string) bool { return strings.Contains(n.text, app) })
	case known:
		return ours
	}
	said, _, _, err := d.Run(ctx, "pidof "+key)
	if err != nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	ours = slices.Contains(strings.Fields(said), n.pid)
	if d.pids.apps == key {
		d.pids.ours[n.pid] = ours
	}
	return ours
}
