package phone

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// flags splits arguments into the letters of options and the rest. The value of an option in valued is its next
// argument.
func (c *call) flags(valued string) (letters string, values map[byte]string, rest []string) {
	values = map[byte]string{}
	for i := 0; i < len(c.args); i++ {
		a := c.args[i]
		switch {
		case a == "--":
			return letters, values, append(rest, c.args[i+1:]...)
		case len(a) < 2 || a[0] != '-':
			rest = append(rest, a)
		case strings.IndexByte(valued, a[1]) >= 0:
			letters += a[1:2]
			if len(a) > 2 {
				values[a[1]] = a[2:]
			} else if i++; i < len(c.args) {
				values[a[1]] = c.args[i]
			}
		default:
			letters += a[1:]
		}
	}
	return letters, values, rest
}

// complain prints why a program failed on a file.
func (c *call) complain(name string, err error) int {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	text := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		text = "No such file or directory"
	}
	return c.fail("%s: %s: %s", c.name, name, text)
}

// each gives the contents of the named files, or of the standard input, to use.
func (c *call) each(names []string, use func(name string, b []byte) int) int {
	if len(names) == 0 || slices.Equal(names, []string{"-"}) {
		b, err := io.ReadAll(c.in)
		if err != nil {
			return c.complain("-", err)
		}
		return use("-", b)
	}
	worst := 0
	for _, n := range names {
		b, err := c.read(c.at(n))
		if err != nil {
			worst = c.complain(n, err)
			continue
		}
		worst = max(worst, use(n, b))
	}
	return worst
}

func cat(c *call) int {
	if len(c.args) == 0 {
		_, _ = io.Copy(c.out, c.in)
		return 0
	}
	return c.each(c.args, func(_ string, b []byte) int {
		_, _ = c.out.Write(b)
		return 0
	})
}

func ls(c *call) int {
	letters, _, names := c.flags("")
	if len(names) == 0 {
		names = []string{c.dir}
	}
	worst := 0
	line := func(info fs.FileInfo, name string) {
		if strings.Contains(letters, "l") {
			c.printf("%s 1 shell shell %d %s %s\n", info.Mode(), info.Size(), info.ModTime().Format("2006-01-02 15:04"), name)
		} else {
			c.printf("%s\n", name)
		}
	}
	for _, n := range names {
		at := c.at(n)
		info, err := c.files.Stat(below(at))
		switch {
		case err != nil:
			worst = c.complain(n, err)
		case !info.IsDir() || strings.Contains(letters, "d"):
			line(info, n)
		default:
			entries, err := fs.ReadDir(c.files.FS(), below(at))
			if err != nil {
				worst = c.complain(n, err)
			}
			for _, e := range entries {
				if info, err := e.Info(); err == nil && (e.Name()[0] != '.' || strings.ContainsAny(letters, "aA")) {
					line(info, e.Name())
				}
			}
		}
	}
	return worst
}

func find(c *call) int {
	from, match := c.dir, "*"
	kind := ""
	for i := 0; i < len(c.args); i++ {
		switch a := c.args[i]; {
		case a[0] != '-':
			from = c.at(a)
		case a == "-name" && i+1 < len(c.args):
			i++
			match = c.args[i]
		case a == "-type" && i+1 < len(c.args):
			i++
			kind = c.args[i]
		default:
			return c.refuse("find knows -name and -type, not " + a)
		}
	}
	err := fs.WalkDir(c.files.FS(), below(from), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ok, err := path.Match(match, path.Base("/"+name))
		if err != nil {
			return err
		}
		if ok && (kind == "" || (kind == "d") == d.IsDir()) {
			c.printf("%s\n", path.Clean("/"+name))
		}
		return nil
	})
	if err != nil {
		return c.complain(from, err)
	}
	return 0
}

func mkdir(c *call) int {
	letters, _, names := c.flags("m")
	make := c.files.Mkdir
	if strings.Contains(letters, "p") {
		make = c.files.MkdirAll
	}
	worst := 0
	for _, n := range names {
		if err := make(below(c.at(n)), 0o770); err != nil {
			worst = c.complain(n, err)
		}
	}
	return worst
}

func rm(c *call) int {
	letters, _, names := c.flags("")
	worst := 0
	for _, n := range names {
		at := below(c.at(n))
		var err error
		if strings.ContainsAny(letters, "rR") {
			if _, err = c.files.Lstat(at); err == nil {
				err = c.files.RemoveAll(at)
			}
		} else {
			err = c.files.Remove(at)
		}
		if err != nil && !(strings.Contains(letters, "f") && errors.Is(err, fs.ErrNotExist)) {
			worst = c.complain(n, err)
		}
	}
	return worst
}

// to returns the path of a copy: below the target when that is a folder.
func (c *call) to(from, target string) string {
	at := c.at(target)
	if info, err := c.files.Stat(below(at)); err == nil && info.IsDir() {
		return path.Join(at, path.Base(from))
	}
	return at
}

func cp(c *call) int {
	_, _, names := c.flags("")
	if len(names) < 2 {
		return c.fail("cp: needs a source and a target")
	}
	target := names[len(names)-1]
	return c.each(names[:len(names)-1], func(name string, b []byte) int {
		if err := c.write(c.to(name, target), b); err != nil {
			return c.complain(target, err)
		}
		return 0
	})
}

func mv(c *call) int {
	_, _, names := c.flags("")
	if len(names) != 2 {
		return c.fail("mv: needs a source and a target")
	}
	if err := c.files.Rename(below(c.at(names[0])), below(c.to(names[0], names[1]))); err != nil {
		return c.complain(names[0], err)
	}
	return 0
}

func touch(c *call) int {
	worst := 0
	for _, n := range c.args {
		at := below(c.at(n))
		f, err := c.files.OpenFile(at, 0x42, 0o660) // create, read and write
		if err == nil {
			err = errors.Join(f.Close(), c.files.Chtimes(at, time.Now(), time.Now()))
		}
		if err != nil {
			worst = c.complain(n, err)
		}
	}
	return worst
}

func statProgram(c *call) int {
	_, values, names := c.flags("c")
	worst := 0
	for _, n := range names {
		info, err := c.files.Stat(below(c.at(n)))
		if err != nil {
			worst = c.complain(n, err)
			continue
		}
		format := values['c']
		if format == "" {
			format = "  File: %n\n  Size: %s"
		}
		c.printf("%s\n", strings.NewReplacer("%n", n, "%s", fmt.Sprint(info.Size()), "%Y", fmt.Sprint(info.ModTime().Unix()),
			"%a", strconv.FormatUint(uint64(info.Mode().Perm()), 8)).Replace(format))
	}
	return worst
}

func sum(c *call) int {
	return c.each(c.args, func(name string, b []byte) int {
		var s []byte
		switch c.name {
		case "md5sum":
			x := md5.Sum(b)
			s = x[:]
		case "sha1sum":
			x := sha1.Sum(b)
			s = x[:]
		default:
			x := sha256.Sum256(b)
			s = x[:]
		}
		c.printf("%x  %s\n", s, name)
		return 0
	})
}

func base64Program(c *call) int {
	letters, values, names := c.flags("w")
	return c.each(names, func(name string, b []byte) int {
		if strings.Contains(letters, "d") {
			text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(b)), ""))
			if err != nil {
				return c.complain(name, err)
			}
			_, _ = c.out.Write(text)
			return 0
		}
		width := 76
		if w, err := strconv.Atoi(values['w']); err == nil {
			width = w
		}
		s := base64.StdEncoding.EncodeToString(b)
		for ; width > 0 && len(s) > width; s = s[width:] {
			c.printf("%s\n", s[:width])
		}
		c.printf("%s\n", s)
		return 0
	})
}

func grep(c *call) int {
	letters, values, names := c.flags("em")
	pattern, has := values['e']
	if !has {
		if len(names) == 0 {
			return c.fail("grep: no pattern")
		}
		pattern, names = names[0], names[1:]
	}
	switch {
	case strings.Contains(letters, "F"):
		pattern = regexp.QuoteMeta(pattern)
	case !strings.Contains(letters, "E"):
		pattern = basicPattern(pattern)
	}
	if strings.Contains(letters, "i") {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		_ = c.fail("grep: bad pattern: %v", err)
		return 2
	}
	found := 0
	most, err := strconv.Atoi(values['m'])
	if err != nil {
		most = -1
	}
	use := func(line string) bool {
		shown := re.FindString(line)
		if re.MatchString(line) == strings.Contains(letters, "v") {
			return true
		}
		found++
		switch {
		case strings.Contains(letters, "q"):
			return false
		case strings.Contains(letters, "c"):
		case strings.Contains(letters, "o"):
			c.printf("%s\n", shown)
		default:
			c.printf("%s\n", line)
		}
		return found != most
	}
	if len(names) == 0 {
		for lines := bufio.NewScanner(c.in); lines.Scan() && use(lines.Text()); {
		}
	} else {
		c.each(names, func(_ string, b []byte) int {
			for line := range bytes.Lines(b) {
				if !use(strings.TrimRight(string(line), "\n")) {
					break
				}
			}
			return 0
		})
	}
	if strings.Contains(letters, "c") {
		c.printf("%d\n", found)
	}
	if found == 0 {
		return statusFailed
	}
	return 0
}

// basicPattern is a basic regular expression as an extended one: in it, \| \+ \? \( \) \{ \} are the special ones.
func basicPattern(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\' && i+1 < len(p):
			if i++; !strings.ContainsRune("|+?(){}", rune(p[i])) {
				b.WriteByte('\\')
			}
			b.WriteByte(p[i])
		case strings.IndexByte("|+?(){}", p[i]) >= 0:
			b.WriteString("\\" + p[i:i+1])
		default:
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

func head(c *call) int {
	return c.part(func(lines []string, n int) []string { return lines[:min(n, len(lines))] })
}

func tail(c *call) int {
	return c.part(func(lines []string, n int) []string { return lines[max(0, len(lines)-n):] })
}

func (c *call) part(cut func(lines []string, n int) []string) int {
	letters, values, names := c.flags("nc")
	n := 10
	if v, err := strconv.Atoi(values['n']); err == nil {
		n = v
	} else if v, err := strconv.Atoi(letters); err == nil { // -5
		n = v
	}
	return c.each(names, func(_ string, b []byte) int {
		if bytes, err := strconv.Atoi(values['c']); err == nil {
			_, _ = c.out.Write(b[:min(bytes, len(b))])
			return 0
		}
		lines := strings.SplitAfter(string(b), "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		c.printf("%s", strings.Join(cut(lines, n), ""))
		return 0
	})
}

func sortProgram(c *call) int {
	letters, _, names := c.flags("k")
	return c.each(names, func(_ string, b []byte) int {
		lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		slices.Sort(lines)
		if strings.Contains(letters, "r") {
			slices.Reverse(lines)
		}
		if strings.Contains(letters, "u") {
			lines = slices.Compact(lines)
		}
		c.printf("%s\n", strings.Join(lines, "\n"))
		return 0
	})
}

func wc(c *call) int {
	letters, _, names := c.flags("")
	return c.each(names, func(name string, b []byte) int {
		counts := []string{}
		for _, k := range []struct {
			letter string
			n      int
		}{{"l", bytes.Count(b, []byte("\n"))}, {"w", len(bytes.Fields(b))}, {"c", len(b)}} {
			if letters == "" || strings.Contains(letters, k.letter) {
				counts = append(counts, strconv.Itoa(k.n))
			}
		}
		if name != "-" {
			counts = append(counts, name)
		}
		c.printf("%s\n", strings.Join(counts, " "))
		return 0
	})
}

func basename(c *call) int {
	if len(c.args) == 0 {
		return c.fail("basename: needs a path")
	}
	b := path.Base(c.args[0])
	if len(c.args) > 1 {
		b = strings.TrimSuffix(b, c.args[1])
	}
	c.printf("%s\n", b)
	return 0
}

func dirname(c *call) int {
	if len(c.args) == 0 {
		return c.fail("dirname: needs a path")
	}
	c.printf("%s\n", path.Dir(c.args[0]))
	return 0
}

func which(c *call) int {
	worst := 0
	for _, n := range c.args {
		if programs()[n] == nil {
			worst = statusFailed
			continue
		}
		c.printf("/system/bin/%s\n", n)
	}
	return worst
}

func date(c *call) int {
	now := time.Now().In(time.UTC)
	for _, a := range c.args {
		if format, ok := strings.CutPrefix(a, "+"); ok {
			c.printf("%s\n", strings.NewReplacer("%s", fmt.Sprint(now.Unix()), "%N", fmt.Sprintf("%09d", now.Nanosecond()),
				"%Y", now.Format("2006"), "%m", now.Format("01"), "%d", now.Format("02"), "%H", now.Format("15"), "%M",
				now.Format("04"),
				"%S", now.Format("05"), "%F", now.Format("2006-01-02"), "%T", now.Format("15:04:05")).Replace(format))
			return 0
		}
	}
	c.printf("%s\n", now.Format("Mon Jan _2 15:04:05 MST 2006"))
	return 0
}

func id(c *call) int {
	if slices.Contains(c.args, "-u") {
		c.printf("2000\n")
	} else {
		c.printf("uid=2000(shell) gid=2000(shell) groups=2000(shell) context=u:r:shell:s0\n")
	}
	return 0
}

func whoami(c *call) int {
	c.printf("shell\n")
	return 0
}

func uname(c *call) int {
	if slices.Contains(c.args, "-m") {
		c.printf("%s\n", machine())
	} else {
		c.printf("Linux\n")
	}
	return 0
}

func uptime(c *call) int {
	c.printf(" %s up %s\n", time.Now().Format("15:04:05"), time.Since(time.UnixMilli(c.booted.Load())).Round(time.Second))
	return 0
}

func df(c *call) int {
	c.printf("Filesystem 1K-blocks Used Available Use%% Mounted on\n" +
		"/dev/fuse 8388608 1048576 7340032 13%% /storage/emulated\n")
	return 0
}

// programs are the programs of the shell by their names.
func programs() map[string]program {
	return map[string]program{
		// of the phone
		"am": am, "app_process": appProcess, "cmd": cmdProgram, "content": content, "dumpsys": dumpsys,
		"getprop": getprop, "input": inputProgram, "ip": refused,
		"logcat": logcat, "monkey": monkey, "package": pm, "phone": phoneProgram, "pm": pm, "screencap": screencap,
		"screenrecord": refused,
		"service":      refused,
		"setprop":      setprop, "settings": settings, "su": refused, "svc": refused, "uiautomator": uiautomator, "wm": wm,
		// of files and texts
		"base64": base64Program, "basename": basename, "cat": cat, "chmod": nothing, "cp": cp, "date": date, "df": df,
		"dirname": dirname,
		"find":    find, "grep": grep, "head": head, "id": id, "kill": refused, "ls": ls, "md5sum": sum, "mkdir": mkdir,
		"mv": mv, "ps": ps, "run-as": runAs,
		"pidof": pidof, "rm": rm, "rmdir": rm, "sed": refused, "sha1sum": sum, "sha256sum": sum, "sh": sh,
		"sleep": sleep, "sort": sortProgram,
		"stat": statProgram, "sync": nothing, "tail": tail, "touch": touch, "tr": refused, "uname": uname,
		"uptime": uptime, "wc": wc, "which": which,
		"whoami": whoami, "xargs": refused,
	}
}
