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
import android.os.IBinder;
import android.view.View;
import android.view.WindowManagerGlobal;
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
import org.robolectric.util.ReflectionHelpers;

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
    boolean resumed;
    boolean stopped;
    boolean stale; // the configuration has changed while it was stopped

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

    void show(int visibility) {
      if (decor() != null) {
        decor().setVisibility(visibility);
      }
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

  /** Changes the configuration of the activities that can be seen; the others take it when they are next started. */
  void configure() {
    List<Entry> seen = seen();
    tasks.forEach(task -> task.forEach(e -> e.stale = true));
    for (int i = seen.size() - 1; i >= 0; i--) {
      remake(seen.get(i));
      if (i > 0) {
        pause(seen.get(i));
      }
    }
  }

  /** Gives an activity the configuration of now. It reports whether the activity was made anew: then it is resumed. */
  private boolean remake(Entry e) {
    e.stale = false;
    Activity was = e.activity();
    e.controller.configurationChange(app.getResources().getConfiguration(), app.getResources().getDisplayMetrics());
    if (e.activity() == was) {
      return false;
    }
    close(was);
    if (!e.decor().isAttachedToWindow()) {
      e.controller.visible();
    }
    e.resumed = true;
    return true;
  }

  /** Removes the windows that an activity leaves: its dialogs and popups. */
  private static void close(Activity a) {
    WindowManagerGlobal.getInstance().closeAll(token(a), a.getClass().getName(), "Activity");
  }

  private static IBinder token(Activity a) {
    return ReflectionHelpers.getField(a, "mToken");
  }

  private Entry top() {
    return tasks.isEmpty() ? null : tasks.peek().peek();
  }

  Activity topActivity() {
    return top() == null ? null : top().activity();
  }

  /** Reports whether the top activity has a window of some size, and none waits to be started or to end. */
  boolean drawn() {
    Entry e = top();
    return e != null && !e.activity().isFinishing() && e.decor() != null && e.decor().getWidth() > 0
        && Shadows.shadowOf(app).peekNextStartedActivityForResult() == null;
  }

  /** Lists the activities that can be seen, the top one first: those below one that is not opaque too. */
  private List<Entry> seen() {
    List<Entry> out = new ArrayList<>();
    for (Deque<Entry> task : tasks) {
      for (Entry e : task) {
        out.add(e);
        if (opaque(e)) {
          return out;
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
        before = top();
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
      restart(same);
      same.controller.newIntent(intent);
      switchFrom(before);
      return;
    }
    if (before != null && !before.activity().isFinishing()) {
      pause(before);
    }
    push(task, info, intent, caller, requestCode);
    settle();
  }

  private void push(Deque<Entry> task, ActivityInfo info, Intent intent, Entry caller, int requestCode) throws Refused {
    Class<? extends Activity> type;
    try {
      type = Class.forName(info.targetActivity == null ? info.name : info.targetActivity).asSubclass(Activity.class);
    } catch (ClassNotFoundException e) {
      throw new Refused("the app has no class " + info.name);
    }
    Entry e = new Entry(Robolectric.buildActivity(type, intent), info, intent, caller, requestCode);
    task.push(e);
    e.controller.create();
    if (!e.activity().isFinishing()) {
      e.controller.start().postCreate(null).resume().visible();
      e.controller.topActivityResumed(true);
      e.resumed = true;
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
      pause(before);
    }
    if (now != null) {
      resume(now);
    }
    settle();
  }

  private static void pause(Entry e) {
    if (e.resumed) {
      e.resumed = false;
      e.controller.topActivityResumed(false).pause();
    }
  }

  /** Starts a stopped activity again. */
  private void restart(Entry e) {
    if (e.stopped) {
      e.stopped = false;
      e.show(View.VISIBLE);
      if (!e.stale || !remake(e)) {
        e.controller.restart().start();
      }
    }
  }

  private void resume(Entry e) {
    restart(e);
    if (!e.resumed) {
      e.resumed = true;
      e.controller.resume().topActivityResumed(true);
    }
  }

  /** Starts the activities that can be seen, and stops those that cannot be seen any more. */
  private void settle() {
    List<Entry> seen = seen();
    for (Entry e : seen) {
      if (e != seen.get(0) && e.stopped && !e.activity().isFinishing()) {
        restart(e);
        pause(e);
      }
    }
    for (Deque<Entry> task : tasks) {
      for (Entry e : task) {
        if (!e.stopped && !seen.contains(e) && !e.activity().isFinishing()) {
          pause(e);
          e.stopped = true;
          e.controller.stop();
          e.show(View.INVISIBLE);
        }
      }
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
    pause(e);
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
      restart(next);
      deliver(e, shadow);
      resume(next);
    } else {
      deliver(e, shadow);
    }
    if (!e.stopped) {
      e.controller.stop();
    }
    e.controller.destroy();
    close(e.activity());
    settle();
  }

  private static void deliver(Entry e, ShadowActivity shadow) {
    if (e.caller != null && e.requestCode >= 0 && !e.caller.activity().isDestroyed()) {
      Shadows.shadowOf(e.caller.activity()).receiveResult(e.intent, shadow.getResultCode(), shadow.getResultIntent());
    }
  }

  /** Removes all activities as the death of a process does: no code of the app runs, and none of its windows is seen. */
  void endAll() {
    tasks.clear();
  }

  /** Returns the place of the activity that owns a token among those that can be seen, 0 for the top one; -1 if none does. */
  int place(IBinder token) {
    List<Entry> seen = seen();
    for (int i = 0; i < seen.size(); i++) {
      if (token != null && token(seen.get(i).activity()) == token) {
        return i;
      }
    }
    return -1;
  }
}
