package trailblaze.helper;

import android.os.Bundle;
import android.os.SystemClock;
import android.util.Base64;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Answers the driver on one connection: a request and its answer are JSON behind a length of four bytes, one after the
 * other. {"do":"tree"} is answered by {"ok":{…}} or {"error":"…","kind":"…"}.
 */
public final class Wire {
  /** The version of what is said here. The driver starts a helper of its own version and asks for it first. */
  public static final int VERSION = 1;

  private static final int MOST = 4 << 20; // bytes of a request
  private static final int NODES = 20000;
  private static final long BASE = System.currentTimeMillis() << 10; // no count is one of a helper before


  private final Screen screen;

  public Wire(Screen screen) { this.screen = screen; }

  /** Answers until the connection ends. */
  public void serve(InputStream from, OutputStream to) throws IOException {
    DataInputStream in = new DataInputStream(from);
    DataOutputStream out = new DataOutputStream(to);
    while (true) {
      int n;
      try {
        n = in.readInt();
      } catch (EOFException e) {
        return;
      }
      if (n < 0 || n > MOST) throw new IOException("a request of " + n + " bytes");
      byte[] b = new byte[n];
      in.readFully(b);
      byte[] answer = answer(new String(b, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
      out.writeInt(answer.length);
      out.write(answer);
      out.flush();
    }
  }

  private String answer(String request) {
    try {
      JSONObject q = new JSONObject(request);
      return new JSONObject().put("ok", answer(q)).toString();
    } catch (Throwable t) { // an app's process may die in the midst of a walk, and the driver must hear of it
      if (t instanceof InvocationTargetException && t.getCause() != null) t = t.getCause();
      try {
        return new JSONObject().put("error", String.valueOf(t)).toString();
      } catch (JSONException e) {
        return "{\"error\":\"no answer\"}";
      }
    }
  }

  private JSONObject answer(JSONObject q) throws Exception {
    JSONObject o = new JSONObject();
    switch (q.getString("do")) {
      case "hello":
        int[] d = screen.display();
        return o.put("version", VERSION).put("api", android.os.Build.VERSION.SDK_INT).put("width", d[0]).put("height", d[1])
            .put("density", d[2]).put("rotation", d[3]);
      case "tree": return tree(q.optInt("most", NODES), q.optLong("clicks", Long.MAX_VALUE));
      case "touch": return touch(q.getJSONArray("points"), q.optInt("fingers", 1));
      case "keys": return keys(q.getJSONArray("codes"));
      case "text": return text(q);
      case "screenshot":
        byte[] png = screen.screenshot();
        return png == null ? o.put("refused", true) : o.put("png", Base64.encodeToString(png, Base64.NO_WRAP));
      case "settle": return settle(q.optLong("quiet", 100), q.optLong("most", 5000), q.optLong("since", -1));
      case "wait":
        screen.awaitChange(q.getLong("since") - BASE, q.getLong("most"));
        return o.put("changes", BASE + screen.changes());
      case "rotate": return o.put("done", screen.rotate(q.getInt("quarters")));
      case "clipboard": return o.put("text", screen.clipboard(q.has("set") ? q.getString("set") : null));
      default: throw new IllegalArgumentException("the helper cannot do " + q.getString("do"));
    }
  }

  private JSONObject tree(int most, long since) throws Exception {
    long changes = screen.changes(); // before the walk: what changes during it is a change since
    return screen.read(() -> {
      Walker w = new Walker(most);
      JSONArray windows = new JSONArray();
      for (Screen.Window win : screen.windows()) windows.put(w.window(win));
      int[] d = screen.display();
      JSONObject o = new JSONObject().put("windows", windows).put("changes", BASE + changes).put("width", d[0]).put("height", d[1])
          .put("rotation", d[3]).put("clicks", screen.clicks().since(since));
      return w.truncated() ? o.put("truncated", true) : o;
    });
  }

  /** Waits until nothing has changed for quiet milliseconds, at most so long. */
  private JSONObject settle(long quiet, long most, long since) throws InterruptedException {
    long end = SystemClock.elapsedRealtime() + most, last = screen.changes();
    while (true) {
      long left = end - SystemClock.elapsedRealtime();
      if (left <= 0) return state(last, true);
      screen.awaitChange(last, Math.min(quiet, left));
      long now = screen.changes();
      if (now == last) {
        if (left < quiet) continue;
        return state(now, false);
      }
      last = now;
    }
  }

  private static JSONObject state(long changes, boolean busy) {
    try {
      return new JSONObject().put("changes", BASE + changes).put("busy", busy);
    } catch (JSONException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sends a gesture: [at, x, y] for each moment, in milliseconds from its beginning; x2, y2 follow for a second finger. An
   * app that takes a moment late gets the later ones later, too: a finger that rests at its end has rested, and flings nothing.
   */
  private JSONObject touch(JSONArray points, int fingers) throws Exception {
    long down = SystemClock.uptimeMillis(), last = down;
    int n = points.length();
    boolean taken = true;
    for (int i = 0; i < n; i++) {
      JSONArray p = points.getJSONArray(i);
      if (i > 0) Thread.sleep(Math.max(last + p.getLong(0) - points.getJSONArray(i - 1).getLong(0) - SystemClock.uptimeMillis(), 0));
      last = SystemClock.uptimeMillis();
      if (i == 0) {
        taken &= pointer(down, MotionEvent.ACTION_DOWN, p, 1);
        if (fingers > 1) taken &= pointer(down, MotionEvent.ACTION_POINTER_DOWN | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, p, 2);
      } else if (i < n - 1) {
        taken &= pointer(down, MotionEvent.ACTION_MOVE, p, fingers);
      } else {
        if (fingers > 1) taken &= pointer(down, MotionEvent.ACTION_POINTER_UP | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, p, 2);
        taken &= pointer(down, MotionEvent.ACTION_UP, p, 1);
      }
    }
    return new JSONObject().put("taken", taken).put("at", down);
  }

  private boolean pointer(long down, int action, JSONArray p, int fingers) throws Exception {
    MotionEvent.PointerProperties[] who = new MotionEvent.PointerProperties[fingers];
    MotionEvent.PointerCoords[] where = new MotionEvent.PointerCoords[fingers];
    for (int i = 0; i < fingers; i++) {
      who[i] = new MotionEvent.PointerProperties();
      who[i].id = i;
      who[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
      where[i] = new MotionEvent.PointerCoords();
      where[i].x = (float) p.getDouble(1 + 2 * i);
      where[i].y = (float) p.getDouble(2 + 2 * i);
      where[i].pressure = 1;
      where[i].size = 1;
    }
    MotionEvent e = MotionEvent.obtain(down, SystemClock.uptimeMillis(), action, fingers, who, where, 0, 0, 1, 1, 0, 0,
        InputDevice.SOURCE_TOUCHSCREEN, 0);
    try {
      return screen.inject(e);
    } finally {
      e.recycle();
    }
  }

  /** Presses keys one after the other: a code, or [code, meta state]. */
  private JSONObject keys(JSONArray codes) throws Exception {
    boolean taken = true;
    for (int i = 0; i < codes.length(); i++) {
      JSONArray pair = codes.optJSONArray(i);
      int code = pair == null ? codes.getInt(i) : pair.getInt(0), meta = pair == null ? 0 : pair.getInt(1);
      long t = SystemClock.uptimeMillis();
      taken &= screen.inject(key(t, KeyEvent.ACTION_DOWN, code, meta));
      taken &= screen.inject(key(t, KeyEvent.ACTION_UP, code, meta));
    }
    return new JSONObject().put("taken", taken);
  }

  private static KeyEvent key(long down, int action, int code, int meta) {
    return new KeyEvent(down, SystemClock.uptimeMillis(), action, code, 0, meta, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0,
        InputDevice.SOURCE_KEYBOARD);
  }

  /**
   * Types text into the node that has the input focus, key by key where the keys of a keyboard have it. With a node and
   * "set", the field is given its whole new text at once, as a keyboard that composes does.
   */
  private JSONObject text(JSONObject q) throws Exception {
    String text = q.getString("text");
    JSONObject o = new JSONObject();
    if (!q.optBoolean("set")) {
      KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
      if (events == null) return o.put("typed", false);
      boolean taken = true;
      for (KeyEvent e : events) taken &= screen.inject(KeyEvent.changeTimeRepeat(e, SystemClock.uptimeMillis(), 0));
      return o.put("typed", taken);
    }
    boolean done = screen.read(() -> {
      AccessibilityNodeInfo n = Walker.find(screen.windows(), q.getString("node"));
      if (n == null) return false;
      Bundle args = new Bundle();
      args.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
      return n.performAction(AccessibilityNodeInfo.ACTION_SET_TEXT, args);
    });
    return o.put("typed", done);
  }

}
