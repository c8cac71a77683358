// Package frames is the floor of the web driver: the tabs of a device, their protocol sessions, the
// frames in them and the documents that are loaded there, with one lock over all of it and one
// broadcast of changes. Nothing in it knows of actions, captures or the driver.
//
// Protocol events arrive in order on one goroutine and update the set (Watch); a waiting call
// (Set.Await) checks its condition again at every broadcast. The lock is held for moments only, and
// never during a protocol call. The logs of a device (of requests, dialogs, downloads, messages) are
// guarded by the same lock.
//
// Fields of tabs, frames and sessions that are exported are read and written with the lock held.
package frames
