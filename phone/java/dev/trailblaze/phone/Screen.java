package dev.trailblaze.phone;

import static dev.trailblaze.phone.Wire.json;

import android.app.Activity;
import android.app.Application;
import android.content.res.Configuration;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Point;
import android.graphics.Rect;
import android.os.Handler;
import android.os.IBinder;
import android.view.MotionEvent;
import android.view.PixelCopy;
import android.view.View;
import android.view.WindowManager;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.json.JSONArray;
import org.json.JSONObject;
import org.robolectric.util.ReflectionHelpers;

/** Screen lists the windows that can be seen, gives the focus to the right one, and paints them into one picture. */
final class Screen {
  /** Window is the root view of a window, its parameters, where it is, and how many activities are above its own. */
  record Window(View view, LayoutParams params, int x, int y, int depth) {
    boolean focusable() {
      return (params.flags & LayoutParams.FLAG_NOT_FOCUSABLE) == 0;
    }

    /** Reports whether a touch belongs to the window when those above it let it pass: in it, or anywhere where it is modal. */
    boolean takes(MotionEvent e) {
      if ((params.flags & LayoutParams.FLAG_NOT_TOUCHABLE) != 0) {
        return false;
      }
      boolean inside = e.getX() >= x && e.getX() < x + view.getWidth() && e.getY() >= y && e.getY() < y + view.getHeight();
      return inside || modal();
    }

    private boolean modal() {
      return (params.flags & (LayoutParams.FLAG_NOT_TOUCH_MODAL | LayoutParams.FLAG_NOT_TOUCHABLE)) == 0 && focusable();
    }
  }

  private final Application app;
  private final Handler main;
  private final Activities activities;
  private final Set<View> watched = Collections.newSetFromMap(new WeakHashMap<>());
  private List<View> roots = List.of();
  final Changes drawn; // frames
  final Changes told; // accessibility events, and windows that come and go, as a device tells of them

  Screen(Application app, Handler main, Activities activities, int number) {
    drawn = new Changes((long) number << 32);
    told = new Changes((long) number << 32);
    Events.told = told;
    this.app = app;
    this.main = main;
    this.activities = activities;
  }

  Point size() {
    Point p = new Point();
    app.getSystemService(WindowManager.class).getDefaultDisplay().getRealSize(p);
    return p;
  }

  /** Lists the windows that can be seen, the front one first. */
  List<Window> windows() {
    WindowManagerGlobal global = WindowManagerGlobal.getInstance();
    List<View> views = ReflectionHelpers.getField(global, "mViews");
    List<LayoutParams> params = ReflectionHelpers.getField(global, "mParams");
    List<Window> out = new ArrayList<>();
    for (int i = views.size() - 1; i >= 0; i--) {
      View v = views.get(i);
      LayoutParams p = params.get(i);
      if (v.getVisibility() != View.VISIBLE || v.getWidth() == 0 || v.getHeight() == 0 || passes(p)) {
        continue;
      }
      int depth = layer(p.type) > 0 ? 0 : activities.place(owner(p, views, params));
      if (depth < 0) { // its activity is not seen
        continue;
      }
      int[] at = new int[2];
      v.getLocationOnScreen(at);
      out.add(new Window(v, p, at[0], at[1], depth));
    }
    out.sort(Comparator.comparingInt((Window w) -> -layer(w.params.type)).thenComparingInt(Window::depth));
    return out;
  }

  /** Lists the windows that Android gives to accessibility: none behind one that takes every touch, as a dialog does. */
  List<Window> readable() {
    List<Window> out = new ArrayList<>();
    for (Window w : windows()) {
      out.add(w);
      if (w.modal()) {
        break;
      }
    }
    return out;
  }

  /** Reports whether a popup takes no touches, as one that is being closed: Android lists it no more, while it fades. */
  private static boolean passes(LayoutParams p) {
    return p.type >= LayoutParams.FIRST_SUB_WINDOW && p.type <= LayoutParams.LAST_SUB_WINDOW
        && (p.flags & LayoutParams.FLAG_NOT_TOUCHABLE) != 0;
  }

  /** Returns the token of the activity that a window belongs to; a popup names the window that it is attached to. */
  private static IBinder owner(LayoutParams p, List<View> views, List<LayoutParams> params) {
    if (p.type < LayoutParams.FIRST_SUB_WINDOW) {
      return p.token;
    }
    for (int i = 0; i < views.size(); i++) {
      if (views.get(i).getWindowToken() == p.token && params.get(i) != p) {
        return owner(params.get(i), views, params);
      }
    }
    return null;
  }

  private static int layer(int type) {
    return type < LayoutParams.FIRST_SYSTEM_WINDOW ? 0 : type == LayoutParams.TYPE_INPUT_METHOD ? 1 : 2;
  }

  /** Returns the window that has the focus, and null where there is none. */
  Window focused() {
    for (Window w : windows()) {
      if (w.focusable()) {
        return w;
      }
    }
    return null;
  }

  /** Gives the focus to the front window that takes it, once its first frame has been laid out. The loop calls it. */
  void focus() {
    Window now = focused();
    List<View> before = roots;
    roots = new ArrayList<>();
    for (Window w : windows()) {
      roots.add(w.view);
      if (watched.add(w.view)) {
        w.view.getViewTreeObserver().addOnDrawListener(drawn::add);
        drawn.add();
      }
      boolean should = w.view == (now == null ? null : now.view);
      if (w.view.isAttachedToWindow() && w.view.hasWindowFocus() != should) {
        w.view.getViewRootImpl().windowFocusChanged(should);
      }
    }
    if (!roots.equals(before)) {
      told.add();
    }
  }

  JSONObject state(boolean keyboard) {
    Point size = size();
    Configuration c = app.getResources().getConfiguration();
    Window focus = focused();
    Activity top = activities.topActivity();
    JSONArray windows = new JSONArray();
    for (Window w : windows()) {
      windows.put(json("title", String.valueOf(w.params.getTitle()), "type", w.params.type, "x", w.x, "y", w.y,
          "width", w.view.getWidth(), "height", w.view.getHeight(), "focused", focus != null && focus.view == w.view));
    }
    JSONArray tasks = new JSONArray();
    for (List<String> task : activities.stacks()) {
      tasks.put(new JSONArray(task));
    }
    return json("width", size.x, "height", size.y, "density", c.densityDpi, "fontScale", (double) c.fontScale,
        "locale", c.getLocales().toLanguageTags(), 
        "night", (c.uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES,
        "top", top == null ? "" : top.getComponentName().flattenToShortString(), "tasks", tasks, "windows", windows,
        "keyboard", keyboard);
  }

  byte[] png(Phone phone) throws Exception {
    Bitmap b = phone.onMain(this::picture);
    ByteArrayOutputStream o = new ByteArrayOutputStream();
    b.compress(Bitmap.CompressFormat.PNG, 100, o);
    b.recycle();
    return o.toByteArray();
  }

  /** Paints the surface of each window, the back one first, with the dimming that dialogs ask for. */
  private Bitmap picture() {
    Point size = size();
    Bitmap screen = Bitmap.createBitmap(size.x, size.y, Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(screen);
    canvas.drawColor(Color.BLACK);
    List<Window> windows = windows();
    for (int i = windows.size() - 1; i >= 0; i--) {
      Window w = windows.get(i);
      if ((w.params.flags & LayoutParams.FLAG_DIM_BEHIND) != 0) {
        canvas.drawColor(Color.argb(w.params.dimAmount, 0, 0, 0));
      }
      if ((w.params.flags & LayoutParams.FLAG_SECURE) != 0) { // as Android: no picture shows what is in it
        canvas.save();
        canvas.clipRect(w.x, w.y, w.x + w.view.getWidth(), w.y + w.view.getHeight());
        canvas.drawColor(Color.BLACK);
        canvas.restore();
        continue;
      }
      Bitmap b = Bitmap.createBitmap(w.view.getWidth(), w.view.getHeight(), Bitmap.Config.ARGB_8888);
      Rect inset = w.view.getViewRootImpl().mWindowAttributes.surfaceInsets;
      Rect part = new Rect(0, 0, b.getWidth(), b.getHeight());
      part.offset(inset.left, inset.top);
      try {
        PixelCopy.request(w.view.getViewRootImpl().mSurface, part, b, result -> {}, main);
      } catch (IllegalArgumentException e) { // it has no surface before its first frame
        w.view.draw(new Canvas(b));
      }
      canvas.drawBitmap(b, w.x, w.y, null);
      b.recycle();
    }
    return screen;
  }
}
