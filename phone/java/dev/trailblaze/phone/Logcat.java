package dev.trailblaze.phone;

import static dev.trailblaze.phone.Wire.json;

import android.util.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.robolectric.shadows.ShadowLog;

/** Logcat sends each line that the app and the framework log over the wire, with its thread and time. */
final class Logcat {
  private static final long PID = ProcessHandle.current().pid();

  private final Wire wire;

  Logcat(Wire wire) {
    this.wire = wire;
    ShadowLog.setCaptureLogsEnabled(false);
    ShadowLog.stream = new PrintStream(new ByteArrayOutputStream()) {
      @Override
      public void println(String line) {
        String[] lines = line.split("\n");
        char level = lines[0].charAt(0); // "D/tag: message"
        int colon = lines[0].indexOf(": ");
        String tag = colon < 2 ? "" : lines[0].substring(2, colon);
        lines[0] = lines[0].substring(colon + 2);
        add(level, tag, lines);
      }
    };
  }

  /** Sends the lines of one text, which have one time. */
  private void add(char level, String tag, String... lines) {
    long thread = Thread.currentThread().getId();
    long now = System.currentTimeMillis();
    for (String line : lines) {
      wire.send(json("event", "log", "level", String.valueOf(level), "tag", tag, "line", line,
          "pid", PID, "ms", now, "thread", thread), new byte[0]);
    }
  }

  /** Logs the death of the app as Android's runtime does. */
  void crash(String name, Throwable t) {
    String said = "FATAL EXCEPTION: main\nProcess: " + name + ", PID: " + PID + "\n" + Log.getStackTraceString(t);
    add('E', "AndroidRuntime", said.split("\n"));
  }

  /** Logs that the app does not respond, as Android's activity manager does. */
  void unresponsive(String name, StackTraceElement[] stack) {
    StringBuilder said = new StringBuilder("ANR in " + name + "\nPID: " + PID
        + "\nReason: Input dispatching timed out (the main thread has been busy for 5000ms)");
    for (StackTraceElement e : stack) {
      said.append("\n  at ").append(e);
    }
    add('E', "ActivityManager", said.toString().split("\n"));
  }
}
