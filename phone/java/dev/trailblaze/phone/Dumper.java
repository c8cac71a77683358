package dev.trailblaze.phone;

import android.graphics.Point;
import android.util.Xml;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.StringWriter;
import java.lang.reflect.Method;
import org.xmlpull.v1.XmlSerializer;

/** Dumper has Google's own code (androidx.test.uiautomator) write the tree, to compare ours with. */
final class Dumper {
  private static final int DEPTH = 200;

  private Dumper() {}

  static String xml(Screen screen) throws Exception {
    StringWriter out = new StringWriter();
    XmlSerializer x = Xml.newSerializer();
    x.setOutput(out);
    x.startDocument("UTF-8", true);
    x.startTag("", "hierarchy");
    Screen.Window w = screen.focused();
    Point size = screen.size();
    for (Method m : Class.forName("androidx.test.uiautomator.AccessibilityNodeInfoDumper").getDeclaredMethods()) {
      if (m.getName().equals("dumpNodeRec") && m.getParameterCount() >= 5) {
        m.setAccessible(true);
        AccessibilityNodeInfo root = Tree.root(w);
        m.invoke(null, m.getParameterCount() == 5 ? new Object[] {root, x, 0, size.x, size.y}
            : new Object[] {root, x, 0, size.x, size.y, DEPTH});
      }
    }
    x.endTag("", "hierarchy");
    x.endDocument();
    return out.toString();
  }
}
