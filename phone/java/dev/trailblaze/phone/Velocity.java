package dev.trailblaze.phone;

import android.view.MotionEvent;
import android.view.VelocityTracker;
import java.util.ArrayDeque;
import java.util.Deque;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowVelocityTracker;

/**
 * Velocity measures how fast a finger moves by its last 100 ms, and forgets what was before a pause of 40 ms, as Android
 * does. Robolectric's own class looks back 200 ms: content flew on after a finger that had rested at its end.
 */
@Implements(VelocityTracker.class)
public class Velocity extends ShadowVelocityTracker {
  private static final long HORIZON_MS = 100;
  private static final long PAUSE_MS = 40;

  private final Deque<MotionEvent> moves = new ArrayDeque<>(); // the newest first
  private float perSecond = 1; // units of a velocity
  private float most = Float.MAX_VALUE;

  @Override
  @Implementation
  protected void clear() {
    moves.forEach(MotionEvent::recycle);
    moves.clear();
  }

  @Override
  @Implementation
  protected void addMovement(MotionEvent e) {
    int action = e.getActionMasked();
    if (action == MotionEvent.ACTION_DOWN || !moves.isEmpty() && e.getEventTime() - moves.peek().getEventTime() > PAUSE_MS) {
      clear();
    }
    if (action == MotionEvent.ACTION_DOWN || action == MotionEvent.ACTION_MOVE) {
      moves.push(MotionEvent.obtain(e));
      while (e.getEventTime() - moves.peekLast().getEventTime() > HORIZON_MS) {
        moves.removeLast().recycle();
      }
    }
  }

  @Override
  @Implementation
  protected void computeCurrentVelocity(int units, float max) {
    perSecond = units / 1000f;
    most = max;
  }

  @Override
  @Implementation
  protected float getXVelocity(int id) {
    return velocity(id, true);
  }

  @Override
  @Implementation
  protected float getYVelocity(int id) {
    return velocity(id, false);
  }

  private float velocity(int id, boolean across) {
    MotionEvent last = moves.peek();
    MotionEvent first = last;
    for (MotionEvent e : moves) {
      if (index(e, id) >= 0) {
        first = e;
      }
    }
    if (last == null || index(last, id) < 0 || last.getEventTime() == first.getEventTime()) {
      return 0;
    }
    float way = across ? last.getX(index(last, id)) - first.getX(index(first, id)) : last.getY(index(last, id)) - first.getY(index(first, id));
    float v = way * 1000 / (last.getEventTime() - first.getEventTime()) * perSecond;
    return Math.max(-most, Math.min(most, v));
  }

  private static int index(MotionEvent e, int id) {
    return id < 0 ? 0 : e.findPointerIndex(id);
  }
}
