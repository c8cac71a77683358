package cli

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/replay"
	"github.com/trailblaze-dev/trailblaze/internal/yaml"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// webClassifiers is how the browser answers to the device keys of a trail.
var webClassifiers = []string{"web"}

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

// chosen is a job and what its memory begins with.
type chosen struct {
	replay.Job
	seed func() *memory.Store
}

// jobs finds and reads the trails. What is wrong with a file is that job's outcome; what is wrong with the command line
// is an error.
func (a *app) jobs(s selection) ([]chosen, error) {
	dir, err := a.dir()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	files, err := trail.DiscoverFor(dir, s.paths, webClassifiers)
	if err != nil {
		return nil, err
	}
	seeds, err := a.seeds(s)
	if err != nil {
		return nil, err
	}
	var out []chosen
	var twins replay.Linter
	for _, f := range files {
		j := a.readJob(dir, f)
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
	return spread(out, s)
}

// readJob reads one trail file. Warnings are printed; errors are the job's.
func (a *app) readJob(dir, name string) replay.Job {
	j := replay.Job{Path: shownPath(dir, name)}
	data, err := file.Read(name, yaml.MaxSize)
	if err != nil {
		j.Err = fault.Wrap(err, fault.Invalid, "read trail")
		return j
	}
	t, problems := trail.Parse(j.Path, data, trail.Strict)
	for _, w := range problems.Warnings() {
		a.errorf("%s\n", w) // says itself that it is a warning, after its place
	}
	if j.Err = problems.Err(); j.Err != nil || t == nil {
		return j
	}
	if t.Dir, j.Err = filepath.Abs(filepath.Dir(name)); j.Err != nil {
		return j
	}
	j.Trail, j.Key = t, cmp.Or(t.Config.ID, t.Path)
	if d := t.DriverFor(webClassifiers); d != "" && !webDriver(d) {
		j.Err = fault.New(fault.Unsupported, "choose device", "%s asks for the driver %s, and only web browsers can be driven", j.Path, d)
	}
	return j
}

// webDriver says whether a driver name stands for a browser.
func webDriver(name string) bool {
	return strings.HasPrefix(name, "PLAYWRIGHT") || strings.EqualFold(name, "web")
}

// shownPath is how a file is called in messages and logs: relative to the working directory when it is below it.
func shownPath(dir, file string) string {
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

// seeds is what every trail's memory begins with.
type seeds struct {
	memory, secrets, origins, args map[string]string
	file                           map[string]any
	baseURL                        string
}

func (a *app) seeds(s selection) (*seeds, error) {
	out := &seeds{baseURL: s.baseURL}
	var err error
	if out.memory, err = pairs("memory", s.memory); err != nil {
		return nil, err
	}
	if out.secrets, err = a.readSecrets(s.secrets); err != nil {
		return nil, err
	}
	if out.origins, err = pairs("secret-origin", s.origins); err != nil {
		return nil, err
	}
	for name, url := range out.origins {
		if out.origins[name] = driver.Origin(url); out.origins[name] == "" {
			return nil, fault.New(fault.Invalid, "read --secret-origin", "%q is not an origin, such as https://shop.test", url)
		}
	}
	if out.args, err = pairs("arg", s.args); err != nil {
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
		t := j.Trail
		j.seed = func() *memory.Store { return s.store(t, bound) }
	}
	for _, name := range slices.Concat(keys(s.args), keys(s.file)) {
		if !used[name] && slices.ContainsFunc(jobs, func(j chosen) bool { return j.Trail != nil }) {
			return fault.New(fault.Invalid, "bind arguments", "no trail declares an argument %q", name).
				WithHint("Declare it under config.args, or use --memory for values that are not declared.")
		}
	}
	return nil
}

// store fills a memory: the trail's own values first, then what the command line says, secrets last.
func (s *seeds) store(t *trail.Trail, args map[string]any) *memory.Store {
	m := memory.New()
	for k, v := range t.Config.Memory {
		m.Set(k, v)
	}
	if s.baseURL != "" {
		m.Set("baseUrl", s.baseURL)
	}
	for k, v := range s.memory {
		m.Set(k, v)
	}
	for k, v := range s.secrets {
		m.SetSecret(k, v)
	}
	for k, v := range s.origins {
		m.BindOrigin(k, v)
	}
	m.SetArgs(args)
	return m
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
