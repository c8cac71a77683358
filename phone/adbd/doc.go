// Package adbd is the device side of the Android Debug Bridge: a phone for the adb server. Package phone
// puts it before a phone; tests of a client of adb put it before a phone of their own.
//
// It speaks the transport protocol over TCP with the authorization of a host by its RSA key, and the services that
// clients use: shell, shell_v2, exec, sync in both versions, forwarding in both directions. What a device does behind
// them is the caller's: Options.Run runs a command line, Options.Folder holds the files.
//
// A Server is safe for concurrent use. Close ends its connections and waits for the commands that they run.
//
//	s, err := adbd.Listen(ctx, adbd.Options{Run: phone.Run, Folder: dir, Banner: banner})
//	defer s.Close()
//	fmt.Println("adb connect", s.Addr())
package adbd
