package devices

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// defaultID is the device that is opened for a client that names none.
const defaultID = string(driver.WebPlatform)

var idPattern = regex.Lazy(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._:-]{0,63})?$`)

// idOf is the id of a device; "web/" and " web" are ways to write it.
func idOf(raw string) (string, error) {
	id := strings.TrimSuffix(strings.TrimSpace(raw), "/")
	if !idPattern().MatchString(id) {
		return "", fault.New(fault.Invalid, "find device", "%.40q is not the name of a device", raw).
			WithHint("A device is called like web, web/checkout or emulator-5554.")
	}
	return id, nil
}

// choose returns the device that a call is for: the one it names, the client's, the only one in the
// client's workspace that is no program's own, or a new one. Until free is called no other client takes it as unused.
// fresh says that it was made for the client.
func (p *Pool) choose(by *clients.Client, named string) (d *managed, fresh bool, free func(), err error) {
	st := by.State()
	p.choosing.Lock()
	defer p.choosing.Unlock()
	d, err = p.resolve(st, named)
	if err != nil {
		return nil, false, nil, err
	}
	if d != nil {
		if err := d.refuse(st.ID); err != nil {
			return nil, false, nil, err
		}
	} else {
		p.closeForgotten()
		d, fresh = p.find(p.freeID(st.Workspace)), true
	}
	owner := ""
	if named == "" {
		owner = st.Owner()
	}
	d.want(st.Workspace, owner)
	p.forgetUnused()
	return d, fresh, sync.OnceFunc(d.unwant), nil
}

// resolve is the device that a client means, nil when there is none yet.
func (p *Pool) resolve(st clients.State, named string) (*managed, error) {
	if named == "" {
		named = st.Device
	}
	if named != "" {
		id, err := idOf(named)
		if err != nil {
			return nil, err
		}
		return p.find(id), nil
	}
	mine := slices.DeleteFunc(p.all(), func(d *managed) bool {
		workspace, owner := d.of()
		return !d.inUse() || d.refuse(st.ID) != nil || workspace != st.Workspace || owner != st.Owner()
	})
	switch len(mine) {
	case 0:
		return nil, nil
	case 1:
		return mine[0], nil
	}
	var ids []string
	for _, d := range mine {
		ids = append(ids, d.id)
	}
	return nil, fault.New(fault.Conflict, "choose device", "there are %d devices: %s", len(ids), strings.Join(ids, ", ")).
		WithHint("Say which one: give the call a device, or connect to one and every later call goes there.")
}

// keepOwn is the time for which the device of a program is kept after its last call: the end of a program is not
// announced.
const keepOwn = 10 * time.Minute

// closeForgotten closes the devices that programs have left. choosing is held, so no call can take one meanwhile.
func (p *Pool) closeForgotten() {
	for _, d := range p.all() {
		if _, owner := d.of(); owner == "" || !d.idleSince(p.o.Now().Add(-keepOwn)) {
			continue
		}
		p.mu.Lock()
		delete(p.devices, d.id)
		p.mu.Unlock()
		p.work.Go(d.shut)
	}
}

// existing is the device that a client means, which must be open or have a session.
func (p *Pool) existing(by *clients.Client, named string) (*managed, error) {
	p.choosing.Lock()
	d, err := p.resolve(by.State(), named)
	p.choosing.Unlock()
	switch {
	case err != nil:
		return nil, err
	case d != nil && d.inUse():
		return d, nil
	case named == "":
		return nil, fault.New(fault.NotFound, "find device", "no device is connected").WithHint("Connect one first.")
	}
	return nil, fault.New(fault.NotFound, "find device", "%s is not connected", named).
		WithHint("List the devices to see which are.")
}

var notInName = regex.Lazy(`[^A-Za-z0-9._-]+`)

// freeID is the device for a client that has none: web, or web/<its folder> while another workspace or a program has
// that.
func (p *Pool) freeID(workspace string) string {
	free := func(id string) bool { return !p.find(id).inUse() }
	if free(defaultID) {
		return defaultID
	}
	base := strings.Trim(notInName().ReplaceAllString(filepath.Base(workspace), "-"), "-._")
	if len(base) > 40 {
		base = base[:40]
	}
	if base == "" {
		base = "workspace"
	}
	for n := 1; ; n++ {
		id := defaultID + "/" + base
		if n > 1 {
			id += "-" + strconv.Itoa(n)
		}
		if free(id) {
			return id
		}
	}
}
