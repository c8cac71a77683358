// Package manage holds the commands about devices, sessions and the daemon. Most of them call a management tool.
package manage
