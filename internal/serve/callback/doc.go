// Package callback is the door through which a tool in another process calls tools of the session that it was called
// from: POST /scripting/callback, JSON, version 1. The form is frozen; docs/custom-tools.md describes it.
//
// The id of a call in flight is the right to act in its session: it cannot be guessed, only the tool server gets it,
// and it ends with the call. A request without one has to show the token of a tool server, and is for the only call
// that this server carries out.
//
// The daemon serves the door for all its workspaces, `trailblaze run` for its own calls. A Server listens on a free
// port of the loopback interface from the first time that its address is asked for. It is safe for concurrent use.
//
//	s := callback.New(callback.Options{})
//	s.Bind(dispatcher)
//	defer s.Close(ctx)
//	url := s.URL() // into the envelope of a call
package callback
