package dev.trailblaze.shop;

import android.app.Activity;
import android.net.Uri;
import android.os.Bundle;
import android.view.View;
import android.widget.ArrayAdapter;
import android.widget.EditText;
import android.widget.ListView;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/**
 * Support writes to a person in a room of a site, or pays a bill there. A link opens it: trailshop://HOST/open?by=NAME,
 * /room/CODE?by=NAME or /pay/CODE.
 */
public final class Support extends Activity {
  private ArrayAdapter<String> lines;
  private HttpURLConnection events;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setContentView(R.layout.support);
    lines = new ArrayAdapter<>(this, android.R.layout.simple_list_item_1);
    ((ListView) findViewById(R.id.lines)).setAdapter(lines);
    Uri link = getIntent().getData();
    String site = "http://" + link.getAuthority();
    boolean pays = link.getPath().startsWith("/pay/");
    findViewById(R.id.pay).setVisibility(pays ? View.VISIBLE : View.GONE);
    findViewById(R.id.message).setVisibility(pays ? View.GONE : View.VISIBLE);
    findViewById(R.id.send).setVisibility(pays ? View.GONE : View.VISIBLE);
    if (pays) {
      title(getString(R.string.bill, link.getLastPathSegment()));
      findViewById(R.id.pay).setOnClickListener(v -> {
        v.setEnabled(false);
        inBackground(() -> {
          post(site + link.getPath(), "");
          title(getString(R.string.paid));
        });
      });
      return;
    }
    inBackground(() -> {
      HttpURLConnection page = open(site + link.getPath() + "?" + link.getEncodedQuery());
      page.getInputStream().close();
      String room = Uri.parse(page.getURL().toString()).getLastPathSegment();
      title(getString(R.string.room, room));
      runOnUiThread(() -> findViewById(R.id.send).setOnClickListener(v -> {
        EditText message = findViewById(R.id.message);
        String text = message.getText().toString();
        message.setText("");
        inBackground(() -> post(site + "/say/" + room,
            "by=" + Uri.encode(link.getQueryParameter("by")) + "&text=" + Uri.encode(text)));
      }));
      follow(site + "/events/" + room);
    });
  }

  @Override
  protected void onDestroy() {
    super.onDestroy();
    HttpURLConnection open = events;
    if (open != null) {
      new Thread(open::disconnect).start();
    }
  }

  /** Shows each message of a room, until the activity ends. */
  private void follow(String address) throws IOException {
    events = open(address);
    try (BufferedReader in = new BufferedReader(new InputStreamReader(events.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null && !isDestroyed(); ) {
        if (line.startsWith("data: ")) {
          String text = line.substring("data: ".length());
          runOnUiThread(() -> lines.add(text));
        }
      }
    }
  }

  private void title(String text) {
    runOnUiThread(() -> ((TextView) findViewById(R.id.title)).setText(text));
  }

  private static HttpURLConnection open(String address) throws IOException {
    return (HttpURLConnection) new URL(address).openConnection();
  }

  private static void post(String address, String form) throws IOException {
    HttpURLConnection to = open(address);
    to.setDoOutput(true);
    to.getOutputStream().write(form.getBytes(StandardCharsets.UTF_8));
    to.getInputStream().close();
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Does what the main thread may not wait for. A site that cannot be reached is shown. */
  private void inBackground(Work work) {
    Thread t = new Thread(() -> {
      try {
        work.run();
      } catch (IOException e) {
        if (!isDestroyed()) {
          title(getString(R.string.unreachable, e.getMessage()));
        }
      }
    });
    t.setDaemon(true);
    t.start();
  }
}
