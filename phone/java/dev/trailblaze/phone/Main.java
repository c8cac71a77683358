package dev.trailblaze.phone;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.robolectric.android.AndroidSdkShadowMatcher;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;

/**
 * Main starts the framework of one API level in a sandbox of Robolectric and hands its main thread to Phone.
 *
 * <p>Arguments: API level, APK, qualifiers of the configuration, width, height, scale of the font, the folder of all apps' data, the number of this
 * process. Standard input and output carry the frames of Wire; what the framework prints goes to standard error.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    InputStream in = new FileInputStream(FileDescriptor.in);
    System.setOut(System.err);

    int api = Integer.parseInt(args[0]);
    AndroidSandbox sandbox = sandbox(api);
    sandbox.runOnMainThread(() -> {
      try {
        sandbox.bootstrappedClass(Phone.class)
            .getMethod("run", AndroidSandbox.class, Path.class, String[].class, InputStream.class, OutputStream.class)
            .invoke(null, sandbox, Path.of(args[1]).toAbsolutePath(), List.of(args).subList(2, args.length).toArray(new String[0]), in, out);
      } catch (ReflectiveOperationException e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    });
  }

  private static AndroidSandbox sandbox(int api) {
    Injector injector =
        new Injector.Builder(Main.class.getClassLoader()).bind(Properties.class, System.getProperties()).build();
    Sdk sdk = injector.getInstance(SdkProvider.class).getSdks().stream()
        .filter(s -> s.getApiLevel() == api).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Robolectric has no API level " + api));
    Interceptors interceptors = new Interceptors(AndroidInterceptors.all());
    AndroidSandbox sandbox = injector.getInstance(SandboxManager.SandboxBuilder.class)
        .build(instrumentation(interceptors), sdk, sdk, ResourcesMode.Mode.BINARY, SQLiteMode.Mode.NATIVE);
    ShadowMap shadows = new ShadowMap.Builder(injector.getInstance(ShadowProviders.class).getBaseShadowMap())
        .addShadowClasses(Events.class, Velocity.class).addShadowClasses(Widgets.ALL).build();
    sandbox.replaceShadowMap(shadows);
    sandbox.configure(
        injector.getInstance(ClassHandlerBuilder.class)
            .build(shadows, new AndroidSdkShadowMatcher(api), interceptors, List.of()),
        interceptors);
    return sandbox;
  }

  /** Lists what Robolectric's own test runner instruments, without the parts that only JUnit needs. */
  private static InstrumentationConfiguration instrumentation(Interceptors interceptors) {
    var b = new InstrumentationConfiguration.Builder();
    interceptors.getAllMethodRefs().forEach(b::addInterceptedMethod);
    b.doNotAcquireClass("org.robolectric.shadow.api.ShadowPicker");
    for (String p : List.of("org.bouncycastle.", "org.conscrypt.", "org.objectweb.asm", "org.robolectric.manifest.",
        "org.robolectric.res.", "org.w3c.", "org.xml.")) {
      b.doNotAcquirePackage(p);
    }
    b.addClassNameTranslation("java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache");
    b.addClassNameTranslation("java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource");
    b.addClassNameTranslation("java.nio.charset.Charsets", "java.nio.charset.StandardCharsets");
    b.addClassNameTranslation("java.lang.UnsafeByteSequence", "java.lang.Object");
    b.addClassNameTranslation("java.util.jar.StrictJarFile", "java.lang.Object");
    b.addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable");
    b.doNotInstrumentPackage("android.R");
    b.doNotInstrumentClass("android.app.RecoverableSecurityException");
    for (String p : List.of("dalvik.", "libcore.", "android.", "com.android.internal.", "org.apache.http.", "org.kxml2.")) {
      b.addInstrumentedPackage(p);
    }
    return b.build();
  }
}
