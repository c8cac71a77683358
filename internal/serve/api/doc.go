// Package api serves calls of tools: by the services of proto/trailblaze/v1 (gRPC, gRPC-Web, Connect, JSON), and with
// nothing but the name of the tool in the path and its arguments as the body. The command line, `trailblaze mcp` and
// the SDKs are clients of the services. Package auth has checked the requests before.
//
//	POST /trailblaze.v1.{Service}/{Method}
//	POST /v1/tools/{name}   arguments → a reply; described by GET /v1/openapi.json
//	GET  /v1/status         what goes on; never waits for a call
//	GET  /v1/blobs/{session}/{hash}
package api
