// Package security attacks the built binary from outside: its doors, the paths it is given, the pages it visits, and
// every byte it leaves behind. Each test proves a promise of docs/security.md.
package security
