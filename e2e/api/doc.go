// Package api calls the typed API of the built product as others do: with curl as docs/api.md says, with clients of
// gRPC and OpenAPI that nobody here wrote, and with the tools of buf. `make api` installs those and runs all of it.
package api
