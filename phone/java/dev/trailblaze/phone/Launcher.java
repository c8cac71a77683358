package dev.trailblaze.phone;

import android.app.Activity;
import android.os.Bundle;
import android.view.Gravity;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.List;
import java.util.function.Consumer;

/** Launcher is the home screen: the phone's name, and a button for each app. */
public final class Launcher extends Activity {
  /** Shortcut is an app on the home screen. */
  record Shortcut(String name, String label) {}

  static List<Shortcut> apps = List.of();
  static Consumer<String> chosen = name -> {};

  /** Its elements are the phone's own, not those of the app in whose process it is drawn. */
  @Override
  public String getPackageName() {
    return Phone.PACKAGE;
  }

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setTheme(android.R.style.Theme_Material_NoActionBar);
    setTitle("Home");
  }

  @Override
  protected void onResume() {
    super.onResume();
    LinearLayout list = new LinearLayout(this);
    list.setOrientation(LinearLayout.VERTICAL);
    TextView title = new TextView(this);
    title.setText("Trailblaze Phone");
    title.setTextSize(22);
    title.setGravity(Gravity.CENTER);
    title.setPadding(0, 200, 0, 100);
    list.addView(title);
    for (Shortcut s : apps) {
      Button b = new Button(this);
      b.setText(s.label);
      b.setAllCaps(false);
      b.setOnClickListener(v -> chosen.accept(s.name));
      list.addView(b);
    }
    ScrollView scroll = new ScrollView(this);
    scroll.addView(list);
    setContentView(scroll);
  }

  @Override
  public void onBackPressed() {} // there is nothing behind it
}
