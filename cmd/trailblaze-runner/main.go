// Command trailblaze-runner plays trails on the Android phone that it runs on. `trailblaze bundle` puts the trails into
// it; all it does is in package ondevice.
package main

import (
	"os"

	"github.com/trailblaze-dev/trailblaze/internal/app/ondevice"
)

func main() { os.Exit(ondevice.Main(os.Args[1:], os.Stdout, os.Stderr)) }
