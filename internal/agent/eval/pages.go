package eval

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// The format of MiniWoB and its kin: a page that loads a script with these functions and variables.
const (
	// startEpisode begins an episode that does not end while a model thinks, the same one for a seed. Its answer is the
	// task of the page.
	startEpisode = `() => {
  if (typeof core === "undefined" || !core.startEpisodeReal) return { error: "the page has no core.startEpisodeReal" };
  if (typeof Math.seedrandom === "function") Math.seedrandom("%d");
  core.EPISODE_MAX_TIME = 24 * 3600 * 1000;
  core.startEpisodeReal();
  const say = core.getUtterance ? core.getUtterance() : (document.getElementById("query") || {}).innerText;
  return { goal: typeof say === "string" ? say : (say && say.utterance) || "" };
}`
	readReward = `() => ({
  done: typeof WOB_DONE_GLOBAL !== "undefined" && !!WOB_DONE_GLOBAL,
  reward: typeof WOB_RAW_REWARD_GLOBAL !== "undefined" ? +WOB_RAW_REWARD_GLOBAL
    : typeof WOB_REWARD_GLOBAL !== "undefined" ? +WOB_REWARD_GLOBAL : 0
})`
)

// Pages serves the pages of a folder that have the format, until Close.
type Pages struct {
	Tasks   []Task
	server  *http.Server
	running sync.WaitGroup
	root    *os.Root
}

// maxPage bounds a page.
const maxPage = 4 << 20

// ServePages finds the pages at a path: a file, or the files of a folder. root is the folder that is served, so that
// they find their scripts: "" is the folder above that of the pages, as the public set is laid out.
func ServePages(ctx context.Context, at, root string) (*Pages, error) {
	const op = "read pages of tasks"
	files, err := pagesAt(at)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	if root == "" {
		root = filepath.Dir(filepath.Dir(files[0]))
	}
	p := &Pages{}
	if p.root, err = os.OpenRoot(root); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	l, err := listen.TCP(ctx, 0)
	if err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Unavailable, op), p.root.Close())
	}
	for _, name := range files {
		rel, err := filepath.Rel(root, name)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, errors.Join(fault.New(fault.Invalid, op, "%s is not below %s", name, root), l.Close(), p.root.Close())
		}
		p.Tasks = append(p.Tasks, Task{ID: strings.TrimSuffix(filepath.Base(name), ".html"),
			Page: "http://" + l.Addr().String() + path.Join("/", filepath.ToSlash(rel))})
	}
	p.server = &http.Server{Handler: http.FileServerFS(p.root.FS()), ReadHeaderTimeout: 5 * time.Second}
	p.running.Go(func() { _ = p.server.Serve(l) })
	return p, nil
}

// Close ends the server.
func (p *Pages) Close() error {
	err := p.server.Close()
	p.running.Wait()
	return errors.Join(err, p.root.Close())
}

// pagesAt are the pages at a path that have the format.
func pagesAt(at string) (out []string, err error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	files := []string{at}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(at, "*.html")); err != nil {
			return nil, err
		}
		slices.Sort(files)
	}
	for _, name := range files {
		data, err := file.Read(name, maxPage)
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(data), "core.") { // an index of the set has none of it
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no page that starts an episode with core.startEpisodeReal", at)
	}
	return out, nil
}

// reward is a page's report on its episode.
type reward struct {
	Done   bool    `json:"done"`
	Reward float64 `json:"reward"`
}

// episode is a run of a task on such a page. The reward is read after each call: once an episode has ended, the page
// offers the next, whose reward is not this one's.
type episode struct {
	dev   driver.Device
	ended *reward
}

// begin opens the page and begins. It returns what the page asks for.
func begin(ctx context.Context, dev driver.Device, page string, seed int) (*episode, string, error) {
	nav, ok := driver.As[driver.Navigator](dev)
	if !ok {
		return nil, "", fault.New(fault.Unsupported, op, "this device opens no pages")
	}
	if _, err := nav.Navigate(ctx, driver.Navigation{URL: page}); err != nil {
		return nil, "", err
	}
	var begun struct{ Goal, Error string }
	if err := evaluate(ctx, dev, fmt.Sprintf(startEpisode, seed), &begun); err != nil {
		return nil, "", err
	}
	if begun.Error != "" || strings.TrimSpace(begun.Goal) == "" {
		return nil, "", fault.New(fault.Invalid, op, "%s is no page of a task: %s", page, begun.Error).
			WithHint("It defines core.startEpisodeReal, and core.getUtterance or an element with the id query.")
	}
	return &episode{dev: dev}, strings.TrimSpace(begun.Goal), nil
}

// look reads the reward if the episode has ended.
func (e *episode) look(ctx context.Context) error {
	if e.ended != nil {
		return nil
	}
	var r reward
	if err := evaluate(ctx, e.dev, readReward, &r); err != nil {
		return err
	}
	if r.Done {
		e.ended = &r
	}
	return nil
}

// err returns the reason why the task was not done.
func (e *episode) err() error {
	switch {
	case e.ended == nil:
		return fault.New(fault.Assertion, op, "the page has given no reward")
	case e.ended.Reward <= 0:
		return fault.New(fault.Assertion, op, "the page gave a reward of %g", e.ended.Reward)
	}
	return nil
}
