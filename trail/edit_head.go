package trail

import (
	"maps"
	"strings"
)

// head edits the trailhead.
func (ed *editor) head(root *node, old, want *Trail) {
	if want.Trailhead == nil || old.Trailhead != nil && sameStep(old.Trailhead, want.Trailhead) {
		return
	}
	was := find(root, "trailhead")
	if was == nil {
		e := &emitter{}
		head := *want.Trailhead
		head.Pos = Pos{}
		ed.check(e.trailhead(&head))
		e.gap()
		ed.insertAbove(root, "trail", e.lines)
		return
	}
	n := was.value
	if n.kind != kindMapping || n.flow || n.alias {
		ed.fail()
		return
	}
	calls := want.Trailhead.Recordings[ed.classifier]
	rec := find(n, "recording")
	if rec == nil {
		col := n.entries[0].pos.Col
		e := &emitter{}
		e.line(col-1, "recording:")
		ed.check(e.headClass(col+1, ed.classifier, calls))
		end := ed.end(n, col-1)
		ed.replace(end, end, e.lines)
		return
	}
	ed.recording(rec, old.Trailhead, true,
		func(e *emitter, key, _ int) error { return e.headClass(key, ed.classifier, calls) })
}

// insertAbove puts lines above a root key, or at the end when it is not there.
func (ed *editor) insertAbove(root *node, key string, lines []string) {
	e := find(root, key)
	if e == nil {
		end := ed.end(root, 0)
		ed.replace(end, end, append([]string{""}, lines...))
		return
	}
	ed.replace(e.pos.Line, e.pos.Line, lines)
}

// config writes what the head is to say beside what it says.
func (ed *editor) config(root *node, old, want *Trail) {
	cfg := find(root, "config")
	if cfg != nil && !(cfg.value.kind == kindNull && cfg.value.text == "") {
		// Additions to an existing block come before new blocks: the last block ends where those begin.
		hasDevices := find(cfg.value, "devices") != nil
		if hasDevices {
			ed.devices(root, old, want)
		}
		ed.declared(cfg, old, want, true)
		if !hasDevices {
			ed.devices(root, old, want)
		}
		ed.declared(cfg, old, want, false)
		return
	}
	fresh := added(&old.Config, &want.Config)
	if !maps.Equal(old.Config.Devices, want.Config.Devices) {
		fresh.Devices = map[string]string{ed.classifier: want.Config.Devices[ed.classifier]}
	}
	n, err := configNode(&fresh)
	if err != nil || len(n.entries) == 0 {
		ed.check(err)
		return
	}
	e := &emitter{}
	for _, x := range n.entries {
		e.entry(2, "", x.key, x.value)
	}
	if cfg != nil {
		ed.replace(cfg.pos.Line+1, cfg.pos.Line+1, e.lines)
		return
	}
	first := root.entries[0].pos.Line
	ed.replace(first, first, append([]string{"config:"}, append(e.lines, "")...))
}

// devices stamps the driver the recording was made with, for the shape of selectors depends on it.
func (ed *editor) devices(root *node, old, want *Trail) {
	driver := want.Config.Devices[ed.classifier]
	if maps.Equal(old.Config.Devices, want.Config.Devices) {
		return
	}
	entry := scalarText(ed.classifier) + ": " + scalarText(driver)
	cfg := find(root, "config")
	if cfg.value.kind != kindMapping || cfg.value.flow || cfg.value.alias {
		ed.fail()
		return
	}
	col := cfg.value.entries[0].pos.Col
	dev := find(cfg.value, "devices")
	switch {
	case dev == nil:
		e := &emitter{}
		e.line(col-1, "devices:")
		e.line(col+1, entry)
		end := ed.end(cfg.value, col-1)
		ed.replace(end, end, e.lines)
	case dev.value.alias || dev.merged || dev.value.kind != kindMapping:
		ed.fail()
	default:
		ed.device(dev, driver, entry)
	}
}

// device adds one line, or one pair between braces; a driver that changes is replaced by writing the mapping anew.
func (ed *editor) device(dev *entry, driver, pair string) {
	v := dev.value
	was := find(v, ed.classifier)
	text, oneLine := ed.text(v)
	switch {
	case was == nil && oneLine && len(v.entries) > 0:
		line := []rune(ed.src.lines[v.end.Line-1])
		inner := strings.TrimRight(strings.TrimSuffix(text, "}"), " ")
		closing := strings.TrimPrefix(text, inner)
		fresh := string(line[:v.pos.Col-1]) + inner + ", " + pair + closing + string(line[v.end.Col:])
		ed.swap(dev.pos.Line, dev.pos.Line+1, []string{fresh})
	case was == nil && !v.flow:
		col := v.entries[0].pos.Col
		end := ed.end(v, col-1)
		ed.replace(end, end, []string{strings.Repeat(" ", col-1) + pair})
	case was != nil && was.value.pos.Line == was.pos.Line && !was.value.alias:
		line := []rune(ed.src.lines[was.pos.Line-1])
		from := was.value.pos.Col - 1
		rest := string(line[from:])
		for _, spelled := range []string{doubleQuoted(was.value.text), "'" + was.value.text + "'", was.value.text} {
			if after, found := strings.CutPrefix(rest, spelled); found {
				ed.swap(was.pos.Line, was.pos.Line+1, []string{string(line[:from]) + scalarText(driver) + after})
				return
			}
		}
		ed.fail()
	default:
		ed.fail()
	}
}
