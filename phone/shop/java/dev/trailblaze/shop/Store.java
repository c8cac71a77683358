package dev.trailblaze.shop;

import android.content.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Store keeps what the shop knows in files/state.json, and writes it with each change. A test reads it there: it is what
 * happened, by whatever the screen shows.
 */
final class Store {
  static final String USER = "user";
  static final String CART = "cart"; // quantities by the product's name
  static final String ORDERS = "orders";
  static final String LOCATION = "location";

  private static final String[] KINDS = {"Boots", "Compass", "Jacket", "Lamp", "Map", "Rope", "Stove", "Tent"};
  private static final String[] SIZES = {"Mini", "Light", "Classic", "Large", "Pro"};

  private final Path file;

  Store(Context context) {
    file = context.getFilesDir().toPath().resolve("state.json");
  }

  static int count() {
    return KINDS.length * SIZES.length;
  }

  static String product(int i) {
    return KINDS[i / SIZES.length] + " " + SIZES[i % SIZES.length];
  }

  /** Returns the price of a product in cents. */
  static int price(int i) {
    return 500 + 125 * i;
  }

  private static int price(String product) {
    for (int i = 0; i < count(); i++) {
      if (product(i).equals(product)) {
        return price(i);
      }
    }
    throw new IllegalArgumentException(product);
  }

  static String money(int cents) {
    return String.format(Locale.ROOT, "%d.%02d €", cents / 100, cents % 100);
  }

  JSONObject read() {
    try {
      return Files.exists(file) ? new JSONObject(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)) : new JSONObject();
    } catch (IOException | JSONException e) {
      throw new IllegalStateException(file + " cannot be read", e);
    }
  }

  void set(String name, Object value) {
    try {
      JSONObject all = read();
      all.put(name, value);
      Files.createDirectories(file.getParent());
      Files.write(file, all.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
  }

  JSONObject cart() {
    JSONObject cart = read().optJSONObject(CART);
    return cart == null ? new JSONObject() : cart;
  }

  void add(String product, int quantity) {
    try {
      JSONObject cart = cart();
      set(CART, cart.put(product, cart.optInt(product) + quantity));
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
  }

  int pieces() {
    int n = 0;
    JSONObject cart = cart();
    for (Iterator<String> names = cart.keys(); names.hasNext(); ) {
      n += cart.optInt(names.next());
    }
    return n;
  }

  int total() {
    int cents = 0;
    JSONObject cart = cart();
    for (Iterator<String> names = cart.keys(); names.hasNext(); ) {
      String name = names.next();
      cents += price(name) * cart.optInt(name);
    }
    return cents;
  }

  /** Adds an order and empties the cart. It returns the order's number. */
  int order(JSONObject order) {
    JSONArray orders = read().optJSONArray(ORDERS);
    if (orders == null) {
      orders = new JSONArray();
    }
    set(ORDERS, orders.put(order));
    set(CART, new JSONObject());
    return orders.length();
  }
}
