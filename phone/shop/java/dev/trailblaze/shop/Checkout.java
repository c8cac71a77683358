package dev.trailblaze.shop;

import android.Manifest;
import android.app.Activity;
import android.app.AlertDialog;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.RadioGroup;
import android.widget.Spinner;
import android.widget.Toast;
import org.json.JSONException;
import org.json.JSONObject;

/** Checkout is the form of an order. */
public final class Checkout extends Activity {
  private static final int[] FIELDS = {R.id.name, R.id.street, R.id.city};

  private Store store;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    store = new Store(this);
    setContentView(R.layout.checkout);
    findViewById(R.id.locate).setOnClickListener(v -> requestPermissions(new String[] {Manifest.permission.ACCESS_COARSE_LOCATION}, 1));
    findViewById(R.id.place_order).setOnClickListener(v -> {
      if (filled()) {
        new AlertDialog.Builder(this)
            .setMessage(getString(R.string.order_question, Store.money(store.total())))
            .setPositiveButton(R.string.confirm, (d, which) -> place())
            .setNegativeButton(R.string.cancel, null)
            .show();
      }
    });
  }

  @Override
  public void onRequestPermissionsResult(int code, String[] names, int[] results) {
    boolean allowed = results.length > 0 && results[0] == PackageManager.PERMISSION_GRANTED;
    store.set(Store.LOCATION, allowed);
    ((Button) findViewById(R.id.locate)).setText(allowed ? R.string.located : R.string.unlocated);
  }

  private String text(int id) {
    return ((EditText) findViewById(id)).getText().toString().trim();
  }

  private boolean filled() {
    boolean all = true;
    for (int id : FIELDS) {
      boolean missing = text(id).isEmpty();
      ((EditText) findViewById(id)).setError(missing ? getString(R.string.missing) : null);
      all &= !missing;
    }
    return all;
  }

  private void place() {
    try {
      int number = store.order(new JSONObject()
          .put("items", store.cart())
          .put("cents", store.total())
          .put("name", text(R.id.name))
          .put("street", text(R.id.street))
          .put("city", text(R.id.city))
          .put("country", ((Spinner) findViewById(R.id.country)).getSelectedItemPosition())
          .put("express", ((RadioGroup) findViewById(R.id.delivery)).getCheckedRadioButtonId() == R.id.express)
          .put("gift", ((CheckBox) findViewById(R.id.gift)).isChecked()));
      Toast.makeText(this, getString(R.string.placed, number), Toast.LENGTH_LONG).show();
      finish();
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
  }
}
