// Package config finds the value of a setting and its source: a command line flag wins over an environment variable,
// that over the workspace's files, those over the user's file, that over the built-in default. It also knows where
// things are kept (Home), and the other declarations of a project (Project).
//
// A workspace is the nearest folder above with trails/config or trailblaze.yaml. Where it has both, both hold; a
// setting in both is taken from the one in trails/config, which `config set --workspace` writes to.
//
// The command line loads it once, before anything else exists. A Config does not change and is safe for concurrent
// use.
//
//	cfg, err := config.Load(config.Sources{Dir: cwd, Env: os.Getenv})
//	jobs := cfg.Int("jobs")
package config
