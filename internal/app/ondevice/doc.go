// Package ondevice is the program that runs on a phone: it opens the bundle that it is, plays the trails in it on the
// phone that it runs on, and writes a report. It is a composition root of its own, because package app links browsers,
// models and the daemon. cmd/trailblaze-runner calls Main, once in a process.
//
//	os.Exit(ondevice.Main(os.Args[1:], os.Stdout, os.Stderr))
package ondevice
