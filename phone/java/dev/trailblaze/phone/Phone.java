package dev.trailblaze.phone;

import static dev.trailblaze.phone.Wire.json;

import android.app.Application;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.Choreographer;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityManager;
import dev.trailblaze.phone.Wire.Refused;
import dev.trailblaze.phone.Wire.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.json.JSONArray;
import org.json.JSONObject;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.pluginapi.config.ConfigurationStrategy;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowAccessibilityManager;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowPackageParser;
import org.robolectric.shadows.ShadowPausedLooper;
import org.robolectric.shadows.ShadowSystemClock;
import org.robolectric.shadows.ShadowView;

/**
 * Phone runs one app on the framework's own code, on Android's main thread. It advances Android's clock with the real one,
 * so that long presses, flings and animations take the time that they take on a device.
 */
public final class Phone implements Wire.Handler {
  /** The package that the phone's own elements have. */
  static final String PACKAGE = "dev.trailblaze.phone";

  private static final int QUIET_MS = 100;
  private static final int IDLE_MS = 10_000; // that a dump waits for a quiet screen
  private static final int DRAWN_MS = 2_000; // that it waits for the end of animations

  private final Application app;
  private final Handler main = new Handler(Looper.getMainLooper());
  private final Wire wire;
  private final Logcat logcat;
  private final Activities activities;
  private final Screen screen;
  private final Faults faults = new Faults();
  private final Input input;
  private final Furniture furniture;
  private final Shown shown;

  /** Runs the phone. Main calls it by reflection, from outside of the sandbox. */
  public static void run(AndroidSandbox sandbox, Path apk, String[] display, InputStream in, OutputStream out) {
    Thread.currentThread().setContextClassLoader(sandbox.getRobolectricClassLoader());
    sandbox.getTestEnvironment().setUpApplicationState("phone", new Modes(Map.of(
        ConscryptMode.Mode.class, ConscryptMode.Mode.OFF,
        LooperMode.Mode.class, LooperMode.Mode.PAUSED,
        LazyApplication.LazyLoad.class, LazyApplication.LazyLoad.ON, // its data has to be in place before it is made
        GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE,
        SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE,
        Config.class, new Config.Builder().setQualifiers(display[0]).build())),
        new AndroidManifest(null, null, null, null, "", apk));
    ShadowView.setUseRealViewAnimations(true);
    ShadowView.setUseRealDrawTraversals(true);
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(Duration.ofMillis(15));
    keepData(ShadowPackageParser.callParsePackage(apk).packageName, Path.of(display[4]));
    Phone phone = new Phone(new Wire(in, out), Integer.parseInt(display[5]));
    size(Integer.parseInt(display[1]), Integer.parseInt(display[2]));
    RuntimeEnvironment.setFontScale(Float.parseFloat(display[3]));
    phone.furniture.bar();
    phone.loop();
  }

  /** Has the app store its files in the phone's folder of data, which outlives this process. */
  private static void keepData(String name, Path all) {
    try {
      Path ours = Files.createDirectories(all.resolve(name));
      Path theirs = RuntimeEnvironment.getTempDirectory().createIfNotExists(name + "-dataDir"); // as Robolectric names it
      Files.delete(theirs);
      Files.createSymbolicLink(theirs, ours);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Modes are the settings that a test of Robolectric would declare by annotations. */
  private record Modes(Map<Class<?>, Object> map) implements ConfigurationStrategy.Configuration {
    @Override
    public <T> T get(Class<T> c) {
      return c.cast(map.get(c));
    }

    @Override
    public Set<Class<?>> keySet() {
      return map.keySet();
    }
  }

  private Phone(Wire wire, int number) {
    this.wire = wire;
    app = RuntimeEnvironment.getApplication();
    logcat = new Logcat(wire);
    activities = new Activities(app);
    screen = new Screen(app, main, activities, number);
    input = new Input(this, screen, faults);
    furniture = new Furniture(app, main, activities, screen);
    shown = new Shown(app, this, screen, input, faults, number);
    ((ShadowAccessibilityManager) Shadow.extract(app.getSystemService(AccessibilityManager.class))).setEnabled(true);
    Launcher.chosen = name -> wire.send(json("event", "launch", "package", name), new byte[0]);
  }

  /** Gives the display its size in pixels, which qualifiers round to units of the density. */
  private static void size(int width, int height) {
    ShadowDisplay d = Shadow.extract(ShadowDisplay.getDefaultDisplay());
    d.setRealWidth(width);
    d.setRealHeight(height);
    d.setWidth(width);
    d.setHeight(height);
  }

  private void loop() {
    ShadowPausedLooper looper = Shadow.extract(Looper.myLooper());
    Choreographer.getInstance().postFrameCallback(new Choreographer.FrameCallback() {
      @Override
      public void doFrame(long nanos) { // one frame asks for the next, so that the poll below always has an end
        Choreographer.getInstance().postFrameCallback(this);
      }
    });
    wire.serve(this);
    Watchdog.start(input, Thread.currentThread(), logcat, app.getPackageName(),
        () -> wire.send(json("event", "anr", "package", app.getPackageName()), new byte[0]));
    wire.send(json("event", "ready", "app", describe()), new byte[0]);
    while (true) {
      long before = System.nanoTime();
      try {
        looper.idle();
        activities.turn();
        screen.focus();
        furniture.turn();
        long task = looper.getNextScheduledTaskTime().toMillis();
        long frame = ShadowChoreographer.getNextVsyncTime();
        long due = task == 0 || frame == 0 ? Math.max(task, frame) : Math.min(task, frame);
        looper.poll(due == 0 ? 0 : Math.max(1, due - SystemClock.uptimeMillis()));
      } catch (Throwable t) {
        crash(t);
      }
      ShadowSystemClock.advanceBy(Duration.ofNanos(System.nanoTime() - before));
    }
  }

  private void crash(Throwable t) {
    logcat.crash(app.getPackageName(), t);
    activities.endAll();
    wire.send(json("event", "crash", "package", app.getPackageName(), "reason", String.valueOf(t)), new byte[0]);
  }

  private JSONObject describe() {
    ApplicationInfo info = app.getApplicationInfo();
    try {
      PackageInfo p = app.getPackageManager().getPackageInfo(app.getPackageName(), 0);
      return json("package", p.packageName, "versionName", p.versionName, "versionCode", p.getLongVersionCode(),
          "targetSdk", info.targetSdkVersion, "label", String.valueOf(info.loadLabel(app.getPackageManager())),
          "main", activities.launcherName());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a task on the main thread and waits for its result. */
  <T> T onMain(Callable<T> task) throws Exception {
    FutureTask<T> f = new FutureTask<>(task);
    main.post(f);
    try {
      return f.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception x ? x : e;
    }
  }

  /** Waits, as am does, for the window of the activity that came of a start: a first one may only start another. */
  private void drawn() throws Exception {
    for (long end = System.nanoTime() + IDLE_MS * 1_000_000L; System.nanoTime() < end; ) {
      long changes = screen.drawn.count();
      if (onMain(activities::drawn)) {
        return;
      }
      screen.drawn.await(changes, (end - System.nanoTime()) / 1_000_000);
    }
  }

  /** Brings the home screen to the front. */
  void home() throws Exception {
    onMain(() -> {
      activities.home();
      return null;
    });
  }

  /** Reports whether a keyboard takes a key before the app does: back closes it, and the suggestions of a field before it. */
  boolean keyboardTakes(KeyEvent e) throws Exception {
    return e.getKeyCode() == KeyEvent.KEYCODE_BACK && onMain(() -> {
      Screen.Window w = screen.focused();
      if (!furniture.keyboardShown() || w != null && w.view().dispatchKeyEventPreIme(e)) {
        return furniture.keyboardShown();
      }
      return e.getAction() != KeyEvent.ACTION_UP || furniture.hide();
    });
  }

  /** Lets the main thread finish what an input began. */
  private Reply settled() throws Exception {
    onMain(() -> null);
    onMain(() -> null);
    return new Reply(json(), new byte[0]);
  }

  @Override
  public Reply answer(JSONObject q) throws Exception {
    switch (q.getString("do")) {
      case "tree": {
        faults.beforeTree();
        idle();
        String xml = onMain(() -> Tree.xml(screen, q.optBoolean("all")));
        return new Reply(json(), faults.cut(xml).getBytes(StandardCharsets.UTF_8));
      }
      case "dumper": {
        idle();
        String xml = onMain(() -> Dumper.xml(screen));
        return new Reply(json(), xml.getBytes(StandardCharsets.UTF_8));
      }
      case "picture":
        return new Reply(json(), screen.png(this));
      case "gesture":
        input.gesture(floats(q.getJSONArray("points")), q.getInt("ms"));
        return settled();
      case "key":
        input.key(q.getInt("code"), q.optBoolean("long"));
        return settled();
      case "text":
        input.text(q.getString("text"));
        return settled();
      case "start": {
        Intent intent = intent(q);
        onMain(() -> {
          activities.start(intent, -1);
          return null;
        });
        drawn();
        return settled();
      }
      case "state":
        return new Reply(onMain(() -> screen.state(furniture.keyboardShown())), new byte[0]);
      case "home":
        home();
        return settled();
      case "end":
        onMain(() -> {
          activities.endAll();
          return null;
        });
        return settled();
      case "apps": {
        List<Launcher.Shortcut> apps = new ArrayList<>();
        JSONArray list = q.getJSONArray("apps");
        for (int i = 0; i < list.length(); i++) {
          apps.add(new Launcher.Shortcut(list.getJSONObject(i).getString("package"), list.getJSONObject(i).getString("label")));
        }
        onMain(() -> Launcher.apps = apps);
        return new Reply(json(), new byte[0]);
      }
      case "helper":
        return new Reply(json(), shown.answer(q.getString("request")));
      case "fault":
        faults.set(q.getString("name"), q.getInt("value"));
        if (q.getString("name").equals("none")) {
          onMain(() -> {
            furniture.clear();
            return null;
          });
        }
        return settled();
      case "sheet":
        onMain(() -> {
          furniture.sheet(q.getInt("ms"));
          return null;
        });
        return new Reply(json(), new byte[0]);
      case "duplicate":
        onMain(() -> {
          furniture.decoy(q.getString("label"));
          return null;
        });
        return settled();
      case "stuck":
        main.post(() -> {
          try {
            Thread.sleep(q.optLong("ms"));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
        return new Reply(json(), new byte[0]);
      case "crash":
        main.post(() -> {
          throw new RuntimeException("shell-induced crash");
        });
        return new Reply(json(), new byte[0]);
      case "configure":
        onMain(() -> {
          RuntimeEnvironment.setQualifiers(q.getString("qualifiers"));
          size(q.getInt("width"), q.getInt("height"));
          RuntimeEnvironment.setFontScale((float) q.getDouble("fontScale"));
          activities.configure();
          furniture.bar();
          return null;
        });
        return settled();
      case "broadcast": {
        Intent intent = intent(q);
        onMain(() -> {
          app.sendBroadcast(intent);
          return null;
        });
        return settled();
      }
      case "grant":
        onMain(() -> {
          ShadowApplication s = Shadows.shadowOf(app);
          if (q.getBoolean("granted")) {
            s.grantPermissions(q.getString("permission"));
          } else {
            s.denyPermissions(q.getString("permission"));
          }
          return null;
        });
        return settled();
      default:
        throw new Refused("the phone has no " + q.getString("do"));
    }
  }

  /** Asks the kit to turn the display: its own settings know of it then. */
  void turn(boolean land) {
    wire.send(json("event", "turn", "land", land), new byte[0]);
  }

  /** Waits, as uiautomator does, until no event has come for a while; and until nothing is drawn, for a shorter time. */
  private void idle() throws Exception {
    onMain(() -> null);
    screen.drawn.quiet(QUIET_MS, DRAWN_MS);
    for (long end = System.nanoTime() + IDLE_MS * 1_000_000L; ; ) {
      long left = QUIET_MS - Events.quiet() / 1_000_000;
      if (left <= 0) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new Refused("accessibility events kept coming for " + IDLE_MS + " ms");
      }
      Thread.sleep(left);
    }
  }

  private Intent intent(JSONObject q) throws Exception {
    if (q.optBoolean("main")) {
      return activities.launcher();
    }
    Intent i = new Intent();
    if (q.has("action")) {
      i.setAction(q.getString("action"));
    }
    if (q.has("package")) {
      i.setPackage(q.getString("package"));
    }
    if (q.has("data") && q.has("type")) {
      i.setDataAndType(Uri.parse(q.getString("data")), q.getString("type"));
    } else if (q.has("data")) {
      i.setData(Uri.parse(q.getString("data")));
    } else if (q.has("type")) {
      i.setType(q.getString("type"));
    }
    if (q.has("component")) {
      i.setComponent(android.content.ComponentName.unflattenFromString(q.getString("component")));
    }
    i.addFlags(q.optInt("flags"));
    JSONArray categories = q.optJSONArray("categories");
    for (int k = 0; categories != null && k < categories.length(); k++) {
      i.addCategory(categories.getString(k));
    }
    JSONArray extras = q.optJSONArray("extras");
    for (int k = 0; extras != null && k < extras.length(); k++) {
      JSONObject e = extras.getJSONObject(k);
      String key = e.getString("key");
      switch (e.getString("type")) {
        case "string" -> i.putExtra(key, e.getString("value"));
        case "null" -> i.putExtra(key, (String) null);
        case "bool" -> i.putExtra(key, Boolean.parseBoolean(e.getString("value")));
        case "int" -> i.putExtra(key, Integer.parseInt(e.getString("value")));
        case "long" -> i.putExtra(key, Long.parseLong(e.getString("value")));
        case "float" -> i.putExtra(key, Float.parseFloat(e.getString("value")));
        default -> throw new Refused("an extra cannot be a " + e.getString("type"));
      }
    }
    return i;
  }

  private static float[] floats(JSONArray a) throws Exception {
    float[] f = new float[a.length()];
    for (int i = 0; i < f.length; i++) {
      f[i] = (float) a.getDouble(i);
    }
    return f;
  }
}
