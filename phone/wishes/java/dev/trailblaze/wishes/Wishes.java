package dev.trailblaze.wishes;

import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.widget.EditText;
import androidx.appcompat.app.AppCompatActivity;
import androidx.recyclerview.widget.LinearLayoutManager;
import androidx.recyclerview.widget.RecyclerView;
import com.google.android.material.dialog.MaterialAlertDialogBuilder;
import com.google.android.material.snackbar.Snackbar;
import com.google.android.material.switchmaterial.SwitchMaterial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.TreeSet;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Wishes is a screen of AppCompat, RecyclerView and Material: what is wished for, and a note about it. It writes each
 * change to files/state.json, so that a test learns what happened without its screen.
 */
public final class Wishes extends AppCompatActivity {
  private static final String[] KINDS = {"Boots", "Compass", "Jacket", "Lamp", "Map", "Rope", "Stove", "Tent"};
  private static final String[] SIZES = {"Mini", "Light", "Classic", "Large", "Pro"};

  private final TreeSet<String> wishes = new TreeSet<>();
  private final Rows rows = new Rows();
  private String note = "";
  private View all;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    read();
    setContentView(R.layout.wishes);
    all = findViewById(R.id.all);
    setSupportActionBar(findViewById(R.id.toolbar));
    EditText field = findViewById(R.id.note);
    field.setText(note);
    findViewById(R.id.save_note).setOnClickListener(v -> {
      note = field.getText().toString();
      write();
      Snackbar.make(all, R.string.note_saved, Snackbar.LENGTH_SHORT).show();
    });
    findViewById(R.id.clear).setOnClickListener(v -> new MaterialAlertDialogBuilder(this)
        .setMessage(R.string.question).setNegativeButton(R.string.cancel, null)
        .setPositiveButton(R.string.remove, (dialog, which) -> {
          wishes.clear();
          write();
          rows.notifyDataSetChanged();
        }).show());
    RecyclerView list = findViewById(R.id.wishes);
    list.setLayoutManager(new LinearLayoutManager(this));
    list.setAdapter(rows);
  }

  private void read() {
    try {
      JSONObject all = new JSONObject(new String(Files.readAllBytes(getFilesDir().toPath().resolve("state.json")),
          StandardCharsets.UTF_8));
      note = all.optString("note");
      JSONArray names = all.getJSONArray("wishes");
      for (int i = 0; i < names.length(); i++) {
        wishes.add(names.getString(i));
      }
    } catch (IOException e) {
      // nothing has been stored yet
    } catch (JSONException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write() {
    try {
      String text = new JSONObject().put("wishes", new JSONArray(wishes)).put("note", note).toString();
      Files.createDirectories(getFilesDir().toPath());
      Files.write(getFilesDir().toPath().resolve("state.json"), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
  }

  /** Rows has a switch for each product, in views that are used again while it scrolls. */
  private final class Rows extends RecyclerView.Adapter<RecyclerView.ViewHolder> {
    @Override
    public int getItemCount() {
      return KINDS.length * SIZES.length;
    }

    @Override
    public RecyclerView.ViewHolder onCreateViewHolder(ViewGroup parent, int type) {
      return new RecyclerView.ViewHolder(getLayoutInflater().inflate(R.layout.wish, parent, false)) {};
    }

    @Override
    public void onBindViewHolder(RecyclerView.ViewHolder row, int i) {
      SwitchMaterial on = (SwitchMaterial) row.itemView;
      String product = KINDS[i / SIZES.length] + " " + SIZES[i % SIZES.length];
      on.setText(product);
      on.setChecked(wishes.contains(product));
      on.setOnClickListener(v -> {
        if (!on.isChecked()) {
          wishes.remove(product);
          write();
          return;
        }
        wishes.add(product);
        write();
        Snackbar.make(all, getString(R.string.wished, product), Snackbar.LENGTH_LONG).setAction(R.string.undo, u -> {
          wishes.remove(product);
          write();
          notifyItemChanged(i);
        }).show();
      });
    }
  }
}
