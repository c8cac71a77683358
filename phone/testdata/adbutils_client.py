"""Drives the phone with adbutils: python adbutils_client.py SERVER_PORT SERIAL. It exits with 0 when all answers are right."""
import sys

import adbutils

client = adbutils.AdbClient(host="127.0.0.1", port=int(sys.argv[1]))
d = client.device(serial=sys.argv[2])


def check(what, ok):
    if not ok:
        sys.exit("adbutils: " + str(what))


check(d.prop.model, d.prop.model == "Trailblaze Phone")
check("window_size", tuple(d.window_size()) == (1080, 2400))
check("packages", "io.appium.android.apis" in d.list_packages())
out = d.shell2("echo out; echo err >&2; (exit 5)")
check(out, out.returncode == 5 and "out" in out.output)
d.app_start("io.appium.android.apis", ".view.Controls1")
check(d.app_current(), d.app_current().activity.endswith("view.Controls1"))
xml = d.dump_hierarchy()
check(xml[:200], "Checkbox 1" in xml and xml.startswith("<?xml"))
d.sync.push(b"text from python", "/data/local/tmp/python.txt")
check("stat", d.sync.stat("/data/local/tmp/python.txt").size == 16)
check("list", any(f.path == "python.txt" for f in d.sync.list("/data/local/tmp")))
check("read", d.sync.read_text("/data/local/tmp/python.txt") == "text from python")
image = d.screenshot()
check(image.size, image.size == (1080, 2400))
info = d.app_info("io.appium.android.apis")
check(info, info is not None and info.version_name)
d.keyevent("BACK")
d.forward("tcp:0", "localabstract:x")
check("forward", any(f.remote == "localabstract:x" for f in d.forward_list()))
print("adbutils agrees")
