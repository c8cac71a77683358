package dev.trailblaze.phone;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Wire reads requests and writes replies and events. A frame is a length of four bytes, JSON, a length of four bytes, and
 * bytes such as a picture. A request has an "id", which its reply repeats, and a "do"; an event has an "event".
 */
final class Wire {
  /** Reply is JSON and bytes. */
  record Reply(JSONObject json, byte[] bytes) {}

  /** Handler answers one request. It runs on a thread of its own. */
  interface Handler {
    Reply answer(JSONObject request) throws Exception;
  }

  private static final int MAX_FRAME = 1 << 20;

  private final DataInputStream in;
  private final DataOutputStream out;

  Wire(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = new DataOutputStream(out);
  }

  /** Serves until the other side has gone, and ends the process then: no phone outlives its kit. */
  void serve(Handler handler) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ExecutorService threads = Executors.newCachedThreadPool(r -> {
      Thread t = new Thread(r, "wire");
      t.setContextClassLoader(loader);
      t.setDaemon(true);
      return t;
    });
    threads.execute(() -> {
      try {
        while (true) {
          JSONObject request = read();
          threads.execute(() -> answer(handler, request));
        }
      } catch (EOFException e) {
        Runtime.getRuntime().halt(0);
      } catch (IOException | JSONException e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    });
  }

  private void answer(Handler handler, JSONObject request) {
    Reply reply;
    try {
      reply = handler.answer(request);
    } catch (Throwable t) {
      Throwable cause = t;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      if (!(cause instanceof Refused)) {
        t.printStackTrace();
      }
      reply = new Reply(json("error", cause instanceof Refused ? cause.getMessage() : cause.toString()), new byte[0]);
    }
    try {
      reply.json.put("id", request.optLong("id"));
      send(reply.json, reply.bytes);
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
  }

  private JSONObject read() throws IOException, JSONException {
    byte[] text = bytes();
    bytes();
    return new JSONObject(new String(text, StandardCharsets.UTF_8));
  }

  private byte[] bytes() throws IOException {
    int n = in.readInt();
    if (n < 0 || n > MAX_FRAME) {
      throw new IOException("a frame of " + n + " bytes");
    }
    byte[] b = new byte[n];
    in.readFully(b);
    return b;
  }

  synchronized void send(JSONObject json, byte[] bytes) {
    byte[] text = json.toString().getBytes(StandardCharsets.UTF_8);
    try {
      out.writeInt(text.length);
      out.write(text);
      out.writeInt(bytes.length);
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      Runtime.getRuntime().halt(0);
    }
  }

  /** Makes JSON of names and values in turn. */
  static JSONObject json(Object... pairs) {
    JSONObject o = new JSONObject();
    try {
      for (int i = 0; i < pairs.length; i += 2) {
        o.put((String) pairs[i], pairs[i + 1]);
      }
    } catch (JSONException e) {
      throw new AssertionError(e);
    }
    return o;
  }

  /** Refused is a failure whose message says all: a caller's mistake, or what the phone cannot do. */
  static final class Refused extends Exception {
    Refused(String message) {
      super(message);
    }
  }
}
