// Package android drives Android phones: real ones, and what answers as one behind the adb server. A helper on the
// phone (automation) gives the tree of all windows, sends input and notices changes; where it does not start, the
// phone's own programs stand in (programs.go), or Appium's server for the tree (appium.go), and each capture and effect
// says so. The package adb talks to the adb server.
//
// internal/app opens devices. A Device is safe for concurrent use; one action runs at a time.
//
//	dev, err := android.Open(ctx, android.Options{Server: adb.NewServer(os.Getenv)})
package android
