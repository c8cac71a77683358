// Package capture observes a device of the web driver: it captures the frames of the active tab, joins them into
// one tree, takes pictures, names elements by refs, reports changes, and keeps secrets out of all of it. It sends
// nothing that a page could notice; acting is the driver's.
//
// A capture asks the page script of each document for what differs from the mirror of it (sight.State), and the
// answers to an action bring the next capture along where they can.
package capture
