package phone

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dumpsys prints the parts of a device's dumps that clients read.
func dumpsys(c *call) int {
	if len(c.args) == 0 || c.args[0] == "-l" {
		c.printf("Currently running services:\n  activity\n  battery\n  display\n  input_method\n  package\n  window\n")
		return 0
	}
	switch c.args[0] {
	case "window":
		return c.dumpWindow()
	case "activity":
		return c.dumpActivity()
	case "input_method":
		shown := c.state(c).Keyboard
		c.printf("Input method manager service:\n  mCurMethodId=%s\n  mCurImeId=%s\n  mInputShown=%t\n"+
			"  mIsInputViewShown=%t\n", keyboard, keyboard, shown, shown)
		return 0
	case "package":
		return c.dumpPackage()
	case "battery":
		c.printf("Current Battery Service state:\n  AC powered: true\n  USB powered: false\n  status: 5\n" +
			"  health: 2\n  present: true\n  level: 100\n  scale: 100\n  voltage: 4200\n  temperature: 250\n" +
			"  technology: none\n")
		return 0
	case "display":
		s := c.state(c)
		c.printf("DISPLAY MANAGER (dumpsys display)\n  mDefaultDisplay: 0\n"+
			"  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:0', "+
			"physicalPort=0, orientation=%d, logicalFrame=Rect(0, 0 - %d, %d), physicalFrame=Rect(0, 0 - %d, %d), "+
			"deviceWidth=%d, deviceHeight=%d}]\n  mCurrentOrientation=%d\n  density %d\n",
			rotation(s), s.Width, s.Height, s.Width, s.Height, s.Width, s.Height, rotation(s), s.Density)
		return 0
	}
	return c.fail("Can't find service: %s", c.args[0])
}

func rotation(s state) int {
	if s.Width > s.Height {
		return 1
	}
	return 0
}

func (c *call) dumpWindow() int {
	s := c.state(c)
	focus, app := "null", "null"
	if s.Top != "" {
		app = fmt.Sprintf("ActivityRecord{%07x u0 %s t1}", 1, s.Top)
	}
	c.printf("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
	for i, w := range s.Windows {
		name := w.Title
		if name == "" {
			name = s.Top
		}
		id := fmt.Sprintf("Window{%07x u0 %s}", 0x100+i, name)
		if w.Focused {
			focus = id
		}
		c.printf("  Window #%d %s:\n    mAttrs={(%d,%d)(%dx%d) ty=%d}\n    isOnScreen=true\n"+
			"    mFrame=[%d,%d][%d,%d]\n",
			len(s.Windows)-1-i, id, w.X, w.Y, w.Width, w.Height, w.Type, w.X, w.Y, w.X+w.Width, w.Y+w.Height)
	}
	c.printf("  mCurrentFocus=%s\n  mFocusedApp=%s\n  mRotation=%d\n  mDisplayFrozen=false\n"+
		"  mScreenOnFully=true\n  mAwake=true\n  mDreamingLockscreen=false\n", focus, app, rotation(s))
	return 0
}

func (c *call) dumpActivity() int {
	s := c.state(c)
	c.printf("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n")
	for i, task := range s.Tasks {
		c.printf("  * Task{%07x #%d type=standard}\n", 0x10+i, len(s.Tasks)-i)
		for k, name := range task {
			c.printf("    * Hist  #%d: ActivityRecord{%07x u0 %s t%d}\n", len(task)-1-k, 0x1000+16*i+k, name, len(s.Tasks)-i)
		}
	}
	record := "null"
	if s.Top != "" {
		record = fmt.Sprintf("ActivityRecord{%07x u0 %s t%d}", 0x1000, s.Top, len(s.Tasks))
	}
	c.printf("  mResumedActivity: %s\n  topResumedActivity=%s\n  ResumedActivity: %s\n  mFocusedApp=%s\n", record,
		record, record, record)
	return 0
}

func (c *call) dumpPackage() int {
	names := slices.DeleteFunc(slices.Clone(c.args[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.printf("Packages:\n")
	for _, a := range c.apps {
		if len(names) > 0 && a.Package != names[0] {
			continue
		}
		c.printf("  Package [%s] (%07x):\n    userId=10100\n    codePath=/data/app/%s\n"+
			"    versionCode=%d minSdk=21 targetSdk=%d\n    versionName=%s\n"+
			"    runtime permissions:\n", a.Package, 0xa, a.Package, a.VersionCode, a.TargetSDK, a.VersionName)
		for _, p := range a.granted {
			c.printf("      %s: granted=true, flags=[ USER_SET]\n", p)
		}
	}
	return 0
}

// ps lists the processes of apps and of helpers, and that of the phone itself.
func ps(c *call) int {
	c.printf("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
	c.printf("%-12s %5d %5d %7d %6d %-16s %4s S %s\n", "root", systemPID, 0, 0, 0, "0", "0", "init")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.helpers.mu.Lock()
	defer c.helpers.mu.Unlock()
	for _, n := range c.helpers.count {
		for range n {
			c.printf("%-12s %5d %5d %7d %6d %-16s %4s S %s\n", "shell", systemPID, systemPID, 0, 0, "0", "0", "app_process")
		}
	}
	for name, own := range c.running {
		c.printf("%-12s %5d %5d %7d %6d %-16s %4s S %s\n", "u0_a100", own.proc.PID(), systemPID, 0, 0, "0", "0", name)
	}
	return 0
}

func pidof(c *call) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range c.args {
		if own := c.running[name]; own != nil {
			c.printf("%d\n", own.proc.PID())
			return 0
		}
	}
	return statusFailed
}

// logArgs are the arguments of logcat.
type logArgs struct {
	format      string
	dump, clear bool
	count, pid  int // count is -1, and pid 0, where all is wanted
	after       time.Time
	minimum     map[string]string // level by tag
}

// readLogArgs reads the arguments of logcat; what is wrong with them goes to the call, and status is not 0.
func readLogArgs(c *call) (l logArgs, status int) {
	l = logArgs{format: "threadtime", count: -1, minimum: map[string]string{}}
	silent := false
	for i := 0; i < len(c.args); i++ {
		next := func() string {
			if i++; i < len(c.args) {
				return c.args[i]
			}
			return ""
		}
		a := c.args[i]
		switch {
		case a == "-d":
			l.dump = true
		case a == "-c" || a == "--clear":
			l.clear = true
		case a == "-v" || a == "--format":
			l.format = next()
		case strings.HasPrefix(a, "-v"):
			l.format = a[2:]
		case a == "-s":
			silent = true
		case a == "-t" || a == "-T":
			l.dump = l.dump || a == "-t"
			v := next()
			if n, err := strconv.Atoi(v); err == nil {
				l.count = n
			} else if l.after, err = logTime(v); err != nil {
				return l, c.fail("logcat: -%s %q is neither a count nor a time", a[1:], v)
			}
		case a == "-b" || a == "--buffer":
			next()
		case a == "--pid":
			l.pid, _ = strconv.Atoi(next())
		case strings.HasPrefix(a, "--pid="):
			l.pid, _ = strconv.Atoi(a[6:])
		case strings.HasPrefix(a, "-"):
			return l, c.refuse("logcat " + a)
		default:
			tag, level, ok := strings.Cut(a, ":")
			if !ok {
				level = "V"
			}
			l.minimum[tag] = level
		}
	}
	if silent && l.minimum["*"] == "" {
		l.minimum["*"] = "S"
	}
	return l, 0
}

// shows reports whether a line is wanted.
func (l logArgs) shows(line logLine) bool {
	level, ok := l.minimum[line.Tag]
	if !ok {
		level, ok = l.minimum["*"]
	}
	return (l.pid == 0 || line.PID == l.pid) && line.Ms > l.after.UnixMilli() &&
		(!ok || strings.Index("VDIWEFS", line.Level) >= strings.Index("VDIWEFS", level))
}

// logcat prints the log, or follows it.
func logcat(c *call) int {
	args, status := readLogArgs(c)
	if status != 0 {
		return status
	}
	if args.clear {
		c.log.clear()
		return 0
	}
	lines, at, grown := c.log.since(0)
	if args.count >= 0 {
		lines = lines[max(0, len(lines)-args.count):]
	}
	c.printf("--------- beginning of main\n")
	for {
		for _, l := range lines {
			if args.shows(l) {
				c.printf("%s", l.format(args.format))
			}
		}
		if args.dump {
			return 0
		}
		select {
		case <-grown:
		case <-c.Done():
			return statusCancelled
		}
		lines, at, grown = c.log.since(at)
	}
}

// logTime reads a time as logcat prints it, or in seconds.
func logTime(s string) (time.Time, error) {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return time.UnixMilli(int64(f * 1000)), nil
	}
	for _, layout := range []string{"2006-01-02 15:04:05.000", "01-02 15:04:05.000"} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			if t.Year() == 0 {
				t = t.AddDate(time.Now().Year(), 0, 0)
			}
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("no time: %s", s)
}
