// Package skill is the text that teaches a coding agent to drive devices with trailblaze, and knows where agents look for
// such texts. It ships in the binary, so the text fits the commands of the very version that installed it; every command in
// it is run by a test of the command line.
//
//	for _, at := range skill.Agents() { … }
//	state, err := skill.Look(path)            // absent, current, outdated, changed, foreign
//	state, err = skill.Install(path, force)
package skill
