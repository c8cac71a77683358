package shell

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trailblaze-dev/trailblaze/internal/call/event/index"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Offer completes the value of a flag with words.
func Offer(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// OfferSettings completes the flags of a command and of those below it that are settings.
func OfferSettings(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if k, err := config.Lookup(f.Name); err == nil && len(k.Choices()) > 0 && f.NoOptDefVal == "" {
			Offer(cmd, f.Name, k.Choices()...)
		}
	})
	for _, c := range cmd.Commands() {
		OfferSettings(c)
	}
}

// CompleteLimit bounds how long a shell waits for a word.
const CompleteLimit = 500 * time.Millisecond

// CompleteSessions offers last and the kept sessions, the newest first.
func (a *Shell) CompleteSessions(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	const most = 50 // that a terminal has room for
	out, order := []string{"last"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder
	ctx, cancel := context.WithTimeout(cmd.Context(), CompleteLimit)
	defer cancel()
	cfg, err := a.Settings(cmd)
	if err != nil {
		return out, order
	}
	x, err := index.Open(ctx, cfg.Sessions())
	if err != nil {
		return out, order
	}
	defer func() { _ = x.Close() }()
	_ = x.Sync(ctx) // what it has read by then
	kept, _ := x.Sessions(ctx, index.Filter{Limit: most})
	for _, s := range kept {
		out = append(out, s.ID+"\t"+phrase.OneLine(s.Title)) // it may be that of a page
	}
	return out, order
}
