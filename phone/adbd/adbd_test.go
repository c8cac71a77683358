package adbd

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// host is the other side of the transport: what the adb server does.
type host struct {
	t    *testing.T
	net  net.Conn
	last uint32
}

func dialHost(t *testing.T, s *Server) *host {
	t.Helper()
	n, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	if err := n.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &host{t: t, net: n}
}

func (h *host) send(command, arg0, arg1 uint32, data string) {
	h.t.Helper()
	if _, err := h.net.Write(appendPacket(nil, packet{command, arg0, arg1, []byte(data)})); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) read() packet {
	h.t.Helper()
	p, err := readPacket(h.net)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

func (h *host) connect() packet {
	h.t.Helper()
	h.send(cmdConnect, protocol, maxPayload, "host::features=shell_v2")
	return h.read()
}

// run opens a service, sends it an input, and returns all that it writes until it closes.
func (h *host) run(service, input string) string {
	h.t.Helper()
	h.last++
	h.send(cmdOpen, h.last, 0, service+"\x00")
	var out bytes.Buffer
	remote := uint32(0)
	for {
		switch p := h.read(); p.command {
		case cmdOkay:
			remote = p.arg0
			if n := min(len(input), 1000); n > 0 {
				h.send(cmdWrite, h.last, remote, input[:n])
				input = input[n:]
			}
		case cmdWrite:
			out.Write(p.data)
			h.send(cmdOkay, h.last, p.arg0, "")
		case cmdClose:
			return out.String()
		}
	}
}

func device(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	if o.Banner == nil {
		o.Banner = map[string]string{"ro.product.model": "Test"}
	}
	s, err := Listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// echo writes its line to stdout, what it reads to stderr, and fails with 7.
func echo(_ context.Context, c Command) int {
	_, _ = io.WriteString(c.Stdout, c.Line)
	_, _ = io.Copy(c.Stderr, c.Stdin)
	return 7
}

func frame(kind byte, text string) string {
	return string(binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(text)))) + text
}

func word(id string, n int) string {
	return id + string(binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

func TestShell(t *testing.T) {
	h := dialHost(t, device(t, Options{Run: echo}))
	if p := h.connect(); p.command != cmdConnect || !strings.HasPrefix(string(p.data),
		"device::ro.product.model=Test;features=shell_v2,cmd") {
		t.Fatalf("the device answers %x %q", p.command, p.data)
	}
	long := strings.Repeat("x", 3000) // more than one packet
	got := h.run("shell,v2,raw:ls", frame(shellStdin, long)+frame(shellCloseStdin, ""))
	if !strings.Contains(got, frame(shellStdout, "ls")) || strings.Count(got, "x") != len(long) ||
		!strings.HasSuffix(got, frame(shellExit, "\x07")) {
		t.Errorf("shell_v2 wrote %.100q", got)
	}
	silent := func(_ context.Context, c Command) int { _, _ = io.WriteString(c.Stdout, c.Line); return 0 }
	h = dialHost(t, device(t, Options{Run: silent}))
	h.connect()
	for _, service := range []string{"shell:a b", "exec:a b"} {
		if got := h.run(service, ""); got != "a b" {
			t.Errorf("%s wrote %q", service, got)
		}
	}
	if got := h.run("framebuffer:", ""); got != "" {
		t.Errorf("a service that there is none of wrote %q", got)
	}
}

// TestCommandEndsWithItsHost: a command whose host has gone is cancelled, and Close waits for it.
func TestCommandEndsWithItsHost(t *testing.T) {
	began, ended := make(chan bool), make(chan error, 1)
	s := device(t, Options{Run: func(ctx context.Context, _ Command) int {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return 0
	}})
	h := dialHost(t, s)
	h.connect()
	h.send(cmdOpen, 1, 0, "shell:sleep 1000\x00")
	<-began
	_ = h.net.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFiles(t *testing.T) {
	folder := t.TempDir()
	h := dialHost(t, device(t, Options{Run: echo, Folder: folder}))
	h.connect()
	text := strings.Repeat("0123456789", 20_000)
	send := func(head string) string {
		var b strings.Builder
		b.WriteString(head)
		for part := range slices.Chunk([]byte(text), maxData) {
			b.WriteString(word("DATA", len(part)) + string(part))
		}
		b.WriteString(word("DONE", 1_700_000_000))
		return b.String() + word("QUIT", 0)
	}
	name := "/sdcard/a/b.txt"
	for _, head := range []string{word("SEND", len(name)+6) + name + ",33188", word("SND2", len(name)) + name +
		word("SND2", 0o100644) + word("", 0)} {
		if got := h.run("sync:", send(head)); got != word("OKAY", 0) {
			t.Errorf("%.4s answers %q", head, got)
		}
		if b, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(b) != text {
			t.Errorf("%.4s wrote %d bytes: %v", head, len(b), err)
		}
		_ = os.Remove(filepath.Join(folder, name))
	}
	h.run("sync:", send(word("SEND", len(name)+6)+name+",33188"))
	for _, ask := range []string{word("RECV", len(name)) + name, word("RCV2", len(name)) + name + word("RCV2", 0)} {
		got := h.run("sync:", ask+word("QUIT", 0))
		if strings.ReplaceAll(got, word("DATA", maxData), "")[:100] != text[:100] || !strings.HasSuffix(got,
			word("DONE", 0)) {
			t.Errorf("%.4s answers %.40q…", ask, got)
		}
	}
	stat := h.run("sync:", word("STAT", len(name))+name+word("QUIT", 0))
	if want := word("STAT", regular|0o644) + word("", len(text)) + word("", 1_700_000_000); stat != want {
		t.Errorf("STAT %q, want %q", stat, want)
	}
	second := h.run("sync:", word("LST2", len(name))+name+word("QUIT", 0))
	if len(second) != 72 || binary.LittleEndian.Uint64([]byte(second[40:])) != uint64(len(text)) ||
		!strings.HasPrefix(second, word("LST2", 0)) {
		t.Errorf("LST2 %q", second)
	}
	if missing := h.run("sync:", word("STA2", 2)+"/x"+word("QUIT", 0)); !strings.HasPrefix(missing, word("STA2", 2)) {
		t.Errorf("STA2 of no file %q", missing)
	}
	list := h.run("sync:", word("LIST", 9)+"/sdcard/a"+word("QUIT", 0))
	if !strings.HasPrefix(list, "DENT") || !strings.Contains(list, "b.txt") || !strings.Contains(list, "DONE") {
		t.Errorf("LIST %q", list)
	}
	if got := h.run("sync:", word("LIS2", 9)+"/sdcard/a"+word("QUIT", 0)); len(got) != 2*76+5 {
		t.Errorf("LIS2 %q", got)
	}
	if got := h.run("sync:", word("RECV", 2)+"/x"+word("QUIT", 0)); !strings.HasPrefix(got, "FAIL") ||
		!strings.HasSuffix(got, "No such file or directory") {
		t.Errorf("RECV of no file %q", got)
	}
}

// TestNoFileOutside: neither dots nor a link lead out of the device's folder.
func TestNoFileOutside(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(folder, "link")); err != nil {
		t.Skip(err)
	}
	h := dialHost(t, device(t, Options{Run: echo, Folder: folder}))
	h.connect()
	for _, name := range []string{"/link", "/../" + secret, "../../../../../../../.." + secret} {
		if got := h.run("sync:", word("RECV", len(name))+name+word("QUIT", 0)); !strings.HasPrefix(got, "FAIL") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// hostKey makes a key of a host, and the text in which adb keeps it.
func hostKey(t *testing.T) (*rsa.PrivateKey, []byte) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 8*keySize)
	if err != nil {
		t.Fatal(err)
	}
	le := func(n *big.Int) []byte {
		b := n.FillBytes(make([]byte, keySize))
		slices.Reverse(b)
		return b
	}
	square := new(big.Int).Exp(big.NewInt(2), big.NewInt(2*8*keySize), key.N)
	b := binary.LittleEndian.AppendUint32(nil, keySize/4)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = append(append(b, le(key.N)...), le(square)...)
	b = binary.LittleEndian.AppendUint32(b, uint32(key.E))
	return key, []byte(base64.StdEncoding.EncodeToString(b) + " someone@somewhere\n")
}

func TestAuthorization(t *testing.T) {
	known, text := hostKey(t)
	stranger, _ := hostKey(t)
	file := filepath.Join(t.TempDir(), "adbkey.pub")
	s := device(t, Options{Run: echo, Keys: func() []*rsa.PublicKey { return ReadKeys(file, "/no/such/file") }})
	// try signs the challenge and returns what the device answers.
	try := func(h *host, key *rsa.PrivateKey, challenge packet) packet {
		signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA1, challenge.data)
		if err != nil {
			t.Fatal(err)
		}
		h.send(cmdAuth, authSignature, 0, string(signature))
		return h.read()
	}
	h := dialHost(t, s)
	first := h.connect()
	if first.command != cmdAuth || len(first.data) != tokenSize {
		t.Fatalf("a host is let in without a key: %+v", first)
	}
	if p := try(h, known, first); p.command != cmdAuth {
		t.Fatal("a host was let in before its key was known")
	}
	if err := os.WriteFile(file, text, 0o600); err != nil { // adb makes its key when its server starts
		t.Fatal(err)
	}
	h = dialHost(t, s)
	second := try(h, stranger, h.connect())
	if second.command != cmdAuth || bytes.Equal(first.data, second.data) {
		t.Errorf("a stranger gets %+v", second)
	}
	if p := try(h, known, second); p.command != cmdConnect {
		t.Errorf("the known host gets %+v", p)
	}
	s.Set(Unauthorized)
	h = dialHost(t, s)
	if p := try(h, known, h.connect()); p.command != cmdAuth {
		t.Errorf("an unauthorized device answers %+v", p)
	}
	// A host that opens a service before it was let in loses its connection.
	h = dialHost(t, s)
	h.connect()
	h.send(cmdOpen, 1, 0, "shell:id\x00")
	if p, err := readPacket(h.net); err == nil {
		t.Errorf("a stranger opened a shell: %+v", p)
	}
}

func TestStates(t *testing.T) {
	s := device(t, Options{Run: echo})
	h := dialHost(t, s)
	h.connect()
	s.Set(Offline)
	if _, err := readPacket(h.net); err == nil {
		t.Error("the connection outlives the device's going offline")
	}
	h = dialHost(t, s)
	h.send(cmdConnect, protocol, maxPayload, "host::")
	_ = h.net.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if p, err := readPacket(h.net); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("an offline device answers %+v, %v", p, err)
	}
	s.Set(Gone)
	h = dialHost(t, s)
	if p, err := readPacket(h.net); !errors.Is(err, io.EOF) && !errors.As(err, new(*net.OpError)) {
		t.Errorf("a device that has gone answers %+v, %v", p, err)
	}
	s.Set(Online)
	if p := dialHost(t, s).connect(); p.command != cmdConnect {
		t.Errorf("the device is not back: %+v", p)
	}
}

// TestReverse: what connects to the device's port reaches the host's.
func TestReverse(t *testing.T) {
	h := dialHost(t, device(t, Options{Run: echo}))
	h.connect()
	got := h.run("reverse:forward:tcp:0;tcp:4321", "")
	var size int
	var port string
	if _, err := fmt.Sscanf(got, "OKAY%04x%s", &size, &port); err != nil || size != len(port) {
		t.Fatalf("reverse answers %q: %v", got, err)
	}
	if list := h.run("reverse:list-forward", ""); !strings.HasSuffix(list, "host tcp:"+port+" tcp:4321\n") ||
		!strings.HasPrefix(list, "00") {
		t.Errorf("the list is %q", list)
	}
	app, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer app.Close()
	p := h.read()
	if p.command != cmdOpen || string(p.data) != "tcp:4321\x00" {
		t.Fatalf("the host is asked %x %q", p.command, p.data)
	}
	h.send(cmdOkay, 99, p.arg0, "")
	h.send(cmdWrite, 99, p.arg0, "hello")
	b := make([]byte, 5)
	if _, err := io.ReadFull(app, b); err != nil || string(b) != "hello" {
		t.Errorf("the app reads %q, %v", b, err)
	}
	if got := h.run("reverse:killforward:tcp:1", ""); !strings.HasPrefix(got, "FAIL") {
		t.Errorf("an unknown one is removed: %q", got)
	}
}

// TestBadPackets: a host that breaks the protocol loses its connection, and the next one finds the device.
func TestBadPackets(t *testing.T) {
	s := device(t, Options{Run: echo})
	for name, text := range map[string][]byte{
		"no header of adb": bytes.Repeat([]byte("GET / "), 10),
		"too long": append(appendPacket(nil, packet{cmdWrite, 1, 1, nil})[:12], appendPacket(nil,
			packet{cmdWrite, 1, 1, nil})[8:]...),
		"unknown command": appendPacket(nil, packet{0x41414141, 0, 0, nil}),
	} {
		h := dialHost(t, s)
		h.connect()
		if name == "too long" {
			binary.LittleEndian.PutUint32(text[12:], 1<<30)
			text = text[:headerSize]
		}
		if _, err := h.net.Write(text); err != nil {
			t.Fatal(err)
		}
		if p, err := readPacket(h.net); err == nil {
			t.Errorf("%s: the device answers %+v", name, p)
		}
	}
	if p := dialHost(t, s).connect(); p.command != cmdConnect {
		t.Errorf("the device is gone: %+v", p)
	}
}

func FuzzReadPacket(f *testing.F) {
	f.Add(appendPacket(nil, packet{cmdOpen, 1, 2, []byte("shell:ls\x00")}))
	f.Add([]byte("CNXN"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := readPacket(bytes.NewReader(b))
		if err != nil {
			return
		}
		again, err := readPacket(bytes.NewReader(appendPacket(nil, p)))
		if err != nil || again.command != p.command || !bytes.Equal(again.data, p.data) {
			t.Errorf("%x reads as %+v, and written as %+v (%v)", b, p, again, err)
		}
	})
}
