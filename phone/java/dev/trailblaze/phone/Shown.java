package dev.trailblaze.phone;

import android.app.Application;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.graphics.Point;
import android.os.Looper;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.View;
import android.view.WindowManager.LayoutParams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;

/**
 * Shown gives the windows of this process to the helper of the driver for Android, whose tree walker and wire are the same
 * sources that run on a device.
 */
final class Shown implements trailblaze.helper.Screen {
  private final Application app;
  private final Phone phone;
  private final Screen screen;
  private final Input input;
  private final Faults faults;
  private final Map<View, Integer> ids = new WeakHashMap<>(); // of windows
  private int lastId;

  Shown(Application app, Phone phone, Screen screen, Input input, Faults faults, int number) {
    this.app = app;
    this.phone = phone;
    this.screen = screen;
    this.input = input;
    this.faults = faults;
    lastId = number << 16; // windows of other processes have other ids
  }

  /** Answers one request of the helper's wire. */
  byte[] answer(String request) throws IOException {
    byte[] text = request.getBytes(StandardCharsets.UTF_8);
    byte[] frame = ByteBuffer.allocate(4 + text.length).putInt(text.length).put(text).array();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new trailblaze.helper.Wire(this).serve(new ByteArrayInputStream(frame), out);
    return out.toByteArray();
  }

  @Override
  public List<Window> windows() {
    List<Window> out = new ArrayList<>();
    List<Screen.Window> all = screen.readable();
    Screen.Window focused = screen.focused();
    for (int i = 0; i < all.size(); i++) {
      Screen.Window w = all.get(i);
      Window o = new Window();
      o.id = ids.computeIfAbsent(w.view(), v -> ++lastId);
      o.type = type(w.params().type);
      o.layer = all.size() - i;
      o.title = String.valueOf(w.params().getTitle());
      o.dx = w.x();
      o.dy = w.y();
      o.bounds.set(w.x(), w.y(), w.x() + w.view().getWidth(), w.y() + w.view().getHeight());
      o.focused = o.active = focused != null && focused.view() == w.view();
      o.root = faults.cut(Tree.root(w));
      out.add(o);
    }
    return out;
  }

  private static String type(int type) {
    if (type == LayoutParams.TYPE_INPUT_METHOD) {
      return "keyboard";
    }
    if (type == LayoutParams.TYPE_APPLICATION_OVERLAY) {
      return "overlay";
    }
    return type >= LayoutParams.FIRST_SYSTEM_WINDOW ? "system" : "application";
  }

  @Override
  public boolean inject(InputEvent event) throws Exception {
    if (event instanceof KeyEvent && ((KeyEvent) event).getKeyCode() == KeyEvent.KEYCODE_HOME) {
      if (((KeyEvent) event).getAction() == KeyEvent.ACTION_UP) { // the system takes this key before any window
        phone.home();
      }
      return true;
    }
    return input.inject(event);
  }

  @Override
  public byte[] screenshot() throws Exception {
    return screen.png(phone);
  }

  @Override
  public long changes() {
    return screen.told.count();
  }

  @Override
  public trailblaze.helper.Clicks clicks() {
    return Events.clicks;
  }

  @Override
  public void awaitChange(long since, long ms) throws InterruptedException {
    screen.told.await(since, ms);
  }

  @Override
  public boolean rotate(int quarters) {
    phone.turn(quarters == 1 || quarters == 3);
    return true;
  }

  @Override
  public String clipboard(String text) throws Exception {
    return phone.onMain(() -> {
      ClipboardManager m = app.getSystemService(ClipboardManager.class);
      if (text != null) {
        m.setPrimaryClip(ClipData.newPlainText("text", text));
      }
      ClipData c = m.getPrimaryClip();
      return c == null || c.getItemCount() == 0 ? "" : String.valueOf(c.getItemAt(0).coerceToText(app));
    });
  }

  @Override
  public int[] display() {
    Point size = screen.size();
    return new int[] {size.x, size.y, app.getResources().getConfiguration().densityDpi, size.x > size.y ? 1 : 0};
  }

  @Override
  public <T> T read(Callable<T> work) throws Exception {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      return work.call();
    }
    faults.beforeTree();
    return phone.onMain(work);
  }
}
