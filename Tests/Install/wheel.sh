# The oldest systems that a Python package with the library in it runs on, as auditwheel names them.
# For run.sh.

wheel=$folder/groot-$(pkg-config --modversion groot)-py3-none-linux_$(uname -m).whl
make_wheel() {
  "$python" - "$wheel" "$usr/lib/libgroot.so" <<'PYTHON'
import sys
import zipfile
from pathlib import Path

wheel, library = Path(sys.argv[1]), sys.argv[2]
name, version, tag = wheel.stem.split("-", 2)
facts = f"{name}-{version}.dist-info"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(Path("python/groot").rglob("*.py")):
        archive.write(path, path.relative_to("python"))
    archive.write(library, "groot/libgroot.so")
    archive.writestr(f"{facts}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    archive.writestr(f"{facts}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n")
    listed = [*archive.namelist(), f"{facts}/RECORD"]
    archive.writestr(f"{facts}/RECORD", "".join(f"{path},,\n" for path in listed))
PYTHON
}
# jansson, PCRE2 and SQLite come with their own wishes, which are those of this system: in their places
# stand libraries with nothing in them.
make_empty() {
  local soname
  mkdir "$folder/empty"
  for soname in $(readelf -dW "$usr/lib/libgroot.so" | grep -oE 'lib(jansson|pcre2|sqlite)[^]]*'); do
    ${CC:-cc} -shared -nostdlib -Wl,-soname,"$soname" -o "$folder/empty/$soname" -x c /dev/null ||
      return 1
  done
}
show() {
  LD_LIBRARY_PATH=$folder/empty "$python" -m auditwheel show "$wheel" | tr '\n' ' '
}

python=.venv/bin/python
check "makes a wheel" make_wheel
check "leaves out what is not Groot's" make_empty
check "fits manylinux2014" has "platform tag to \"manylinux_2_17_$(uname -m)\"" show
