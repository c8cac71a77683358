package dev.trailblaze.phone;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Translate writes the classes of an APK, which are dex, as a jar: Translate IN.apk OUT.jar. */
public final class Translate {
  private Translate() {}

  public static void main(String[] args) throws Exception {
    Dex2jar.from(MultiDexFileReader.open(Files.readAllBytes(Path.of(args[0])))).skipDebug(true).to(Path.of(args[1]));
  }
}
