package dev.trailblaze.phone;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAccessibilityManager;

/** Events notes accessibility events, of which Robolectric's own class would keep each one. */
@Implements(AccessibilityManager.class)
public class Events extends ShadowAccessibilityManager {
  static final trailblaze.helper.Clicks clicks = new trailblaze.helper.Clicks();
  static volatile Changes told;
  private static volatile long last = System.nanoTime();

  @Override
  @Implementation
  protected void sendAccessibilityEvent(AccessibilityEvent event) {
    last = System.nanoTime();
    event.setEventTime(SystemClock.uptimeMillis()); // as the framework's own does
    clicks.add(event); // before it counts: who hears of the change finds it
    if (told != null) {
      told.add();
    }
  }

  /** Returns the nanoseconds since the last event. */
  public static long quiet() {
    return System.nanoTime() - last;
  }
}
