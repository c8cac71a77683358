package trailblaze.helper;

import android.graphics.Rect;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.List;

/**
 * Gives the helper what it shows and drives. Automation does so on a phone; a host that runs Android's framework in its
 * own process implements it on the windows of that process.
 */
public interface Screen {
  /** Window is one window with the root of its tree. */
  final class Window {
    public int id;
    public String type = "application"; // application, keyboard, system, overlay, other
    public int layer; // the window with the highest layer is in front
    public String title;
    public Rect bounds = new Rect();
    public boolean focused;
    public boolean active;
    public AccessibilityNodeInfo root; // null: the window gives none
    public int dx, dy; // what the bounds of its nodes lack to be those on the screen
  }

  /** Lists the windows of the screen. */
  List<Window> windows() throws Exception;

  /** Sends one event, and returns when the window has handled it. False: no window took it. */
  boolean inject(InputEvent event) throws Exception;

  /** Takes a picture as PNG; null when the system refuses one. */
  byte[] screenshot() throws Exception;

  /** Counts what has changed on the screen so far. */
  long changes();

  /** Keeps which views say that they were clicked. */
  Clicks clicks();

  /** Waits until the count is another than since, or for at most ms milliseconds. */
  void awaitChange(long since, long ms) throws InterruptedException;

  /** Turns the screen: 0 to 3 quarters, -1 to follow the sensor again. */
  boolean rotate(int quarters) throws Exception;

  /** Reads the clipboard, or sets it when text is not null. */
  String clipboard(String text) throws Exception;

  /** The size of the screen in pixels, its density and its rotation. */
  int[] display() throws Exception;

  /** Runs work where nodes may be read: on the main thread of an own process, at once elsewhere. */
  <T> T read(java.util.concurrent.Callable<T> work) throws Exception;
}
