// Package app is the one composition root: it joins the devices, the tools, the policy, the player and the hub. The
// shell's commands and the daemon build on the same parts, so a trail runs the same way through both.
//
//	ws := app.NewWorkspace(root, cfg, nil) // tools and policy of a project
//	devices := app.NewDevices(app.DeviceOptions{Config: cfg, Policy: policyOf})
//	runner, err := app.NewRunner(app.RunnerOptions{Workspace: ws, Devices: devices})
//
// Server builds what the daemon serves. A new platform is one line in NewDevices.
package app
