package dev.trailblaze.shop;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.widget.BaseAdapter;
import android.widget.ListView;
import android.widget.TextView;
import android.widget.Toast;

/** Products lists what can be bought, in rows that are used again while it scrolls. */
public final class Products extends Activity {
  private static final int CART = 1;
  private static final int SIGN_OUT = 2;

  private Store store;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    store = new Store(this);
    ListView list = new ListView(this);
    list.setId(R.id.lines);
    list.setAdapter(new Rows());
    list.setOnItemClickListener((parent, row, position, id) ->
        startActivity(new Intent(this, Product.class).putExtra(Product.NUMBER, position)));
    setContentView(list);
  }

  @Override
  protected void onResume() {
    super.onResume();
    invalidateOptionsMenu();
  }

  @Override
  public boolean onCreateOptionsMenu(Menu menu) {
    menu.add(0, CART, 0, getString(R.string.cart_of, store.pieces())).setShowAsAction(MenuItem.SHOW_AS_ACTION_ALWAYS);
    menu.add(0, SIGN_OUT, 1, R.string.sign_out);
    return true;
  }

  @Override
  public boolean onOptionsItemSelected(MenuItem item) {
    if (item.getItemId() == CART) {
      startActivity(new Intent(this, Cart.class));
    } else {
      store.set(Store.USER, null);
      startActivity(new Intent(this, SignIn.class));
      finish();
    }
    return true;
  }

  /** Rows shows a product in each row. */
  private final class Rows extends BaseAdapter {
    @Override
    public int getCount() {
      return Store.count();
    }

    @Override
    public Object getItem(int i) {
      return Store.product(i);
    }

    @Override
    public long getItemId(int i) {
      return i;
    }

    @Override
    public View getView(int i, View old, ViewGroup parent) {
      View row = old == null ? getLayoutInflater().inflate(R.layout.row, parent, false) : old;
      ((TextView) row.findViewById(R.id.product)).setText(Store.product(i));
      ((TextView) row.findViewById(R.id.price)).setText(Store.money(Store.price(i)));
      row.findViewById(R.id.add).setOnClickListener(v -> {
        store.add(Store.product(i), 1);
        invalidateOptionsMenu();
        Toast.makeText(Products.this, getString(R.string.added, Store.product(i)), Toast.LENGTH_SHORT).show();
      });
      return row;
    }
  }
}
