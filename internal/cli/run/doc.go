// Package run holds the commands about trails and their results: run, check, demo and report.
package run
