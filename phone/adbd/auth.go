package adbd

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
)

// The kinds of an authorization packet.
const (
	authToken     = 1
	authSignature = 2
)

const (
	tokenSize = 20  // of a random challenge, which is signed as if it were a SHA-1 sum
	keySize   = 256 // of the modulus of a host's key
)

// ParseKey reads a host's public key as adb writes it (~/.android/adbkey.pub): base64 of a structure of Android, and
// a name.
func ParseKey(text []byte) (*rsa.PublicKey, error) {
	encoded, _, _ := bytes.Cut(bytes.TrimSpace(bytes.TrimRight(text, "\x00")), []byte(" "))
	b, err := base64.StdEncoding.DecodeString(string(encoded))
	if err != nil {
		return nil, err
	}
	const exponentAt = 4 + 4 + keySize + keySize // words, inverse, modulus, square
	if len(b) != exponentAt+4 || binary.LittleEndian.Uint32(b)*4 != keySize {
		return nil, errors.New("it is no RSA key of 2,048 bits in Android's form")
	}
	modulus := slices.Clone(b[8 : 8+keySize])
	slices.Reverse(modulus)
	return &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: int(binary.LittleEndian.Uint32(b[exponentAt:]))}, nil
}

// ReadKeys reads the keys in files. A file that cannot be read holds none: adb makes its own when its server first
// starts.
func ReadKeys(files ...string) []*rsa.PublicKey {
	var out []*rsa.PublicKey
	for _, name := range files {
		text, err := file.Read(name, 64<<10)
		if err != nil {
			continue
		}
		for line := range bytes.Lines(text) {
			if key, err := ParseKey(line); err == nil {
				out = append(out, key)
			}
		}
	}
	return out
}

// signed reports whether one of the keys has signed a challenge.
func signed(keys []*rsa.PublicKey, token, signature []byte) bool {
	return slices.ContainsFunc(keys, func(k *rsa.PublicKey) bool {
		return rsa.VerifyPKCS1v15(k, crypto.SHA1, token, signature) == nil
	})
}
