// Package api calls the typed API of the built product as others do: with curl as docs/api.md says, with foreign
// clients of gRPC and OpenAPI, and with the tools of buf. `make api` installs those and runs all of it.
package api
