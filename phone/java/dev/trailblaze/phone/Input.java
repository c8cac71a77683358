package dev.trailblaze.phone;

import android.app.UiAutomation;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import androidx.test.platform.app.InstrumentationRegistry;
import dev.trailblaze.phone.Wire.Refused;

/** Input sends touches and keys through the window that they belong to, as a person's finger would. */
final class Input {
  private static final int FRAME_MS = 16;
  private static final int LONG_KEY_MS = 600;

  private final Phone phone;
  private final Screen screen;
  private final Faults faults;
  private Screen.Window touched; // the window that a finger was put down on, until it is lifted; the main thread's
  private volatile long waiting;
  private final UiAutomation automation = InstrumentationRegistry.getInstrumentation().getUiAutomation();

  Input(Phone phone, Screen screen, Faults faults) {
    this.phone = phone;
    this.screen = screen;
    this.faults = faults;
  }

  /** Sends an event to the window that it belongs to, and returns when it has been handled: whether a window took it. */
  boolean inject(InputEvent e) throws Exception {
    if (e instanceof KeyEvent && phone.keyboardTakes((KeyEvent) e)) {
      return true;
    }
    faults.move(e);
    waiting = System.nanoTime();
    try {
      return phone.onMain(() -> e instanceof MotionEvent ? move((MotionEvent) e) : automation.injectInputEvent(e, true));
    } finally {
      waiting = 0;
    }
  }

  /**
   * Gives a touch to its window. Robolectric asks for each event anew which window that is; on Android a window that comes
   * under a finger, as the dialog of a long press, gets none of its events.
   */
  private boolean move(MotionEvent e) {
    if (e.getActionMasked() == MotionEvent.ACTION_DOWN) {
      touched = null;
      for (Screen.Window w : screen.windows()) {
        if (touched == null && w.takes(e)) {
          touched = w;
        }
      }
      return automation.injectInputEvent(e, true);
    }
    if (touched == null || !touched.view().isAttachedToWindow()) {
      return false;
    }
    e.offsetLocation(-touched.x(), -touched.y());
    boolean taken = touched.view().dispatchTouchEvent(e);
    e.offsetLocation(touched.x(), touched.y());
    return taken;
  }

  /** Returns since when an event has waited for the main thread, and 0 when none does. */
  long waitingSince() {
    return waiting;
  }

  private void touch(long down, int action, float x, float y) throws Exception {
    MotionEvent e = MotionEvent.obtain(down, SystemClock.uptimeMillis(), action, x, y, 0);
    e.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    inject(e);
  }

  /** Moves a finger along points, which are x and y in turn, in a time: one point is a tap, or a long press. */
  void gesture(float[] points, int ms) throws Exception {
    long down = SystemClock.uptimeMillis();
    int last = points.length - 2;
    touch(down, MotionEvent.ACTION_DOWN, points[0], points[1]);
    int legs = last / 2;
    for (int leg = 0; leg < legs; leg++) {
      int steps = Math.max(2, ms / legs / FRAME_MS);
      for (int i = 1; i <= steps; i++) {
        Thread.sleep(ms / legs / steps);
        float part = (float) i / steps;
        float x = points[2 * leg] + (points[2 * leg + 2] - points[2 * leg]) * part;
        float y = points[2 * leg + 1] + (points[2 * leg + 3] - points[2 * leg + 1]) * part;
        touch(down, MotionEvent.ACTION_MOVE, x, y);
      }
    }
    if (legs == 0) {
      Thread.sleep(ms);
    }
    touch(down, MotionEvent.ACTION_UP, points[last], points[last + 1]);
  }

  void key(int code, boolean isLong) throws Exception {
    long down = SystemClock.uptimeMillis();
    inject(new KeyEvent(down, down, KeyEvent.ACTION_DOWN, code, 0));
    if (isLong) {
      Thread.sleep(LONG_KEY_MS);
      inject(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_DOWN, code, 1, 0, 0, 0, KeyEvent.FLAG_LONG_PRESS));
    }
    inject(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_UP, code, 0));
  }

  /** Types text by the keys that make it. Android's own "input text" cannot type what no key makes either. */
  void text(String s) throws Exception {
    KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(s.toCharArray());
    if (events == null) {
      throw new Refused("no keys make the text \"" + s + "\"");
    }
    for (KeyEvent e : events) {
      inject(KeyEvent.changeTimeRepeat(e, SystemClock.uptimeMillis(), 0));
    }
  }
}
