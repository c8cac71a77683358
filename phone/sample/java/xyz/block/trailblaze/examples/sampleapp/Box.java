package xyz.block.trailblaze.examples.sampleapp;

import android.content.Context;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.LinearLayout;
import java.util.function.Consumer;

/**
 * Box is a group of views that accessibility sees as Compose shows one: as a plain view, whose children are its labels, and
 * which is checked, or the item of a row, where that is said.
 */
final class Box extends LinearLayout {
  private boolean checkable;
  private boolean checked;
  private int column = -1;

  Box(Context context, int orientation) {
    super(context);
    setOrientation(orientation);
    setImportantForAccessibility(IMPORTANT_FOR_ACCESSIBILITY_YES);
  }

  /** A tap checks the box, and another one takes that back. */
  Box toggles(Consumer<Boolean> told) {
    checkable = true;
    setOnClickListener(v -> {
      checked = !checked;
      setBackgroundColor(checked ? 0xFFB39DDB : 0);
      sendAccessibilityEvent(AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED);
      told.accept(checked);
    });
    return this;
  }

  Box column(int index) {
    column = index;
    return this;
  }

  @Override
  public CharSequence getAccessibilityClassName() {
    return "android.view.View";
  }

  @Override
  public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
    super.onInitializeAccessibilityNodeInfo(info);
    info.setCheckable(checkable);
    info.setChecked(checked);
    if (column >= 0) {
      info.setCollectionItemInfo(AccessibilityNodeInfo.CollectionItemInfo.obtain(0, 1, column, 1, false));
    }
  }
}
