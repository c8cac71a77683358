package trailblaze.helper;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.os.Looper;

/**
 * Serves the driver on a local socket for as long as its standard input is open:
 * CLASSPATH=helper.jar app_process / trailblaze.helper.Main NAME. It prints "ready" when the socket is there.
 */
public final class Main {
  public static void main(String[] args) throws Exception {
    Looper.prepareMainLooper();
    Wire wire = new Wire(new Automation());
    LocalServerSocket server = new LocalServerSocket(args[0]);
    Thread door = new Thread(() -> accept(server, wire), "accept");
    door.setDaemon(true);
    door.start();
    System.out.println("ready");
    System.out.flush();
    while (System.in.read() >= 0) continue; // the driver's end ends it
    System.exit(0);
  }

  private static void accept(LocalServerSocket server, Wire wire) {
    while (true) {
      LocalSocket s;
      try {
        s = server.accept();
      } catch (java.io.IOException e) {
        System.exit(1);
        return;
      }
      Thread t = new Thread(() -> {
        try (LocalSocket own = s) {
          int uid = own.getPeerCredentials().getUid();
          if (uid != 0 && uid != 2000) return; // the shell and root alone: an app of the phone must not drive it
          wire.serve(own.getInputStream(), own.getOutputStream());
        } catch (java.io.IOException e) {
          System.err.println(e);
        }
      });
      t.setDaemon(true);
      t.start();
    }
  }
}
