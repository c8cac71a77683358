package dev.trailblaze.shop;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.Intent;
import android.os.Bundle;
import android.widget.ArrayAdapter;
import android.widget.ListView;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.json.JSONObject;

/** Cart shows what is to be bought. */
public final class Cart extends Activity {
  private Store store;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    store = new Store(this);
    setContentView(R.layout.cart);
    findViewById(R.id.clear).setOnClickListener(v -> new AlertDialog.Builder(this)
        .setMessage(R.string.clear_question)
        .setPositiveButton(R.string.remove, (d, which) -> {
          store.set(Store.CART, new JSONObject());
          show();
        })
        .setNegativeButton(R.string.cancel, null)
        .show());
    findViewById(R.id.checkout).setOnClickListener(v -> {
      startActivity(new Intent(this, Checkout.class));
      finish();
    });
  }

  @Override
  protected void onResume() {
    super.onResume();
    show();
  }

  private void show() {
    JSONObject cart = store.cart();
    List<String> lines = new ArrayList<>();
    for (Iterator<String> names = cart.keys(); names.hasNext(); ) {
      String name = names.next();
      lines.add(getString(R.string.line, cart.optInt(name), name));
    }
    ((ListView) findViewById(R.id.lines)).setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, lines));
    boolean empty = lines.isEmpty();
    ((TextView) findViewById(R.id.total))
        .setText(empty ? getString(R.string.empty) : getString(R.string.total, Store.money(store.total())));
    findViewById(R.id.clear).setEnabled(!empty);
    findViewById(R.id.checkout).setEnabled(!empty);
  }
}
