import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

/** Prints what java.util.regex makes of each pattern on each text: a line per pattern and mode. */
public class Oracle {
  public static void main(String[] args) throws Exception {
    List<String> texts = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("testdata/texts.txt"))) texts.add(read(line));
    int maestro = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL | Pattern.MULTILINE;
    for (String p : Files.readAllLines(Path.of("testdata/patterns.txt"))) {
      for (int mode = 1; mode <= 3; mode++) {
        StringBuilder out = new StringBuilder();
        try {
          Pattern re = Pattern.compile(p, mode == 2 ? maestro : 0);
          for (String t : texts) {
            Matcher m = re.matcher(t);
            out.append((mode == 3 ? m.find() : m.matches()) ? '1' : '0');
          }
        } catch (PatternSyntaxException e) {
          out.append("syntax");
        }
        System.out.println(mode + " " + out);
      }
    }
  }

  static String read(String line) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = line.charAt(++i);
      switch (c) {
        case 'n' -> out.append('\n');
        case 'r' -> out.append('\r');
        case 't' -> out.append('\t');
        case 'u' -> {
          out.append((char) Integer.parseInt(line.substring(i + 1, i + 5), 16));
          i += 4;
        }
        default -> out.append(c);
      }
    }
    return out.toString();
  }
}
