package trailblaze.helper;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.content.ClipData;
import android.graphics.Bitmap;
import android.graphics.Point;
import android.os.HandlerThread;
import android.os.IBinder;
import android.os.Looper;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityWindowInfo;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The screen of a phone, by the UiAutomation that the system grants to the shell. */
final class Automation implements Screen {
  private static final int KEEP_SERVICES = 1; // FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES: the user's own go on

  private final UiAutomation ui;
  private final Object lock = new Object();
  private final Clicks clicks = new Clicks();
  private long changes;

  Automation() throws Exception {
    HandlerThread thread = new HandlerThread("trailblaze");
    thread.start();
    Class<?> connection = Class.forName("android.app.IUiAutomationConnection");
    Object local = Class.forName("android.app.UiAutomationConnection").getConstructor().newInstance();
    ui = UiAutomation.class.getConstructor(Looper.class, connection).newInstance(thread.getLooper(), local);
    try {
      UiAutomation.class.getMethod("connect", int.class).invoke(ui, KEEP_SERVICES);
    } catch (NoSuchMethodException e) {
      UiAutomation.class.getMethod("connect").invoke(ui);
    }
    AccessibilityServiceInfo info = ui.getServiceInfo();
    info.flags |= AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
        | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS;
    info.notificationTimeout = 0;
    ui.setServiceInfo(info);
    ui.setOnAccessibilityEventListener(e -> {
      clicks.add(e); // before it counts: who hears of the change finds it
      synchronized (lock) {
        changes++;
        lock.notifyAll();
      }
    });
  }

  @Override public List<Window> windows() {
    List<Window> out = new ArrayList<>();
    for (AccessibilityWindowInfo i : ui.getWindows()) {
      Window w = new Window();
      w.id = i.getId();
      w.layer = i.getLayer();
      w.title = i.getTitle() == null ? null : i.getTitle().toString();
      w.focused = i.isFocused();
      w.active = i.isActive();
      w.root = i.getRoot();
      i.getBoundsInScreen(w.bounds);
      switch (i.getType()) {
        case AccessibilityWindowInfo.TYPE_APPLICATION: break;
        case AccessibilityWindowInfo.TYPE_INPUT_METHOD: w.type = "keyboard"; break;
        case AccessibilityWindowInfo.TYPE_SYSTEM: w.type = "system"; break;
        case AccessibilityWindowInfo.TYPE_ACCESSIBILITY_OVERLAY: w.type = "overlay"; break;
        default: w.type = "other";
      }
      out.add(w);
    }
    return out;
  }

  @Override public boolean inject(InputEvent event) { return ui.injectInputEvent(event, true); }

  @Override public byte[] screenshot() {
    Bitmap b = ui.takeScreenshot();
    if (b == null) return null;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    b.compress(Bitmap.CompressFormat.PNG, 100, out);
    b.recycle();
    return out.toByteArray();
  }

  @Override public long changes() {
    synchronized (lock) {
      return changes;
    }
  }

  @Override public Clicks clicks() { return clicks; }

  @Override public void awaitChange(long since, long ms) throws InterruptedException {
    long end = System.nanoTime() + ms * 1_000_000;
    synchronized (lock) {
      for (long left; changes == since && (left = (end - System.nanoTime()) / 1_000_000) > 0; ) lock.wait(left);
    }
  }

  @Override public boolean rotate(int quarters) {
    return ui.setRotation(quarters < 0 ? UiAutomation.ROTATION_UNFREEZE : quarters);
  }

  @Override public String clipboard(String text) throws Exception {
    Object manager = service("clipboard", "android.content.IClipboard");
    if (text != null) clip(manager, "setPrimaryClip", ClipData.newPlainText("text", text));
    ClipData c = (ClipData) clip(manager, "getPrimaryClip", null);
    return c == null || c.getItemCount() == 0 ? "" : String.valueOf(c.getItemAt(0).getText());
  }

  /** Asks the clipboard in the name of the shell. What else a system asks for, a tag, the user and the screen, is none or the first. */
  private static Object clip(Object manager, String name, ClipData data) throws Exception {
    for (Method m : manager.getClass().getMethods()) {
      if (!m.getName().equals(name)) continue;
      Class<?>[] types = m.getParameterTypes();
      Object[] args = new Object[types.length];
      boolean named = false;
      for (int i = 0; i < types.length; i++) {
        if (types[i] == int.class) args[i] = 0;
        else if (types[i] == ClipData.class) args[i] = data;
        else if (types[i] == String.class && !named) {
          args[i] = "com.android.shell";
          named = true;
        }
      }
      return m.invoke(manager, args);
    }
    throw new NoSuchMethodException("the clipboard of this system has no " + name);
  }

  @Override public int[] display() throws Exception {
    // The public API of displays wants an app's context, which the shell does not have.
    Object wm = service("window", "android.view.IWindowManager");
    Point size = new Point();
    wm.getClass().getMethod("getBaseDisplaySize", int.class, Point.class).invoke(wm, 0, size);
    int density = (Integer) wm.getClass().getMethod("getBaseDisplayDensity", int.class).invoke(wm, 0);
    int turn = rotation(wm);
    return turn % 2 == 0 ? new int[] {size.x, size.y, density, turn} : new int[] {size.y, size.x, density, turn};
  }

  private static int rotation(Object wm) throws Exception {
    for (Method m : wm.getClass().getMethods()) {
      if (m.getName().equals("getDefaultDisplayRotation") && m.getParameterCount() == 0) return (Integer) m.invoke(wm);
      if (m.getName().equals("getRotation") && m.getParameterCount() == 0) return (Integer) m.invoke(wm);
    }
    return 0;
  }

  private static Object service(String name, String type) throws Exception {
    Object binder = Class.forName("android.os.ServiceManager").getMethod("getService", String.class).invoke(null, name);
    return Class.forName(type + "$Stub").getMethod("asInterface", IBinder.class).invoke(null, binder);
  }

  @Override public <T> T read(Callable<T> work) throws Exception { return work.call(); }
}
