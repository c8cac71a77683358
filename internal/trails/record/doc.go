// Package record makes trails of sessions. A Transcript is read from the log of a session, also while the session runs
// and after a crash. Compose makes a new trail of it (session save), Rerecord puts the calls into the trail that was
// played (run --record). Save puts a trail into the workspace's file.
//
// Management tools and `trailblaze run` call it. A Transcript is a value; it is not safe for concurrent use.
//
//	t, err := record.Read(dir)
//	made, err := t.Compose(record.Plan{Title: "Buy a lamp", Classifier: "web"})
//	saved, err := record.Save(ctx, workspace, made, record.Target{})
package record
