module grpcgo

go 1.26.0

require (
	github.com/trailblaze-dev/trailblaze v0.0.0
	google.golang.org/grpc v1.76.0
)

require (
	buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go v1.36.12-20260825204119-511051f7f437.1 // indirect
	golang.org/x/net v0.42.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250804133106-a7a43d27e69b // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/trailblaze-dev/trailblaze => ../../../..
