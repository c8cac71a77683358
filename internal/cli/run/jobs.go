package run

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// runCmd are the options of run. The flags that are named like a setting are read from the configuration.
type runCmd struct {
	*shell.Shell
	selection
	outputs
	record       string
	description  string
	played       *event.Log // with record: of the trail's session
	annotations  string     // for GitHub
	reportDir    string
	noReport     bool
	noLogging    bool
	storageState string
	emulate      string
	permissions  []string
	geolocation  string
	actors       []string
	allowFiles   bool
	models       *app.Models
	logs         map[int]*event.Log // of the newest session of a job that has steps without a recording
	logging      sync.Mutex
	trust        bool
	heal         bool

	cfg        *config.Config
	allDevices bool
	perDevice  bool
	devices    []replay.Device
	facts      func(id string) trail.Facts                 // of a device
	connected  func(list string) (ids []string, err error) // that a list of devices names
	platforms  []app.Platform                              // of the devices, each once
	root       string                                      // files to upload and trails to call are read below it
	name       string                                      // of the run in reports, "" takes the folder's
	id         string
}

// selection says which trails to play, how often, and with what.
type selection struct {
	paths    []string
	tags     []string // each is a list of alternatives; all must hold; "!x" excludes
	repeat   int
	shard    string
	args     []string
	argsFile string
	memory   []string
	secrets  []string
	origins  []string
	baseURL  string
}

// chosen is a job and the memory of its session.
type chosen struct {
	replay.Job
	memory func() *memory.Store // makes what its session begins with
	args   map[string]any       // that it is played with
}

// jobs finds and reads the trails. A mistake in a file is that job's outcome; a mistake in the command line is an
// error.
func (c *runCmd) jobs(s selection) ([]chosen, error) {
	dir, err := c.WorkingDir()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	files, err := c.discover(dir, s.paths)
	if err != nil {
		return nil, err
	}
	seeds, err := c.seeds(s)
	if err != nil {
		return nil, err
	}
	var out []chosen
	var twins replay.Linter
	for _, f := range files {
		j := c.readJob(dir, f)
		if j.Err == nil && j.Trail != nil {
			if p := twins.Twin(j.Trail); p != nil {
				j.Err = trail.Problems{*p}.Err()
			}
		}
		if j.Trail != nil && !tagged(j.Trail.Config.Tags, s.tags) {
			continue
		}
		out = append(out, chosen{Job: j})
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "find trails", "none of %d trails has the tags asked for", len(files))
	}
	if err := seeds.bind(out); err != nil {
		return nil, err
	}
	if c.perDevice {
		out = perDevice(out)
	}
	return spread(out, s)
}

// discover finds the trail files for the devices.
func (c *runCmd) discover(dir string, paths []string) ([]string, error) {
	var out []string
	for _, p := range c.platforms {
		files, err := trail.DiscoverFor(dir, paths, p.Classifiers)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// perDevice makes of each job one for every device that it fits.
func perDevice(jobs []chosen) []chosen {
	var out []chosen
	for _, j := range jobs {
		if j.Err != nil || len(j.Actors) > 0 {
			out = append(out, j)
			continue
		}
		for _, id := range j.Fits {
			on := j
			on.Fits = []string{id}
			out = append(out, on)
		}
	}
	return out
}

// readJob reads one trail file. Warnings are printed; errors are the job's.
func (c *runCmd) readJob(dir, name string) replay.Job {
	j := replay.Job{Path: displayPath(dir, name)}
	t, warnings, err := app.LoadTrail(name, j.Path)
	for _, w := range warnings {
		c.Errorf("%s\n", w) // says itself that it is a warning, after its place
	}
	if j.Err = err; t == nil {
		return j
	}
	j.Trail, j.File = t, name
	if len(t.Config.Actors) > 0 {
		j.Actors, j.Err = c.cast(t)
		return j
	}
	for _, p := range c.platforms {
		if p.Drives(t.DriverFor(p.Classifiers)) && (len(c.platforms) == 1 || recordedFor(t, p)) {
			j.Fits = append(j.Fits, c.devicesOf(p)...)
		}
	}
	if j.Fits, j.Err = c.meeting(t, j.Path, j.Fits); j.Err != nil {
		return j
	}
	if len(j.Fits) == 0 {
		p := c.platforms[0]
		j.Err = fault.New(fault.Unsupported, "choose device",
			"%s asks for the driver %s, which is none for %s", j.Path, t.DriverFor(p.Classifiers), p.Name).
			WithHint("Give a device that it is for: --device web, or --device android.")
		if len(c.platforms) > 1 {
			j.Err = fault.New(fault.Unsupported, "choose device", "%s is for none of the devices of this run", j.Path).
				WithHint("Give a device that its recordings and config.devices are for, or record it on one of these.")
		}
	}
	return j
}

// cast says on which devices the actors of a trail may be played: a browser of its own, a phone of the run, or a
// connected one where the run names none.
func (c *runCmd) cast(t *trail.Trail) (actors []replay.Actor, err error) {
	for _, a := range t.Config.Actors {
		p, err := app.PlatformOf(a.Device)
		if err != nil {
			return nil, fault.Wrap(err, "", "choose the device of "+a.Name)
		}
		ids := []string{a.Device}
		if a.Device == string(p.Name) {
			switch ids = c.devicesOf(p); {
			case p.Made:
				ids = []string{a.Device + "/" + a.Name}
			case len(ids) == 0:
				if ids, err = c.connected(a.Device + "/*"); err != nil {
					return nil, fault.Wrap(err, "", "choose the device of "+a.Name)
				}
			}
		}
		on := replay.Actor{Name: a.Name}
		for _, id := range ids {
			on.Fits = append(on.Fits, replay.Device{ID: id, Classifiers: p.Classifiers, Made: p.Made})
		}
		actors = append(actors, on)
	}
	return actors, nil
}

// meeting returns those of the devices that meet the requirements of a trail. When none does, the error says what the
// last one lacks.
func (c *runCmd) meeting(t *trail.Trail, path string, ids []string) (fits []string, err error) {
	if len(t.Config.Requires) == 0 {
		return ids, nil
	}
	for _, id := range ids {
		unmet := t.Config.Unmet(c.facts(id))
		if unmet == "" {
			fits = append(fits, id)
			continue
		}
		err = fault.New(fault.Unsupported, "choose device", "%s requires %s (%s)", path, unmet, id).
			WithHint("Give --device one that meets config.requires.")
	}
	if len(fits) > 0 {
		err = nil
	}
	return fits, err
}

// recordedFor reports whether a trail can be played on a platform without a model.
func recordedFor(t *trail.Trail, p app.Platform) bool {
	return (t.Config.Platform == "" || slices.Contains(p.Classifiers, t.Config.Platform)) &&
		!repair.Unrecorded(t, p.Classifiers)
}

// devicesOf returns the ids of the devices of a platform.
func (c *runCmd) devicesOf(p app.Platform) []string {
	var ids []string
	for _, d := range c.devices {
		if slices.Equal(d.Classifiers, p.Classifiers) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// displayPath returns the name of a file in messages and logs: relative to the working directory when it is below it.
func displayPath(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}

// tagged applies --tags: every one of them must hold, its commas are alternatives, a leading "!" excludes.
func tagged(have, want []string) bool {
	for _, w := range want {
		ok := false
		for alt := range strings.SplitSeq(w, ",") {
			alt = strings.TrimSpace(alt)
			if name, not := strings.CutPrefix(alt, "!"); not {
				ok = ok || !slices.Contains(have, name)
			} else {
				ok = ok || slices.Contains(have, alt)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// spread repeats the jobs and keeps this machine's share.
func spread(jobs []chosen, s selection) ([]chosen, error) {
	if s.repeat > 1 {
		var all []chosen
		for n := 1; n <= s.repeat; n++ {
			for _, j := range jobs {
				j.Repeat = n
				all = append(all, j)
			}
		}
		jobs = all
	}
	if s.shard == "" {
		return jobs, nil
	}
	a, b, ok := strings.Cut(s.shard, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return nil, fault.New(fault.Invalid, "read command line", "--shard %q is not i/n with i from 1 to n", s.shard)
	}
	var mine []chosen
	for k, j := range jobs {
		if k%n == i-1 {
			mine = append(mine, j)
		}
	}
	return mine, nil
}

// seeds holds the values that the command line sets for every trail, and the arguments that each takes its own of.
type seeds struct {
	replay.Values
	args map[string]string
	file map[string]any
}

func (c *runCmd) seeds(s selection) (*seeds, error) {
	out := &seeds{Values: replay.Values{BaseURL: s.baseURL}}
	var err error
	if out.Memory, err = shell.Pairs("memory", s.memory); err != nil {
		return nil, err
	}
	if out.Secrets, err = c.ReadSecrets(s.secrets); err != nil {
		return nil, err
	}
	if out.Origins, err = shell.Pairs("secret-origin", s.origins); err != nil {
		return nil, err
	}
	for name, url := range out.Origins {
		if out.Origins[name] = driver.Origin(url); out.Origins[name] == "" {
			return nil, fault.New(fault.Invalid, "read --secret-origin", "%q is not an origin, such as https://shop.test", url)
		}
	}
	if out.args, err = shell.Pairs("arg", s.args); err != nil {
		return nil, err
	}
	if s.argsFile == "" {
		return out, nil
	}
	data, err := file.Read(s.argsFile, yaml.MaxSize)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "read --args-file")
	}
	given, problems := trail.ParseArgs(s.argsFile, data)
	out.file = given
	return out, problems.Err()
}

// bind gives each trail the arguments it declares. One that no trail declares is a slip of the command line.
func (s *seeds) bind(jobs []chosen) error {
	used := map[string]bool{}
	for i := range jobs {
		j := &jobs[i]
		if j.Trail == nil {
			continue
		}
		flags, file := map[string]string{}, map[string]any{}
		for _, arg := range j.Trail.Config.Args {
			used[arg.Name] = true
			if v, ok := s.args[arg.Name]; ok {
				flags[arg.Name] = v
			}
			if v, ok := s.file[arg.Name]; ok {
				file[arg.Name] = v
			}
		}
		bound, err := j.Trail.BindArgs(flags, file)
		if err != nil && j.Err == nil {
			j.Err = err
		}
		t, values := j.Trail, s.Values
		values.Args, j.args = bound, bound
		j.memory = func() *memory.Store {
			m := memory.New()
			values.Seed(m, t)
			return m
		}
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(s.args)), slices.Sorted(maps.Keys(s.file))) {
		if !used[name] && slices.ContainsFunc(jobs, func(j chosen) bool { return j.Trail != nil }) {
			return fault.New(fault.Invalid, "bind arguments", "no trail declares an argument %q", name).
				WithHint("Declare it under config.args, or use --memory for values that are not declared.")
		}
	}
	return nil
}

func jobTitle(j replay.Job) string {
	if j.Trail != nil && j.Trail.Config.Title != "" {
		return j.Trail.Config.Title
	}
	return j.Path
}
