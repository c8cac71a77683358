// Package adb is a client of the adb server, the program that keeps the connections to Android phones. A Server finds
// the phones and reports when one comes or goes; a Phone runs commands, copies files and opens sockets on one of them.
// Everything goes over the server's host protocol. The driver for Android uses it; all types are safe for concurrent
// use, and every call ends with its context.
//
//	srv := adb.NewServer(os.Getenv)
//	phones, err := srv.Phones(ctx)
//	out, err := srv.Phone(phones[0].Serial).Shell(ctx, adb.Command{Line: "getprop ro.build.version.sdk"})
package adb
