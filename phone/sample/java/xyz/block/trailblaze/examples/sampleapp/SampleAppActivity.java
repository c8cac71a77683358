package xyz.block.trailblaze.examples.sampleapp;

import android.app.Activity;
import android.app.AlertDialog;
import android.app.Dialog;
import android.os.Bundle;
import android.text.InputType;
import android.view.Gravity;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.widget.ArrayAdapter;
import android.widget.EditText;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.ScrollView;
import android.widget.TextView;

/**
 * SampleAppActivity has the screens of upstream's sample app that its trails walk through, with the same texts and the same
 * nesting of what accessibility sees, made of views: upstream's is made with Compose, which cannot be had here. The snackbar
 * "Tapped!" and the tabs "Number Pad" and "Drag" are left out, because no trail asks for them.
 */
public final class SampleAppActivity extends Activity {
  private static final String[] TABS = {"Taps", "Forms", "Lists", "Swipe", "Catalog", "Settings", "Loading"};
  private static final String[][] CATALOG = {
    {"Coffee", "Beverages", "$2.50"}, {"Coffee Latte", "Beverages", "$4.50"}, {"Coffee Americano", "Beverages", "$3.50"},
    {"Pumpkin Spice", "Seasonal", "$5.50"}, {"Mango Smoothie", "Seasonal", "$5.00"}, {"Tea", "Beverages", "$2.00"},
    {"Orange Juice", "Beverages", "$3.00"}, {"Muffin", "Food", "$3.50"}, {"Bagel", "Food", "$2.50"},
  };

  private Box screen;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout root = new LinearLayout(this);
    root.setOrientation(LinearLayout.VERTICAL);
    screen = new Box(this, LinearLayout.VERTICAL);
    root.addView(screen, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 0, 1));
    LinearLayout bar = new LinearLayout(this);
    for (int i = 0; i < TABS.length; i++) {
      int tab = i;
      Box item = button(TABS[i], () -> open(tab)).column(i);
      item.setMinimumHeight(dp(80));
      bar.addView(item, new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.MATCH_PARENT, 1));
    }
    root.addView(bar, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, dp(80)));
    setContentView(root);
    open(0);
  }

  private void open(int tab) {
    screen.removeAllViews();
    switch (tab) {
      case 0: taps(column(true)); break;
      case 1: forms(column(true)); break;
      case 2: lists(); break;
      case 3: swipe(); break;
      case 4: catalog(); break;
      case 5: settings(column(true)); break;
      default: loading(column(true));
    }
  }

  private void taps(LinearLayout in) {
    int[] taps = {0};
    TextView count = text("Tap Count: 0", 24);
    TextView last = text("", 16);
    last.setVisibility(View.GONE);
    Box late = button("Disabled Until 3 Taps", () -> {});
    late.setEnabled(false);
    Runnable tap = () -> {
      taps[0]++;
      last.setText("Last action: Tapped!");
      last.setVisibility(View.VISIBLE);
      count.setText("Tap Count: " + taps[0]);
      late.setEnabled(taps[0] >= 3);
      ((TextView) late.getChildAt(0)).setText(taps[0] >= 3 ? "Now Enabled!" : "Disabled Until 3 Taps");
    };
    Box named = button("A11y Tap", tap);
    named.setContentDescription("accessibility_tap_button");
    Box held = button("Long Press Me", () -> {});
    held.setOnLongClickListener(v -> {
      dialog("Action", "Choose an action", "Delete", "Copy");
      return true;
    });
    LinearLayout chips = new LinearLayout(this);
    for (String name : new String[] {"Toggle A", "Toggle B"}) {
      Box chip = label(name).toggles(on -> {});
      chip.getChildAt(0).setContentDescription(name);
      chips.addView(chip);
    }
    LinearLayout parent = new LinearLayout(this);
    parent.setOrientation(LinearLayout.VERTICAL);
    parent.addView(text("Parent Container", 14));
    parent.addView(button("Nested Button", () -> count.setText("Tap Count: " + ++taps[0])), wrap());
    for (View v : new View[] {button("Tap Me", tap), named, held, last, count, late, space(), chips, space()}) {
      in.addView(v, wrap());
    }
    in.addView(parent);
  }

  private void forms(LinearLayout in) {
    EditText name = field(in, "Name", InputType.TYPE_CLASS_TEXT);
    EditText email = field(in, "Email", InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_EMAIL_ADDRESS);
    TextView result = text("", 16);
    LinearLayout row = new LinearLayout(this);
    row.addView(button("Submit", () -> {
      result.setText("Name: " + name.getText() + "\nEmail: " + email.getText());
      name.clearFocus();
      email.clearFocus();
    }));
    row.addView(button("Clear All", () -> {
      for (TextView t : new TextView[] {name, email, result}) {
        t.setText("");
      }
    }));
    in.addView(row);
    in.addView(result);
  }

  private EditText field(LinearLayout in, String name, int type) {
    Box box = new Box(this, LinearLayout.VERTICAL);
    EditText field = new EditText(this);
    field.setHint(name);
    field.setInputType(type);
    box.addView(field, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, dp(56)));
    in.addView(box);
    return field;
  }

  private void lists() {
    String[] items = new String[50];
    for (int i = 0; i < items.length; i++) {
      items[i] = "Item " + (i + 1);
    }
    ListView list = new ListView(this);
    list.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, items));
    list.setOnItemClickListener((l, row, i, id) -> {
      screen.removeAllViews();
      LinearLayout detail = column(false);
      Box back = button("←", () -> open(2));
      back.setContentDescription("Back");
      detail.addView(back, wrap());
      detail.addView(text(items[i], 20));
      detail.addView(text("Detail for " + items[i], 24));
      detail.addView(text("This is the detail view for item number " + (i + 1) + ".", 16));
    });
    screen.addView(list);
  }

  private void swipe() {
    int[] page = {1};
    TextView header = text("Page 1 of 5", 16);
    TextView body = text("Page 1", 32);
    body.setGravity(Gravity.CENTER);
    FrameLayout pager = new FrameLayout(this);
    pager.addView(body);
    float[] from = {0};
    pager.setClickable(true);
    pager.setOnTouchListener((v, e) -> {
      if (e.getActionMasked() == MotionEvent.ACTION_DOWN) {
        from[0] = e.getX();
      }
      float by = e.getX() - from[0];
      if (e.getActionMasked() == MotionEvent.ACTION_UP && Math.abs(by) > v.getWidth() / 4f) {
        page[0] = Math.max(1, Math.min(5, page[0] + (by < 0 ? 1 : -1)));
        header.setText("Page " + page[0] + " of 5");
        body.setText("Page " + page[0]);
      }
      return true;
    });
    screen.addView(header);
    screen.addView(pager, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 0, 1));
  }

  private void catalog() {
    LinearLayout rows = new LinearLayout(this);
    rows.setOrientation(LinearLayout.VERTICAL);
    screen.addView(label("Show seasonal").toggles(on -> {
      for (int i = 0; i < CATALOG.length; i++) {
        rows.getChildAt(i).setVisibility(on || !CATALOG[i][1].equals("Seasonal") ? View.VISIBLE : View.GONE);
      }
    }), wrap());
    screen.addView(rows);
    for (String[] item : CATALOG) {
      Box row = button(item[0], () -> dialog(item[0], item[1] + " · " + item[2], "Dismiss", "Add to Cart"));
      row.setOrientation(LinearLayout.VERTICAL);
      row.addView(text(item[1] + " " + item[2], 12));
      row.setVisibility(item[1].equals("Seasonal") ? View.GONE : View.VISIBLE);
      rows.addView(row);
    }
  }

  private void settings(LinearLayout in) {
    in.addView(label("Enable Notifications").toggles(on -> {}));
    in.addView(label("Dark Mode").toggles(on -> {}));
    in.addView(button("Open Documentation", () -> {}));
    in.addView(text("Network Status", 14));
    in.addView(text("Offline", 16));
    in.addView(label("Accept Terms").toggles(on -> {}));
    in.addView(text("Version 1.0", 14));
  }

  private void loading(LinearLayout in) {
    in.addView(text("Loading Demo", 24));
    Box start = button("Start Loading", () -> {});
    start.setOnClickListener(v -> {
      in.removeView(start);
      TextView said = text("Loading", 14);
      in.addView(said);
      in.postDelayed(() -> said.setText("Content Loaded"), 3000);
    });
    in.addView(start, wrap());
  }

  private void dialog(String title, String body, String no, String yes) {
    LinearLayout in = new LinearLayout(this);
    in.setOrientation(LinearLayout.VERTICAL);
    Dialog shown = new AlertDialog.Builder(this).setView(in).create();
    in.addView(text(title, 24));
    in.addView(text(body, 14));
    in.addView(button(no, shown::dismiss));
    in.addView(button(yes, shown::dismiss));
    shown.show();
  }

  /** A column that fills the screen; one that scrolls is in a view of its own. */
  private LinearLayout column(boolean scrolls) {
    LinearLayout in = new LinearLayout(this);
    in.setOrientation(LinearLayout.VERTICAL);
    in.setPadding(dp(16), dp(16), dp(16), dp(16));
    if (scrolls) {
      ScrollView around = new ScrollView(this);
      around.addView(in);
      screen.addView(around);
    } else {
      screen.addView(in);
    }
    return in;
  }

  private Box button(String text, Runnable does) {
    Box b = label(text);
    b.setOnClickListener(v -> does.run());
    return b;
  }

  private Box label(String text) {
    Box b = new Box(this, LinearLayout.HORIZONTAL);
    b.setMinimumHeight(dp(48));
    b.setGravity(Gravity.CENTER);
    b.addView(text(text, 14));
    return b;
  }

  private TextView text(String text, int size) {
    TextView t = new TextView(this);
    t.setText(text);
    t.setTextSize(size);
    t.setMaxLines(2);
    return t;
  }

  private View space() {
    View v = new View(this);
    v.setMinimumHeight(dp(8));
    return v;
  }

  private LinearLayout.LayoutParams wrap() {
    LinearLayout.LayoutParams p =
        new LinearLayout.LayoutParams(ViewGroup.LayoutParams.WRAP_CONTENT, ViewGroup.LayoutParams.WRAP_CONTENT);
    p.bottomMargin = dp(12);
    return p;
  }

  private int dp(int n) {
    return Math.round(n * getResources().getDisplayMetrics().density);
  }
}
