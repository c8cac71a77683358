// Command trailblaze replays recorded trails on real browsers and devices. All it does is in package cli.
package main

import "github.com/trailblaze-dev/trailblaze"

func main() { trailblaze.Main() }
