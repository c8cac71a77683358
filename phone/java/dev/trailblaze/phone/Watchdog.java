package dev.trailblaze.phone;

/** Watchdog logs that the app does not respond, when an input event has waited for its main thread for five seconds. */
final class Watchdog {
  private static final long LIMIT_MS = 5000;
  private static final long ROUND_MS = 500;

  private Watchdog() {}

  static void start(Input input, Thread watched, Logcat log, String name, Runnable stuck) {
    Thread t = new Thread(() -> {
      long reported = 0;
      try {
        while (true) {
          Thread.sleep(ROUND_MS);
          long since = input.waitingSince();
          if (since != 0 && since != reported && System.nanoTime() - since > LIMIT_MS * 1_000_000) {
            reported = since;
            log.unresponsive(name, watched.getStackTrace());
            stuck.run();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "watchdog");
    t.setDaemon(true);
    t.start();
  }
}
