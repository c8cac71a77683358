// Package skill holds the text that teaches a coding agent to drive devices with trailblaze, and
// the folders where agents look for such texts. It ships in the binary, so that the text fits the
// commands of the version that installed it; a test of the command line runs every command in it.
//
//	for _, at := range skill.Agents() { … }
//	state, err := skill.Look(path)            // absent, current, outdated, changed, foreign
//	state, err = skill.Install(path, force)
package skill
