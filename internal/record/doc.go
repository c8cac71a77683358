// Package record makes trails of what was done. There are two ways in: a Recorder, a middleware that notes the calls of a
// trail as it is played (run --record), and a Transcript, which is read from the log of a session, also after a crash
// (session save). Both give a call the same durable form. Save puts a trail into the workspace's file.
//
// A Recorder belongs to one session and is safe for concurrent use; a Transcript is a value.
//
//	t, err := record.Read(dir)
//	made, err := t.Compose(record.Plan{Title: "Buy a lamp", Classifier: "web"})
//	saved, err := record.Save(ctx, workspace, made, record.Target{})
package record
