package proc

import (
	"runtime"
	"slices"
	"strings"
)

// needed are the variables that programs need to find their files, their screen, their language,
// the network and phones.
var needed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP", "TERM",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "LD_LIBRARY_PATH",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME",
	"HOMEDRIVE", "HOMEPATH",
	"PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "PROGRAMW6432", "COMMONPROGRAMFILES", "PUBLIC",
	"NUMBER_OF_PROCESSORS",
	"ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_SDK_HOME", "ANDROID_USER_HOME", "ANDROID_SERIAL",
	"ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT", "ADB_SERVER_SOCKET", "ADB_VENDOR_KEYS",
}

var neededPrefixes = []string{"LC_", "XDG_", "FONTCONFIG_", "GDK_", "__CF_"}

// Env is the part of an environment that a program may see: the variables every program needs, and those that also
// allows. Tokens of a build server and other secrets of a shell stay out of every process we start.
func Env(environ []string, also func(name string) bool) []string {
	out := []string{}
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		known := strings.ToUpper(name) // proxies are written small, and Windows minds no case
		switch {
		case name == "":
		case slices.Contains(needed, known),
			slices.ContainsFunc(neededPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }),
			also != nil && also(name), runtime.GOOS == "windows" && strings.HasPrefix(name, "="):
			out = append(out, e)
		}
	}
	return out
}
