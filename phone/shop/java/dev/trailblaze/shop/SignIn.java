package dev.trailblaze.shop;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.EditText;
import android.widget.TextView;

/** SignIn lets in "ada" with the password "trail". */
public final class SignIn extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    Store store = new Store(this);
    if (store.read().has(Store.USER)) {
      enter();
      return;
    }
    setContentView(R.layout.sign_in);
    findViewById(R.id.sign_in).setOnClickListener(v -> {
      String user = ((EditText) findViewById(R.id.user)).getText().toString();
      String password = ((EditText) findViewById(R.id.password)).getText().toString();
      if (user.equals("ada") && password.equals("trail")) {
        store.set(Store.USER, user);
        enter();
      } else {
        ((TextView) findViewById(R.id.problem)).setText(R.string.wrong);
      }
    });
  }

  private void enter() {
    startActivity(new Intent(this, Products.class));
    finish();
  }
}
