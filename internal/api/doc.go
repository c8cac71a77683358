// Package api serves calls of tools and the control lane as JSON over plain HTTP, so that a client
// needs nothing but HTTP and JSON. The command line is its first client. Package auth has checked
// the requests before.
//
//	POST /v1/call      {client, workspace, tool, args, …} → a reply; in lines with Accept: application/x-ndjson
//	GET  /v1/tools     what can be called
//	GET  /v1/status    what goes on; never waits for a call
//	POST /v1/cancel    {device | clientId | callId | job | all} → {canceled}
//	GET  /v1/blobs/{session}/{hash}
package api
