package dev.trailblaze.phone;

import android.view.InputEvent;
import android.view.MotionEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.trailblaze.phone.Wire.Refused;

/** Faults holds what goes wrong on command: the tree is slow, cut off or refused, or a touch lands elsewhere. */
final class Faults {
  private static final int ELSEWHERE_PX = 300;

  private volatile int slowMs;
  private volatile boolean truncated;
  private volatile boolean error;
  private volatile boolean elsewhere;

  /** Sets one fault, and ends the others of these. */
  void set(String name, int value) throws Refused {
    slowMs = 0;
    truncated = error = elsewhere = false;
    switch (name) {
      case "none" -> {}
      case "slow-tree" -> slowMs = value;
      case "truncated-tree" -> truncated = true;
      case "tree-error" -> error = true;
      case "tap-elsewhere" -> elsewhere = true;
      default -> throw new Refused("there is no fault " + name);
    }
  }

  /** Delays or refuses a reading of the tree. It runs on the thread that waits for the tree. */
  void beforeTree() throws Refused, InterruptedException {
    Thread.sleep(slowMs);
    if (error) {
      throw new Refused("the tree is refused (phone fault tree-error)");
    }
  }

  /** Cuts off the second half of a text that ought to be whole. */
  String cut(String tree) {
    return truncated ? tree.substring(0, tree.length() / 2) : tree;
  }

  /** Leaves the root of a window without its tree, as a connection that breaks off does. */
  AccessibilityNodeInfo cut(AccessibilityNodeInfo root) {
    return truncated ? null : root;
  }

  void move(InputEvent e) {
    if (elsewhere && e instanceof MotionEvent m) {
      m.offsetLocation(0, ELSEWHERE_PX);
    }
  }
}
