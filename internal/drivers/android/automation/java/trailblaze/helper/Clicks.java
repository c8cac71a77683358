package trailblaze.helper;

import android.view.accessibility.AccessibilityEvent;
import java.util.ArrayDeque;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Clicks keeps the last accessibility events by which views say that they were clicked, held or given the focus. */
public final class Clicks {
  private static final int MOST = 32;

  private final ArrayDeque<JSONObject> last = new ArrayDeque<>();

  /** Keeps an event, unless it is of another kind. Its source may be gone by now: the id of it is in the event. */
  public void add(AccessibilityEvent e) {
    String kind = kind(e.getEventType()), id = kind == null ? null : Walker.idOf(e);
    if (id == null) return;
    JSONObject o = new JSONObject();
    try {
      o.put("id", id).put("kind", kind).put("at", e.getEventTime());
    } catch (JSONException never) {
      throw new IllegalStateException(never);
    }
    synchronized (last) {
      if (last.size() == MOST) last.removeFirst();
      last.addLast(o);
    }
  }

  private static String kind(int type) {
    switch (type) {
      case AccessibilityEvent.TYPE_VIEW_CLICKED: return "click";
      case AccessibilityEvent.TYPE_VIEW_LONG_CLICKED: return "hold";
      case AccessibilityEvent.TYPE_VIEW_FOCUSED: return "focus";
      default: return null;
    }
  }

  /** Lists those at or after a time since the phone was started, in milliseconds. */
  JSONArray since(long at) {
    JSONArray out = new JSONArray();
    synchronized (last) {
      for (JSONObject o : last) if (o.optLong("at") >= at) out.put(o);
    }
    return out;
  }
}
