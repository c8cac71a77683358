// Package automation starts the program of ours that sees and drives a phone's screen, and asks it. The program is Java
// (the folder java), compiled into helper.jar: it is pushed once per version, started by app_process as the phone's
// shell, and answers on a local socket of the phone until its standard input ends. The driver for Android uses it.
//
//	h, err := automation.Start(ctx, phone, automation.Folder)
//	defer h.Close()
//	err = h.Call(ctx, map[string]any{"do": "tree"}, &tree)
package automation
