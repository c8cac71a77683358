// Package config answers "what is the setting, and who says so": a command line flag wins over an environment
// variable, that over the workspace's file (trails/config/trailblaze.yaml, found by walking up), that over the user's
// file, that over the built-in default. It also knows where things are kept (Home).
//
// The command line loads it once, before anything else exists. A Config does not change and is safe for concurrent
// use.
//
//	cfg, err := config.Load(config.Sources{Dir: cwd, Env: os.Getenv})
//	jobs := cfg.Int("jobs")
package config
