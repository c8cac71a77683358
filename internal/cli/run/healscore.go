package run

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/trails/heal"
	"github.com/trailblaze-dev/trailblaze/internal/trails/repair"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// historyDoc holds the decisions that relocation would have made on kept screens.
type historyDoc struct {
	Schema string     `json:"schema"` // trailblaze.heal-history/1
	Trails int        `json:"trails"`
	There  heal.Score `json:"there"` // the element is on the screen
	Gone   heal.Score `json:"gone"`  // the same screen without it
}

// score is heal --replay-history.
func (c *healCmd) score(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{c.cfg.TrailsDir()}
	}
	dir, err := c.WorkingDir()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "find working directory")
	}
	on, err := app.PlatformOf(c.cfg.String("device"))
	if err != nil {
		return err
	}
	files, err := trail.DiscoverFor(dir, args, on.Classifiers)
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, c.cfg.Sessions())
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	if err := x.Sync(ctx); err != nil {
		return err
	}
	start, doc := time.Now(), historyDoc{Schema: "trailblaze.heal-history/1"}
	for _, f := range files {
		t, _, err := app.LoadTrail(f, displayPath(dir, f))
		if err != nil {
			return err
		}
		doc.Trails++
		there, gone := repair.Score(f, t, on.Classifiers, index.Baselines{Index: x})
		doc.There.Add(there)
		doc.Gone.Add(gone)
	}
	if c.JSON {
		return errorOf(doc, c.PrintJSON(doc))
	}
	c.Printf("element on the screen:  %d healed right, %d healed wrong, %d declined\n", doc.There.Right, doc.There.Wrong,
		doc.There.Declined)
	c.Printf("element taken away:     %d healed wrong, %d declined\n", doc.Gone.Wrong, doc.Gone.Declined)
	if doc.There.Sum() == 0 {
		c.Printf("No kept screen of a green run shows an element of these trails; run them first.\n")
	} else {
		c.Printf("%s in %s, without a browser\n", phrase.Count(doc.Trails, "trail"), shell.ShortDuration(time.Since(start)))
	}
	return errorOf(doc, nil)
}

// errorOf is the exit status: an element healed wrong is a failure.
func errorOf(doc historyDoc, err error) error {
	if err == nil && doc.There.Wrong+doc.Gone.Wrong > 0 {
		return shell.Exit(shell.ExitFailed)
	}
	return err
}
