"""rename() across file systems fails with EXDEV, so shutil.move copies instead: the target is visible half-done."""

# needs: nothing
import errno
import os
import shutil
import tempfile

with tempfile.TemporaryDirectory(dir="/dev/shm") as ram, tempfile.TemporaryDirectory() as disk:
    src, dst = os.path.join(ram, "ck.tmp"), os.path.join(disk, "ck.pt")
    assert os.stat(ram).st_dev != os.stat(disk).st_dev
    with open(src, "wb") as f:
        f.write(b"N" * 10)
    try:
        os.replace(src, dst)
        raise SystemExit("no error?")
    except OSError as e:
        print("os.replace:", e.strerror)
        assert e.errno == errno.EXDEV

    def slow_copy(a, b, **_):  # what shutil.move falls back to, stopped in the middle
        with open(b, "wb") as out:
            out.write(open(a, "rb").read()[:4])
        raise KeyboardInterrupt

    try:
        shutil.move(src, dst, copy_function=slow_copy)
    except KeyboardInterrupt:
        print("shutil.move interrupted, target has", os.path.getsize(dst), "of 10 bytes")
    assert os.path.getsize(dst) == 4
    shutil.copy(src, dst + ".tmp")  # temporary file in the target folder
    os.replace(dst + ".tmp", dst)
    print("temporary file beside the target:", os.path.getsize(dst), "bytes, one step")
    assert os.path.getsize(dst) == 10
    other = os.path.join(disk, "elsewhere")
    os.makedirs(other)
    shutil.copy(src, os.path.join(other, "ck.tmp"))
    os.replace(os.path.join(other, "ck.tmp"), dst)
    print("temporary file elsewhere on that file system: works")
