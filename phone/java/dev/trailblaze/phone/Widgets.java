package dev.trailblaze.phone;

import android.app.TabActivity;
import android.widget.TabHost;
import android.widget.TabWidget;
import android.widget.ViewAnimator;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityGroup;
import org.robolectric.shadows.ShadowLinearLayout;
import org.robolectric.shadows.ShadowViewGroup;

/**
 * Widgets brings back Android's own code of widgets, which Robolectric replaces: its TabHost has no tabs, and its
 * ViewAnimator shows another child than the one that a TextSwitcher wrote into.
 */
final class Widgets {
  static final Class<?>[] ALL = {Animator.class, Tabs.class, TabRow.class, Tab.class, Host.class};

  private Widgets() {}

  @Implements(ViewAnimator.class)
  public static class Animator extends ShadowViewGroup {}

  @Implements(TabHost.class)
  public static class Tabs extends ShadowViewGroup {}

  @Implements(TabWidget.class)
  public static class TabRow extends ShadowLinearLayout {}

  @Implements(TabHost.TabSpec.class)
  public static class Tab {}

  @Implements(TabActivity.class)
  public static class Host extends ShadowActivityGroup {}
}
