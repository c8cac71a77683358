package dev.trailblaze.phone;

import android.app.Activity;
import android.app.Application;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.res.Configuration;
import android.os.IBinder;
import android.util.DisplayMetrics;
import android.view.View;
import dev.trailblaze.phone.Wire.Refused;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.robolectric.Robolectric;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowPackageManager;

/**
 * Activities decides which activity runs: Robolectric records what an app starts and starts nothing. It keeps tasks and
 * their back stacks by the rules of Android's activity manager for launch modes and flags, and hands over results.
 */
final class Activities {
  /** Entry is an activity in the stack of its task. */
  private static final class Entry {
    final ActivityController<? extends Activity> controller;
    final ActivityInfo info;
    final Intent intent;
    final Entry caller;
    final int requestCode;
    boolean stopped;

    Entry(ActivityController<? extends Activity> c, ActivityInfo info, Intent intent, Entry caller, int requestCode) {
      controller = c;
      this.info = info;
      this.intent = intent;
      this.caller = caller;
      this.requestCode = requestCode;
    }

    Activity activity() {
      return controller.get();
    }

    View decor() {
      return activity().getWindow() == null ? null : activity().getWindow().peekDecorView();
    }
  }

  private final Application app;
  private final Deque<Deque<Entry>> tasks = new ArrayDeque<>(); // the front task first, in it the top activity first

  private boolean started;

  Activities(Application app) {
    this.app = app;
    Shadows.shadowOf(app).checkActivities(true);
    ActivityInfo home = new ActivityInfo();
    home.packageName = app.getPackageName();
    home.name = Launcher.class.getName();
    home.taskAffinity = Phone.PACKAGE;
    home.applicationInfo = app.getApplicationInfo();
    home.theme = android.R.style.Theme_Material_NoActionBar;
    home.launchMode = ActivityInfo.LAUNCH_SINGLE_TASK;
    ShadowPackageManager packages = Shadows.shadowOf(app.getPackageManager());
    packages.addOrUpdateActivity(home);
    IntentFilter asks = new IntentFilter(PackageManager.ACTION_REQUEST_PERMISSIONS);
    asks.addCategory(Intent.CATEGORY_DEFAULT);
    ComponentName question =
        new ComponentName(app.getPackageManager().getPermissionControllerPackageName(), Phone.PACKAGE + ".PermissionQuestion");
    packages.addActivityIfNotPresent(question);
    packages.addIntentFilterForActivity(question, asks);
  }

  /** Brings the home screen to the front. */
  void home() throws Refused {
    start(new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_HOME).setClassName(app, Launcher.class.getName()), -1);
  }

  /** Changes the configuration of every activity, which recreates those that do not handle it. */
  void configure(Configuration c, DisplayMetrics m) {
    for (Deque<Entry> task : tasks) {
      for (Entry e : task) {
        boolean hidden = e.stopped;
        e.controller.configurationChange(c, m);
        if (!e.decor().isAttachedToWindow()) { // it was recreated
          e.controller.visible();
        }
        if (hidden && e.decor() != null) {
          e.decor().setVisibility(View.INVISIBLE);
        }
      }
    }
  }

  private Entry top() {
    return tasks.isEmpty() ? null : tasks.peek().peek();
  }

  Activity topActivity() {
    return top() == null ? null : top().activity();
  }

  /** Lists the activities that can be seen, the top one first: those below one that is not opaque too. */
  List<Activity> visible() {
    List<Activity> out = new ArrayList<>();
    if (!tasks.isEmpty()) {
      for (Entry e : tasks.peek()) {
        out.add(e.activity());
        if (opaque(e)) {
          break;
        }
      }
    }
    return out;
  }

  private static boolean opaque(Entry e) {
    return !ActivityInfo.isTranslucentOrFloating(e.activity().getWindow().getWindowStyle());
  }

  /** Lists the tasks, the front one first, as the names of their activities, the top one first. */
  List<List<String>> stacks() {
    List<List<String>> out = new ArrayList<>();
    for (Deque<Entry> task : tasks) {
      List<String> names = new ArrayList<>();
      for (Entry e : task) {
        names.add(e.activity().getComponentName().flattenToShortString());
      }
      out.add(names);
    }
    return out;
  }

  private ResolveInfo launcherInfo() {
    Intent q = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER).setPackage(app.getPackageName());
    List<ResolveInfo> found = app.getPackageManager().queryIntentActivities(q, 0);
    return found.isEmpty() ? null : found.get(0);
  }

  String launcherName() {
    ResolveInfo r = launcherInfo();
    return r == null ? "" : r.activityInfo.getComponentName().flattenToShortString();
  }

  /** Makes the intent that a launcher starts the app with. */
  Intent launcher() throws Refused {
    ResolveInfo r = launcherInfo();
    if (r == null) {
      throw new Refused(app.getPackageName() + " has no activity that a launcher could start");
    }
    return new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER)
        .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK).setComponent(r.activityInfo.getComponentName());
  }

  /** Starts an activity from outside of the app, as a shell or a launcher does. */
  void start(Intent intent, int requestCode) throws Refused {
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    started = true;
    start(intent, null, requestCode);
  }

  private void start(Intent intent, Entry caller, int requestCode) throws Refused {
    ActivityInfo info = intent.resolveActivityInfo(app.getPackageManager(), 0);
    if (info == null) {
      throw new Refused("unable to resolve " + intent);
    }
    intent.setClassName(info.packageName, info.name);
    boolean single = info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean clearTop = single || has(intent, Intent.FLAG_ACTIVITY_CLEAR_TOP);
    boolean reuse = single || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TOP || has(intent, Intent.FLAG_ACTIVITY_SINGLE_TOP);
    Entry before = top();

    Deque<Entry> task = tasks.peek();
    if (task == null || caller == null || single || has(intent, Intent.FLAG_ACTIVITY_NEW_TASK)) {
      task = taskOf(info);
      boolean sameRoot = task != null && task.peekLast().intent.filterEquals(intent);
      if (task != null && has(intent, Intent.FLAG_ACTIVITY_CLEAR_TASK)) {
        finish(task);
        task = null;
      }
      if (task == null || has(intent, Intent.FLAG_ACTIVITY_MULTIPLE_TASK)) {
        task = new ArrayDeque<>();
      } else {
        tasks.remove(task);
        sameRoot &= !clearTop;
        if (sameRoot) { // the task comes to the front as it is
          tasks.push(task);
          switchFrom(before);
          return;
        }
      }
      tasks.push(task);
    }
    Entry same = find(task, info);
    if (same != null && clearTop) {
      for (Entry e : List.copyOf(task)) {
        if (e == same && reuse) {
          break;
        }
        e.activity().finish();
        if (e == same) {
          break;
        }
      }
    }
    if (same != null && reuse && (clearTop || task.peek() == same)) {
      turn();
      same.controller.newIntent(intent);
      switchFrom(before);
      return;
    }
    push(task, info, intent, caller, requestCode);
    if (before != null && before != top() && !before.activity().isFinishing()) {
      settle(before);
    }
  }

  private void push(Deque<Entry> task, ActivityInfo info, Intent intent, Entry caller, int requestCode) throws Refused {
    Class<? extends Activity> type;
    try {
      type = Class.forName(info.targetActivity == null ? info.name : info.targetActivity).asSubclass(Activity.class);
    } catch (ClassNotFoundException e) {
      throw new Refused("the app has no class " + info.name);
    }
    Entry before = top();
    if (before != null && !before.stopped) {
      before.controller.topActivityResumed(false).pause();
    }
    Entry e = new Entry(Robolectric.buildActivity(type, intent), info, intent, caller, requestCode);
    task.push(e);
    e.controller.create();
    if (!e.activity().isFinishing()) {
      e.controller.start().postCreate(null).resume().visible();
      e.controller.topActivityResumed(true);
    }
  }

  private static boolean has(Intent i, int flag) {
    return (i.getFlags() & flag) != 0;
  }

  private Deque<Entry> taskOf(ActivityInfo info) {
    for (Deque<Entry> t : tasks) {
      if (Objects.equals(t.peekLast().info.taskAffinity, info.taskAffinity)
          && Objects.equals(t.peekLast().info.packageName, info.packageName)) {
        return t;
      }
    }
    return null;
  }

  private static Entry find(Deque<Entry> task, ActivityInfo info) {
    for (Entry e : task) {
      if (e.info.name.equals(info.name)) {
        return e;
      }
    }
    return null;
  }

  /** Resumes the top activity, and stops the one that was it before. */
  private void switchFrom(Entry before) {
    Entry now = top();
    if (before == now) {
      return;
    }
    if (before != null && !before.activity().isFinishing()) {
      before.controller.topActivityResumed(false).pause();
    }
    if (now != null) {
      resume(now);
    }
    if (before != null && !before.activity().isFinishing()) {
      settle(before);
    }
  }

  private void resume(Entry e) {
    if (e.stopped) {
      e.stopped = false;
      if (e.decor() != null) {
        e.decor().setVisibility(View.VISIBLE);
      }
      e.controller.restart().start();
    }
    e.controller.resume().topActivityResumed(true);
  }

  /** Stops a paused activity that cannot be seen any more. */
  private void settle(Entry e) {
    if (e.stopped || visible().contains(e.activity())) {
      return;
    }
    e.stopped = true;
    e.controller.stop();
    if (e.decor() != null) {
      e.decor().setVisibility(View.INVISIBLE);
    }
  }

  private void finish(Deque<Entry> task) {
    for (Entry e : task) {
      e.activity().finish();
    }
    turn();
  }

  /** Ends activities that have finished and starts those that the app has asked for. The loop calls it. */
  void turn() {
    for (Iterator<Deque<Entry>> t = tasks.iterator(); t.hasNext(); ) {
      Deque<Entry> task = t.next();
      boolean front = task == tasks.peek();
      for (Entry e : List.copyOf(task)) {
        if (e.activity().isFinishing()) {
          end(task, e, front && e == task.peek());
        }
      }
      if (task.isEmpty()) {
        t.remove();
      }
    }
    if (tasks.isEmpty() && started) {
      try {
        home();
      } catch (Refused e) {
        throw new AssertionError(e);
      }
    }
    ShadowApplication shadow = Shadows.shadowOf(app);
    for (ShadowActivity.IntentForResult i; (i = shadow.getNextStartedActivityForResult()) != null; ) {
      if (PackageManager.ACTION_REQUEST_PERMISSIONS.equals(i.intent.getAction())) {
        continue; // Furniture asks
      }
      Entry caller = top();
      try {
        start(i.intent, caller, i.requestCode);
      } catch (Refused e) {
        throw new ActivityNotFoundException(e.getMessage());
      }
    }
  }

  private void end(Deque<Entry> task, Entry e, boolean wasTop) {
    ShadowActivity shadow = Shadows.shadowOf(e.activity());
    task.remove(e);
    if (wasTop) {
      e.controller.topActivityResumed(false).pause();
    }
    Entry next = task.peek();
    if (next == null && wasTop) {
      for (Deque<Entry> t : tasks) {
        if (t != task) {
          next = t.peek();
          break;
        }
      }
    }
    if (wasTop && next != null && !next.activity().isFinishing()) {
      if (next.stopped && next.decor() != null) {
        next.decor().setVisibility(View.VISIBLE);
      }
      deliver(e, shadow);
      resume(next);
    } else {
      deliver(e, shadow);
    }
    if (!e.stopped) {
      e.controller.stop();
    }
    e.controller.destroy();
  }

  private static void deliver(Entry e, ShadowActivity shadow) {
    if (e.caller != null && e.requestCode >= 0 && !e.caller.activity().isDestroyed()) {
      Shadows.shadowOf(e.caller.activity()).receiveResult(e.intent, shadow.getResultCode(), shadow.getResultIntent());
    }
  }

  /** Removes all activities as the death of a process does: no code of the app runs. */
  void endAll() {
    for (Deque<Entry> task : tasks) {
      for (Entry e : task) {
        View d = e.decor();
        if (d != null && d.isAttachedToWindow()) {
          d.setVisibility(View.GONE);
        }
      }
    }
    tasks.clear();
  }

  /** Reports whether a window with a token belongs to an activity that is not seen. */
  boolean hides(IBinder token) {
    List<Activity> seen = visible();
    for (Deque<Entry> task : tasks) {
      for (Entry e : task) {
        View d = e.decor();
        if (d != null && d.getWindowToken() == token && token != null) {
          return !seen.contains(e.activity());
        }
      }
    }
    return false;
  }
}
