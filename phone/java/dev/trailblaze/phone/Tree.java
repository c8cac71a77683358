package dev.trailblaze.phone;

import android.graphics.Point;
import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;

/** Tree writes the framework's own accessibility nodes in the form of "uiautomator dump". */
final class Tree {
  private final StringBuilder out = new StringBuilder();
  private final int x;
  private final int y;

  private Tree(int x, int y) {
    this.x = x;
    this.y = y;
  }

  /** Writes the window that has the focus, or all that can be seen. */
  static String xml(Screen screen, boolean all) {
    StringBuilder b = new StringBuilder("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    Point size = screen.size();
    Screen.Window focused = screen.focused();
    for (Screen.Window w : screen.readable()) {
      if (all || focused != null && focused.view() == w.view()) {
        Tree t = new Tree(w.x(), w.y());
        t.node(root(w), 0, new Rect(0, 0, size.x, size.y));
        b.append(t.out);
      }
    }
    return b.append("</hierarchy>").toString();
  }

  /** Returns the root of a window. Its children come through the framework's in-process connection, which API 34 brought. */
  static AccessibilityNodeInfo root(Screen.Window w) {
    AccessibilityNodeInfo n = w.view().createAccessibilityNodeInfo();
    n.setQueryFromAppProcessEnabled(w.view(), true);
    n.refresh();
    return n;
  }

  private void node(AccessibilityNodeInfo n, int index, Rect clip) {
    Rect r = new Rect();
    n.getBoundsInScreen(r);
    r.offset(x, y);
    if (!r.intersect(clip)) {
      r.setEmpty();
    }
    out.append("<node");
    put("index", index);
    put("text", n.getText());
    put("resource-id", n.getViewIdResourceName());
    put("class", n.getClassName());
    put("package", n.getPackageName());
    put("content-desc", n.getContentDescription());
    put("checkable", n.isCheckable());
    put("checked", n.isChecked());
    put("clickable", n.isClickable());
    put("enabled", n.isEnabled());
    put("focusable", n.isFocusable());
    put("focused", n.isFocused());
    put("scrollable", n.isScrollable());
    put("long-clickable", n.isLongClickable());
    put("password", n.isPassword());
    put("selected", n.isSelected());
    put("bounds", r.toShortString());
    out.append('>');
    for (int i = 0; i < n.getChildCount(); i++) {
      AccessibilityNodeInfo c = n.getChild(i);
      if (c != null && c.isVisibleToUser()) {
        node(c, i, r);
      }
    }
    out.append("</node>");
  }

  private void put(String name, Object value) {
    out.append(' ').append(name).append("=\"");
    String s = value == null ? "" : value.toString();
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\n' -> out.append("&#10;");
        default -> out.append(c < ' ' ? '.' : c);
      }
    }
    out.append('"');
  }
}
