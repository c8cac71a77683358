package trailblaze.helper;

import android.graphics.Rect;
import android.os.Build;
import android.os.Bundle;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** Writes trees of accessibility nodes as JSON. It reads nodes alone, so it runs wherever there are nodes. */
public final class Walker {
  // The bits of a node's flags. They are on the wire: append only.
  static final int ENABLED = 1, CLICKABLE = 1 << 1, LONG_CLICKABLE = 1 << 2, CHECKABLE = 1 << 3, CHECKED = 1 << 4,
      SELECTED = 1 << 5, FOCUSED = 1 << 6, FOCUSABLE = 1 << 7, EDITABLE = 1 << 8, SCROLLABLE = 1 << 9,
      PASSWORD = 1 << 10, HEADING = 1 << 11, MULTI_LINE = 1 << 12, VISIBLE = 1 << 13, HINT_SHOWN = 1 << 14,
      INVALID = 1 << 15, EXPANDABLE = 1 << 16, EXPANDED = 1 << 17, FORWARD = 1 << 18, BACKWARD = 1 << 19,
      COLLECTION = 1 << 20, IMPORTANT = 1 << 21, SETS_TEXT = 1 << 22, PARTIAL = 1 << 23;

  private static final Method SOURCE = source(AccessibilityNodeInfo.class), EVENT_SOURCE = source(AccessibilityEvent.class);

  private final int most;
  private int count;
  private boolean truncated;

  Walker(int most) { this.most = most; }

  boolean truncated() { return truncated; }

  int count() { return count; }

  /** The hidden number of a node's view and of what it draws itself, which names an element for as long as it lives. */
  static String idOf(AccessibilityNodeInfo n) {
    try {
      if (SOURCE != null) return n.getWindowId() + ":" + Long.toHexString((Long) SOURCE.invoke(n));
    } catch (ReflectiveOperationException e) {
      // the public hash is made of the same numbers
    }
    return n.getWindowId() + ":h" + Integer.toHexString(n.hashCode());
  }

  /** The id of the node that an event comes from, as idOf has it; null when the event names none. */
  static String idOf(AccessibilityEvent e) {
    try {
      if (EVENT_SOURCE != null) return e.getWindowId() + ":" + Long.toHexString((Long) EVENT_SOURCE.invoke(e));
    } catch (ReflectiveOperationException x) {
      // the node itself has it, while there is one
    }
    AccessibilityNodeInfo n = e.getSource();
    return n == null ? null : idOf(n);
  }

  private static Method source(Class<?> of) {
    try {
      return of.getMethod("getSourceNodeId");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  JSONObject window(Screen.Window w) throws JSONException {
    JSONObject o = new JSONObject();
    o.put("id", w.id).put("type", w.type).put("layer", w.layer).put("b", box(w.bounds));
    text(o, "title", w.title);
    if (w.focused) o.put("focused", true);
    if (w.active) o.put("active", true);
    if (w.root != null) o.put("root", node(w, w.root, 0));
    return o;
  }

  private JSONObject node(Screen.Window w, AccessibilityNodeInfo n, int depth) throws JSONException {
    count++;
    JSONObject o = new JSONObject();
    o.put("id", w.id + "/" + idOf(n));
    text(o, "cls", n.getClassName());
    text(o, "res", n.getViewIdResourceName());
    text(o, "text", n.getText());
    text(o, "desc", n.getContentDescription());
    text(o, "pkg", n.getPackageName());
    text(o, "err", n.getError());
    int flags = flags(n);
    newer(o, n);
    if (Build.VERSION.SDK_INT >= 26) {
      text(o, "hint", n.getHintText());
      if (n.isShowingHintText()) flags |= HINT_SHOWN;
    }
    AccessibilityNodeInfo label = n.getLabeledBy();
    if (label != null) text(o, "label", label.getText());
    Bundle extras = n.getExtras();
    if (extras != null) {
      text(o, "web", extras.getCharSequence("AccessibilityNodeInfo.chromeRole"));
      text(o, "roleDesc", extras.getCharSequence("AccessibilityNodeInfo.roleDescription"));
      text(o, "tag", extras.getCharSequence("androidx.compose.ui.semantics.testTag"));
    }
    if (n.getInputType() != 0) o.put("input", n.getInputType());
    AccessibilityNodeInfo.CollectionItemInfo item = n.getCollectionItemInfo();
    if (item != null) o.put("row", item.getRowIndex()).put("col", item.getColumnIndex());
    if (n.getCollectionInfo() != null) flags |= COLLECTION;
    AccessibilityNodeInfo.RangeInfo range = n.getRangeInfo();
    if (range != null)
      o.put("range", new JSONArray().put((double) range.getMin()).put((double) range.getMax()).put((double) range.getCurrent()));
    if (n.isEditable() && n.getTextSelectionEnd() >= 0)
      o.put("sel", new JSONArray().put(n.getTextSelectionStart()).put(n.getTextSelectionEnd()));
    o.put("order", n.getDrawingOrder());
    Rect r = new Rect();
    n.getBoundsInScreen(r);
    r.offset(w.dx, w.dy);
    o.put("b", box(r));
    JSONArray kids = new JSONArray();
    int children = n.getChildCount();
    for (int i = 0; i < children; i++) {
      if (count >= most || depth > 200) {
        truncated = true;
        break;
      }
      AccessibilityNodeInfo c = n.getChild(i);
      if (c == null) {
        flags |= PARTIAL; // the app did not answer for it, or it went away meanwhile
        continue;
      }
      kids.put(node(w, c, depth + 1));
    }
    if (kids.length() > 0) o.put("kids", kids);
    return o.put("f", flags);
  }

  private static void newer(JSONObject o, AccessibilityNodeInfo n) throws JSONException {
    if (Build.VERSION.SDK_INT >= 28) text(o, "pane", n.getPaneTitle());
    if (Build.VERSION.SDK_INT >= 30) text(o, "state", n.getStateDescription());
    if (Build.VERSION.SDK_INT >= 33) text(o, "uid", n.getUniqueId());
  }

  private static int flags(AccessibilityNodeInfo n) {
    int f = 0;
    if (n.isEnabled()) f |= ENABLED;
    if (n.isClickable()) f |= CLICKABLE;
    if (n.isLongClickable()) f |= LONG_CLICKABLE;
    if (n.isCheckable()) f |= CHECKABLE;
    if (n.isChecked()) f |= CHECKED;
    if (n.isSelected()) f |= SELECTED;
    if (n.isFocused()) f |= FOCUSED;
    if (n.isFocusable()) f |= FOCUSABLE;
    if (n.isEditable()) f |= EDITABLE;
    if (n.isScrollable()) f |= SCROLLABLE;
    if (n.isPassword()) f |= PASSWORD;
    if (n.isMultiLine()) f |= MULTI_LINE;
    if (n.isVisibleToUser()) f |= VISIBLE;
    if (n.isContentInvalid()) f |= INVALID;
    if (Build.VERSION.SDK_INT >= 28 && n.isHeading()) f |= HEADING;
    if (n.isImportantForAccessibility()) f |= IMPORTANT;
    for (AccessibilityNodeInfo.AccessibilityAction a : n.getActionList()) {
      switch (a.getId()) {
        case AccessibilityNodeInfo.ACTION_EXPAND: f |= EXPANDABLE; break;
        case AccessibilityNodeInfo.ACTION_COLLAPSE: f |= EXPANDABLE | EXPANDED; break;
        case AccessibilityNodeInfo.ACTION_SCROLL_FORWARD: f |= FORWARD; break;
        case AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD: f |= BACKWARD; break;
        case AccessibilityNodeInfo.ACTION_SET_TEXT: f |= SETS_TEXT; break;
        default:
      }
    }
    return f;
  }

  private static JSONArray box(Rect r) { return new JSONArray().put(r.left).put(r.top).put(r.right).put(r.bottom); }

  private static void text(JSONObject o, String key, CharSequence s) throws JSONException {
    if (s != null) o.put(key, s.toString());
  }

  /** Finds a node by the id that a tree gave it, null when it is gone. */
  static AccessibilityNodeInfo find(List<Screen.Window> windows, String id) {
    for (Screen.Window w : windows) {
      if (w.root == null || !id.startsWith(w.id + "/")) continue;
      List<AccessibilityNodeInfo> open = new ArrayList<>();
      open.add(w.root);
      while (!open.isEmpty()) {
        AccessibilityNodeInfo n = open.remove(open.size() - 1);
        if (id.equals(w.id + "/" + idOf(n))) return n;
        for (int i = n.getChildCount() - 1; i >= 0; i--) {
          AccessibilityNodeInfo c = n.getChild(i);
          if (c != null) open.add(c);
        }
      }
    }
    return null;
  }
}
