// Package hub proves on a real browser what the hub promises of devices: a wedged page, a browser that dies, a daemon
// that is lost, many devices that call one external server.
package hub
