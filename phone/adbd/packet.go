package adbd

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The commands of the transport protocol, as their four letters read in little-endian order.
const (
	cmdConnect = 0x4e584e43
	cmdAuth    = 0x48545541
	cmdOpen    = 0x4e45504f
	cmdOkay    = 0x59414b4f
	cmdClose   = 0x45534c43
	cmdWrite   = 0x45545257
)

const (
	protocol   = 0x01000001 // the version from which a host sends no sums of its data
	maxPayload = 256 << 10
	headerSize = 24
)

// packet is one message of the transport protocol.
type packet struct {
	command, arg0, arg1 uint32
	data                []byte
}

func readPacket(r io.Reader) (packet, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return packet{}, err
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(h[4*i:]) }
	p := packet{command: word(0), arg0: word(1), arg1: word(2)}
	if word(5) != p.command^0xffffffff {
		return packet{}, fmt.Errorf("read packet: header %x is not one of adb", h)
	}
	n := word(3)
	if n > maxPayload {
		return packet{}, fmt.Errorf("read packet: %d bytes of data, at most %d were agreed", n, maxPayload)
	}
	p.data = make([]byte, n)
	_, err := io.ReadFull(r, p.data)
	return p, err
}

// appendPacket appends the bytes of a packet with the sum that hosts of older versions check.
func appendPacket(b []byte, p packet) []byte {
	var sum uint32
	for _, c := range p.data {
		sum += uint32(c)
	}
	for _, v := range []uint32{p.command, p.arg0, p.arg1, uint32(len(p.data)), sum, p.command ^ 0xffffffff} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return append(b, p.data...)
}
