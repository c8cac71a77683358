package dev.trailblaze.shop;

import android.app.Activity;
import android.os.Bundle;
import android.widget.ArrayAdapter;
import android.widget.Spinner;
import android.widget.TextView;

/** Product shows one product, of which some can be put into the cart. */
public final class Product extends Activity {
  static final String NUMBER = "number";

  private static final Integer[] QUANTITIES = {1, 2, 3, 4, 5};

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    int number = getIntent().getIntExtra(NUMBER, 0);
    String name = Store.product(number);
    setTitle(name);
    setContentView(R.layout.product);
    ((TextView) findViewById(R.id.product)).setText(name);
    ((TextView) findViewById(R.id.price)).setText(Store.money(Store.price(number)));
    Spinner quantity = findViewById(R.id.quantity);
    ArrayAdapter<Integer> numbers = new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, QUANTITIES);
    numbers.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item);
    quantity.setAdapter(numbers);
    findViewById(R.id.add_to_cart).setOnClickListener(v -> {
      new Store(this).add(name, (Integer) quantity.getSelectedItem());
      finish();
    });
  }
}
