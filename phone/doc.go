// Package phone is a phone to test on: a real app on real Android framework code behind real adb; it is not a real
// operating system. A process of Java runs the app on Robolectric with native graphics, which draws real windows and
// answers with the framework's own accessibility nodes. Package adbd stands before it, so that adb and every client of
// adb find a device.
//
// The activity manager, the launcher, the permission dialog, the keyboard, the status bar and the programs of the shell
// are ours; docs/phone.md says which answers are the framework's and which are not.
//
// `trailblaze phone start` and the tests of the driver for Android call Start. A Phone is safe for concurrent use.
//
//	p, err := phone.Start(ctx, phone.Options{APKs: []string{"ApiDemos-debug.apk"}})
//	defer p.Close()
//	fmt.Println("adb connect", p.Addr())
package phone
