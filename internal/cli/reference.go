package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
)

//go:generate go test -run ^TestReferenceIsCurrent$ . -update

// Commands is the command line as a tree, to make documents of.
func Commands() *cobra.Command {
	return newRoot(&shell.Shell{Streams: shell.Streams{Out: io.Discard, Err: io.Discard}})
}

// Reference is the command line's documentation in Markdown, made from the commands themselves.
func Reference() string {
	root := Commands()
	var b strings.Builder
	b.WriteString("<!-- Code generated from internal/cli by go generate. DO NOT EDIT. -->\n\n# Command line\n\n")
	b.WriteString("Every command takes `--json` and then prints one JSON document, with a `schema` that names its " +
		"form and version.\n\n")
	b.WriteString("```\n" + shell.ExitHelp + "\n```\n\n")
	for _, c := range root.Commands() {
		refer(&b, c, 2)
	}
	b.WriteString("## Settings\n\nA flag wins over the environment, that over `trails/config/trailblaze.yaml` " +
		"(found by walking up), that over `<home>/trailblaze.yaml`. In a file they stand under `defaults:`. " +
		"Home is `$TRAILBLAZE_HOME`, else `~/.trailblaze`.\n\n" +
		"What a project's file may say of a setting is its owner's: a value for one that is `user only` is not used, " +
		"and one that a `project may narrow` holds beside yours.\n\n" +
		"| Setting | Variable | Default | Owner | Meaning |\n|---|---|---|---|---|\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", k.Name, k.Env, ticked(k.Default), k.Owner, k.Help)
	}
	return b.String()
}

func refer(b *strings.Builder, c *cobra.Command, depth int) {
	if c.Hidden {
		return
	}
	fmt.Fprintf(b, "%s %s\n\n", strings.Repeat("#", depth), c.CommandPath())
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	b.WriteString(strings.TrimSpace(text) + "\n\n")
	if c.Runnable() && !c.HasSubCommands() {
		fmt.Fprintf(b, "```\n%s\n```\n\n", c.UseLine())
	}
	if c.Example != "" {
		fmt.Fprintf(b, "```sh\n%s\n```\n\n", unindent(c.Example))
	}
	var rows []string
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		flag := "--" + f.Name
		if f.Shorthand != "" {
			flag = "-" + f.Shorthand + ", " + flag
		}
		if name != "" {
			flag += " " + name
		}
		def := f.DefValue
		if def == "false" || def == "[]" || def == "0s" {
			def = ""
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", flag, ticked(def), strings.ReplaceAll(usage, "|", "\\|")))
	})
	if len(rows) > 0 {
		b.WriteString("| Flag | Default | Meaning |\n|---|---|---|\n" + strings.Join(rows, "") + "\n")
	}
	for _, sub := range c.Commands() {
		refer(b, sub, depth+1)
	}
}

func ticked(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "  ")
	}
	return strings.Join(lines, "\n")
}
