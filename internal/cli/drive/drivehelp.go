package drive

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// complete completes the name of a tool, then the names of its arguments and the values of those that have few.
func (c *toolCmd) complete(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	reg, err := app.Catalog()
	if err != nil {
		return nil, none
	}
	var out []string
	if len(args) == 0 {
		for _, t := range reg.All() {
			out = append(out, t.Spec().Name+"\t"+phrase.Clip(phrase.FirstSentence(t.Spec().Description), 60))
		}
		return out, none
	}
	t, ok := reg.Get(args[0])
	if !ok || t.Spec().Input == nil {
		return nil, none
	}
	in := t.Spec().Input()
	if key, _, typed := strings.Cut(word, "="); typed {
		p := in.Properties[key]
		if p == nil {
			return nil, none
		}
		for _, v := range p.Enum {
			if text, ok := v.(string); ok {
				out = append(out, key+"="+text)
			}
		}
		if p.Type == "boolean" {
			out = append(out, key+"=true", key+"=false")
		}
		return out, none
	}
	for _, key := range slices.Sorted(maps.Keys(in.Properties)) {
		if !slices.ContainsFunc(args[1:], func(a string) bool { return strings.HasPrefix(a, key+"=") }) {
			out = append(out, key+"=\t"+phrase.Clip(in.Properties[key].Description, 60))
		}
	}
	return out, none | cobra.ShellCompDirectiveNoSpace
}

// CompleteDevices offers the devices that a daemon has, if one runs to ask; completing starts none.
func (c *Command) CompleteDevices(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	out := []string{string(driver.WebPlatform)}
	ctx, cancel := context.WithTimeout(cmd.Context(), shell.CompleteLimit)
	defer cancel()
	to, err := c.Link(ctx, false)
	if err != nil {
		return out, none
	}
	var doc struct {
		Hub struct {
			Devices []struct {
				ID    string `json:"id"`
				State string `json:"state"`
			} `json:"devices"`
		} `json:"hub"`
	}
	if to.Get(ctx, "/v1/status", &doc) != nil {
		return out, none
	}
	for _, d := range doc.Hub.Devices {
		if d.ID != string(driver.WebPlatform) && d.State == "open" {
			out = append(out, d.ID)
		}
	}
	return out, none
}
