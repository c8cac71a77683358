package dev.trailblaze.phone;

/** Changes counts what happens, from a number that no other process reaches, and lets threads wait for it. */
final class Changes {
  private long count;
  private long last = System.nanoTime();

  Changes(long base) {
    count = base;
  }

  synchronized void add() {
    count++;
    last = System.nanoTime();
    notifyAll();
  }

  synchronized long count() {
    return count;
  }

  /** Waits until the count is another than a number, or for a time. */
  synchronized void await(long since, long ms) throws InterruptedException {
    for (long end = System.nanoTime() + ms * 1_000_000; count == since; ) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /** Waits until nothing has happened for a time, at most for another time. */
  synchronized void quiet(long ms, long most) throws InterruptedException {
    for (long end = System.nanoTime() + most * 1_000_000; System.nanoTime() < end; ) {
      long left = ms - (System.nanoTime() - last) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }
}
