package phone

import (
	"archive/zip"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/automation"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

//go:embed java
var sources embed.FS

// onDevice are the sources of the driver's helper that need a device: they reach its system server.
var onDevice = []string{"java/trailblaze/helper/Automation.java", "java/trailblaze/helper/Main.java"}

const (
	maxAPK   = 512 << 20
	javaHint = "Install a JDK of version %d or newer (on Debian: apt-get install openjdk-%d-jdk-headless), or set " +
		"$JAVA_HOME to one."
)

// javaTool finds a program of the JDK.
func javaTool(name string) (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		path := filepath.Join(home, "bin", name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	path, err := proc.LookPath(name)
	if err != nil {
		return "", fault.New(fault.Unavailable, "find "+name, "%w", err).WithHint(javaHint, oldestJDK, oldestJDK)
	}
	return path, nil
}

// JDK runs java and javac, and returns the path of the latter and what it says of its version. One that is too old for
// our sources is an error.
func JDK(ctx context.Context) (string, error) { return checkJDK(ctx, oldestJDK) }

func checkJDK(ctx context.Context, oldest int) (string, error) {
	const op = "find JDK"
	out := ""
	for _, name := range []string{"java", "javac"} {
		path, err := javaTool(name)
		if err != nil {
			return "", err
		}
		said, err := runJava(ctx, op, path, "-version")
		if err != nil {
			return "", err
		}
		out = path + ", " + strings.TrimSpace(said)
		var n int
		if _, err := fmt.Sscanf(said, "javac %d", &n); err == nil && n < oldest {
			return "", fault.New(fault.Unavailable, op, "%s is older than %d", out, oldest).
				WithHint(javaHint, oldest, oldest)
		}
	}
	return out, nil
}

// The oldest versions of the JDK that do, for all and from API level 36 on.
const (
	oldestJDK = 17
	newJDK    = 21
)

// toolchain holds the programs and jars that start a phone of one API level.
type toolchain struct {
	java    string
	jars    []string // that every phone needs
	classes string   // the folder of our own classes
	sdk     string   // the folder of the framework
	store   *store
}

// prepare fetches the artifacts of an API level and compiles our sources.
func (s *store) prepare(ctx context.Context, api int) (*toolchain, error) {
	t := &toolchain{store: s}
	var err error
	if t.java, err = javaTool("java"); err != nil {
		return nil, err
	}
	framework := artifacts(frameworkUse(api))
	if len(framework) == 0 {
		return nil, fault.New(fault.Invalid, "start phone", "there is no framework of API level %d", api).
			WithHint("Choose --api 34, 35 or 36.")
	}
	return t, s.locked(ctx, func() error {
		list := append(artifacts("all", "translate", "dumper"), framework...)
		paths, err := s.fetch(ctx, list)
		if err != nil {
			return err
		}
		for i, a := range list {
			switch {
			case a.use == framework[0].use:
				t.sdk = filepath.Dir(paths[i])
			case strings.HasSuffix(a.path, ".aar"):
				jar := strings.TrimSuffix(paths[i], ".aar") + ".jar"
				if err := unpackClasses(paths[i], jar); err != nil {
					return err
				}
				t.jars = append(t.jars, jar)
			default:
				t.jars = append(t.jars, paths[i])
			}
		}
		t.classes, err = t.compile(ctx)
		return err
	})
}

// unpackClasses writes the classes of an Android library as a jar.
func unpackClasses(aar, jar string) error {
	if _, err := os.Stat(jar); err == nil {
		return nil
	}
	z, err := zip.OpenReader(aar)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "read "+aar)
	}
	defer func() { _ = z.Close() }()
	in, err := z.Open("classes.jar")
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "read "+aar)
	}
	defer func() { _ = in.Close() }()
	b, err := io.ReadAll(in)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "read "+aar)
	}
	return file.Replace(jar, b)
}

// compile compiles our sources once for each state of them.
func (t *toolchain) compile(ctx context.Context) (string, error) {
	var texts [][]byte
	var names []string
	for _, from := range []embed.FS{sources, automation.Java} {
		err := fs.WalkDir(from, "java", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || slices.Contains(onDevice, path) {
				return err
			}
			text, err := from.ReadFile(path)
			texts, names = append(texts, []byte(path), text), append(names, path)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	classes := filepath.Join(t.store.folder, "classes", digest(append(texts, []byte(strings.Join(t.jars, " ")))...))
	return classes, makeOnce(classes, func(folder string) error {
		javac, err := javaTool("javac")
		if err != nil {
			return err
		}
		t.store.say("Compiling the phone")
		src, err := os.MkdirTemp(t.store.folder, ".src-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(src) }()
		args := []string{"-nowarn", "-proc:none", "-source", "17", "-target", "17", "-encoding", "UTF-8", "-d",
			folder, "-cp", t.path()}
		for i, name := range names {
			path := filepath.Join(src, filepath.FromSlash(name))
			if err := file.Replace(path, texts[2*i+1]); err != nil {
				return err
			}
			args = append(args, path)
		}
		_, err = runJava(ctx, "compile the phone", javac, args...)
		return err
	})
}

// translate turns the classes of an APK into a jar, once for each APK.
func (t *toolchain) translate(ctx context.Context, apk string) (string, error) {
	text, err := file.Read(apk, maxAPK)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "read "+apk)
	}
	if !strings.HasPrefix(string(text), "PK\x03\x04") { // the first bytes of a zip file
		return "", fault.New(fault.Invalid, "read "+apk, "this is no Android package").WithHint("Name an .apk file.")
	}
	folder := filepath.Join(t.store.folder, "apps", digest(text))
	return filepath.Join(folder, "classes.jar"), t.store.locked(ctx, func() error {
		return makeOnce(folder, func(folder string) error {
			t.store.say("Translating the classes of %s", filepath.Base(apk))
			_, err := runJava(ctx, "translate "+apk, t.java, "-Xmx1g", "-cp", t.path(), "dev.trailblaze.phone.Translate",
				apk, filepath.Join(folder, "classes.jar"))
			return err
		})
	})
}

// makeOnce makes a folder that is there whole or not at all.
func makeOnce(folder string, fill func(folder string) error) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	part := folder + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(part, 0o700); err != nil {
		return err
	}
	if err := fill(part); err != nil {
		_ = os.RemoveAll(part)
		return err
	}
	return os.Rename(part, folder)
}

// path is the class path without an app.
func (t *toolchain) path(more ...string) string {
	all := append(more, t.jars...)
	if t.classes != "" {
		all = append([]string{t.classes}, all...)
	}
	return strings.Join(all, string(filepath.ListSeparator))
}

// runJava runs a program of the JDK and returns the end of what it prints, which an error quotes.
func runJava(ctx context.Context, op, path string, args ...string) (string, error) {
	var said proc.Tail
	if err := proc.Run(ctx, proc.Spec{Path: path, Args: args, Env: javaEnv(), Stdout: &said, Stderr: &said}); err != nil {
		return "", fault.New(fault.Unavailable, op, "%w: %s", err, said.String()).WithHint(javaHint, oldestJDK, oldestJDK)
	}
	return said.String(), nil
}

func javaEnv() []string {
	return proc.Env(os.Environ(), func(name string) bool { return name == "JAVA_HOME" })
}
