package dev.trailblaze.phone;

import android.animation.ValueAnimator;
import android.app.Activity;
import android.app.AlertDialog;
import android.app.Application;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.pm.PackageManager;
import android.graphics.Color;
import android.graphics.PixelFormat;
import android.os.Handler;
import android.os.SystemClock;
import android.view.Gravity;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.view.WindowManager.LayoutParams;
import android.view.inputmethod.InputMethodManager;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextClock;
import android.widget.TextView;
import android.widget.Toast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowToast;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Furniture draws what the system of a device draws: the status bar, the keyboard, toasts, the dialog that asks for a permission. */
final class Furniture {
  private static final String[] ROWS = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  private static final int KEYBOARD_DP = 260;
  private static final int SHORT_MS = 2000;
  private static final int LONG_MS = 3500;

  private final Application app;
  private final Handler main;
  private final Activities activities;
  private final Screen screen;
  private final Context own;
  private final List<View> overlays = new ArrayList<>();
  private final TextClock clock;
  private View keyboard;
  private Toast toast;
  private ShadowActivity.PermissionsRequest asked;

  Furniture(Application app, Handler main, Activities activities, Screen screen) {
    this.app = app;
    this.main = main;
    this.activities = activities;
    this.screen = screen;
    own = named(app);
    Shadows.shadowOf(app.getSystemService(InputMethodManager.class)).setSoftInputVisibilityHandler(this::show);
    clock = new TextClock(own);
    clock.setTextColor(Color.WHITE);
    clock.setBackgroundColor(Color.BLACK);
    clock.setGravity(Gravity.CENTER_VERTICAL);
    clock.setPadding(px(16), 0, px(16), 0);
  }

  /** Shows the status bar along the upper edge of the display as it is now; apps keep off it. */
  void bar() {
    Class<?> bars = type("SystemUi");
    Object ui = ReflectionHelpers.callStaticMethod(bars, "systemUiForDefaultDisplay"); // which Robolectric does not show
    ReflectionHelpers.callInstanceMethod(bars, ui, "setStatusBarBehavior",
        ClassParameter.from(type("SystemUi$StatusBarBehavior"), ReflectionHelpers.getStaticField(bars, "STANDARD_STATUS_BAR")));
    Object bar = ReflectionHelpers.callInstanceMethod(bars, ui, "getStatusBar");
    LayoutParams p = params(LayoutParams.TYPE_STATUS_BAR, LayoutParams.MATCH_PARENT,
        ReflectionHelpers.callInstanceMethod(type("SystemUi$StatusBar"), bar, "getSize"), "StatusBar");
    p.gravity = Gravity.TOP;
    p.flags |= LayoutParams.FLAG_LAYOUT_IN_SCREEN | LayoutParams.FLAG_LAYOUT_NO_LIMITS | LayoutParams.FLAG_NOT_TOUCHABLE;
    p.setFitInsetsTypes(0);
    WindowManager windows = app.getSystemService(WindowManager.class);
    if (clock.isAttachedToWindow()) {
      windows.removeViewImmediate(clock);
    }
    windows.addView(clock, p);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName("org.robolectric.shadows." + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a context whose elements are the phone's own. */
  private static Context named(Context c) {
    return new ContextWrapper(c) {
      @Override
      public String getPackageName() {
        return Phone.PACKAGE;
      }
    };
  }

  boolean keyboardShown() {
    return keyboard != null;
  }

  /** Shows or hides the keyboard. */
  void show(boolean shown) {
    WindowManager windows = app.getSystemService(WindowManager.class);
    if (!shown && keyboard != null) {
      windows.removeViewImmediate(keyboard);
      keyboard = null;
    } else if (shown && keyboard == null) {
      keyboard = keys();
      windows.addView(keyboard, params(LayoutParams.TYPE_INPUT_METHOD, LayoutParams.MATCH_PARENT, px(KEYBOARD_DP), "InputMethod"));
    }
  }

  /** Hides the keyboard and has Robolectric know it, which else does not show one again; reports whether there was one. */
  boolean hide() {
    if (keyboard == null) {
      return false;
    }
    app.getSystemService(InputMethodManager.class).hideSoftInputFromWindow(keyboard.getWindowToken(), 0);
    show(false);
    return true;
  }

  private LayoutParams params(int type, int width, int height, String title) {
    LayoutParams p = new LayoutParams(width, height, type, LayoutParams.FLAG_NOT_FOCUSABLE, PixelFormat.TRANSLUCENT);
    p.gravity = Gravity.BOTTOM | Gravity.CENTER_HORIZONTAL;
    p.setTitle(title);
    return p;
  }

  private int px(int dp) {
    return (int) (dp * app.getResources().getDisplayMetrics().density);
  }

  private View keys() {
    LinearLayout all = column();
    all.setBackgroundColor(Color.DKGRAY);
    for (String row : ROWS) {
      LinearLayout line = new LinearLayout(own);
      for (char c : row.toCharArray()) {
        key(line, String.valueOf(c), KeyEvent.KEYCODE_A + c - 'a', 1);
      }
      if (row == ROWS[2]) {
        key(line, "Delete", KeyEvent.KEYCODE_DEL, 2);
      }
      all.addView(line, new LinearLayout.LayoutParams(LayoutParams.MATCH_PARENT, 0, 1));
    }
    LinearLayout last = new LinearLayout(own);
    key(last, "Space", KeyEvent.KEYCODE_SPACE, 5);
    key(last, "Enter", KeyEvent.KEYCODE_ENTER, 2);
    all.addView(last, new LinearLayout.LayoutParams(LayoutParams.MATCH_PARENT, 0, 1));
    return all;
  }

  private LinearLayout column() {
    LinearLayout l = new LinearLayout(own);
    l.setOrientation(LinearLayout.VERTICAL);
    return l;
  }

  private void key(ViewGroup row, String label, int code, int weight) {
    Button b = new Button(own);
    b.setText(label);
    b.setAllCaps(false);
    b.setPadding(0, 0, 0, 0);
    b.setOnClickListener(v -> {
      Screen.Window w = screen.focused();
      long now = SystemClock.uptimeMillis();
      if (w != null) {
        w.view().dispatchKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, code, 0));
        w.view().dispatchKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_UP, code, 0));
      }
    });
    row.addView(b, new LinearLayout.LayoutParams(0, LayoutParams.MATCH_PARENT, weight));
  }

  /** Shows what the app has asked for since. The loop calls it. */
  void turn() {
    Toast latest = ShadowToast.getLatestToast();
    if (latest != toast) {
      toast = latest;
      if (latest != null) {
        toast(ShadowToast.getTextOfLatestToast(), latest.getDuration() == Toast.LENGTH_LONG ? LONG_MS : SHORT_MS);
      }
    }
    if (keyboard != null) {
      Screen.Window w = screen.focused();
      View focus = w == null ? null : w.view().findFocus();
      if (focus == null || !focus.onCheckIsTextEditor()) {
        hide();
      }
    }
    Activity top = activities.topActivity();
    ShadowActivity.PermissionsRequest r = top == null ? null : Shadows.shadowOf(top).getLastRequestedPermission();
    if (r != null && r != asked) {
      asked = r;
      ask(top, r);
    }
  }

  /** Moves a sheet over the lower half of the screen, in a time. */
  void sheet(int ms) {
    TextView t = new TextView(own);
    t.setText("Sheet");
    t.setBackgroundColor(Color.LTGRAY);
    t.setOnClickListener(v -> {});
    int height = screen.size().y / 2;
    LayoutParams p = params(LayoutParams.TYPE_APPLICATION_OVERLAY, LayoutParams.MATCH_PARENT, height, "Sheet");
    p.flags |= LayoutParams.FLAG_LAYOUT_NO_LIMITS;
    p.y = -height;
    overlay(t, p);
    ValueAnimator a = ValueAnimator.ofInt(-height, 0);
    a.setDuration(ms);
    a.addUpdateListener(v -> {
      p.y = (int) v.getAnimatedValue();
      if (t.isAttachedToWindow()) {
        app.getSystemService(WindowManager.class).updateViewLayout(t, p);
      }
    });
    a.start();
  }

  /** Shows a button with a label in a window of its own, at the top of the screen. */
  void decoy(String label) {
    Button b = new Button(own);
    b.setText(label);
    b.setAllCaps(false);
    LayoutParams p = params(LayoutParams.TYPE_APPLICATION_OVERLAY, LayoutParams.WRAP_CONTENT, LayoutParams.WRAP_CONTENT, "Decoy");
    p.gravity = Gravity.TOP | Gravity.END;
    overlay(b, p);
  }

  private void overlay(View v, LayoutParams p) {
    app.getSystemService(WindowManager.class).addView(v, p);
    overlays.add(v);
  }

  /** Removes the sheets and decoys. */
  void clear() {
    overlays.forEach(v -> app.getSystemService(WindowManager.class).removeViewImmediate(v));
    overlays.clear();
  }

  private void toast(String text, int ms) {
    if (text == null) {
      return;
    }
    TextView t = new TextView(own);
    t.setText(text);
    t.setTextColor(Color.WHITE);
    t.setBackgroundColor(0xe0303030);
    t.setPadding(px(16), px(12), px(16), px(12));
    LayoutParams p = params(LayoutParams.TYPE_TOAST, LayoutParams.WRAP_CONTENT, LayoutParams.WRAP_CONTENT, "Toast");
    p.flags |= LayoutParams.FLAG_NOT_TOUCHABLE;
    p.y = px(64);
    WindowManager windows = app.getSystemService(WindowManager.class);
    windows.addView(t, p);
    main.postDelayed(() -> windows.removeView(t), ms);
  }

  /** Asks for permissions that the app does not have yet, all of them at once. */
  private void ask(Activity a, ShadowActivity.PermissionsRequest r) {
    boolean needed = false;
    StringBuilder names = new StringBuilder();
    for (String p : r.requestedPermissions) {
      if (a.checkSelfPermission(p) != PackageManager.PERMISSION_GRANTED) {
        needed = true;
        names.append(names.length() == 0 ? "" : ", ").append(p.substring(p.lastIndexOf('.') + 1));
      }
    }
    if (!needed) {
      answer(a, r);
      return;
    }
    new AlertDialog.Builder(named(a))
        .setTitle("Allow " + app.getApplicationInfo().loadLabel(app.getPackageManager()) + " to use " + names + "?")
        .setPositiveButton("Allow", (d, which) -> {
          Shadows.shadowOf(app).grantPermissions(r.requestedPermissions);
          answer(a, r);
        })
        .setNegativeButton("Don't allow", (d, which) -> answer(a, r))
        .setCancelable(false)
        .show();
  }

  private static void answer(Activity a, ShadowActivity.PermissionsRequest r) {
    int[] results = new int[r.requestedPermissions.length];
    Arrays.setAll(results, i -> a.checkSelfPermission(r.requestedPermissions[i]));
    ReflectionHelpers.setField(Activity.class, a, "mHasCurrentPermissionsRequest", false); // the next one is asked too
    a.onRequestPermissionsResult(r.requestCode, r.requestedPermissions, results);
  }
}
