// Package daemon is the process that keeps browsers and sessions alive between commands: its files
// and lock, its listeners with the checks before them, its log, and when it ends. Options.Make
// builds what it serves.
//
//	err := daemon.Serve(ctx, daemon.Options{
//		Home: home, Version: version, Make: func(d *daemon.Daemon) (daemon.Served, error) { … },
//	})
package daemon
