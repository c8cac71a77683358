// Package daemon is the process that keeps browsers and sessions alive between commands: its place and lock, its
// listeners with the door before them, its log, and when it ends. What it serves is handed to it.
//
//	err := daemon.Serve(ctx, daemon.Options{Home: home, Version: version, Make: func(d *daemon.Daemon) (daemon.Served, error) { … }})
package daemon
