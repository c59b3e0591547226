#!/usr/bin/env bash
# Builds the Debian packages of what `make install` gives, with nothing but dpkg's own tools.
# usage: build.sh VERSION INTERFACE FOLDER      leaves the packages in the folder
set -euo pipefail
cd "$(dirname "$0")/../../.."
version=$1 interface=$2 folder=$3
multiarch=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runtime=$work/libgroot$interface develop=$work/libgroot-dev python=$work/python3-groot
lib=usr/lib/$multiarch

make --no-print-directory install DESTDIR="$develop" PREFIX=/usr LIBDIR="/$lib" \
  INCLUDEDIR=/usr/include DOCDIR=/usr/share/doc/libgroot-dev
mkdir -p "$runtime/$lib" "$python/usr/lib/python3/dist-packages"
mv "$develop/$lib"/libgroot.so.* "$runtime/$lib"
chmod 644 "$runtime/$lib"/libgroot.so.*
(cd python && find groot -type f \( -name '*.py' -o -name py.typed \) -print0 | sort -z |
  xargs -0 cp --parents -t "$python/usr/lib/python3/dist-packages")
groot() {
  GROOT_LIBRARY=$runtime/$lib/libgroot.so.$version PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 \
    ${PYTHON:-python3} -m groot "$@"
}
shared() { # shared PLACE ARGUMENT...: what the command writes about itself
  mkdir -p "$(dirname "$python/usr/share/$1")"
  groot "${@:2}" >"$python/usr/share/$1"
}
shared man/man1/groot.1 help --man
gzip -9n "$python/usr/share/man/man1/groot.1"
shared bash-completion/completions/groot completion bash
shared zsh/vendor-completions/_groot completion zsh
shared fish/vendor_completions.d/groot.fish completion fish
install -D -m 755 Scripts/package/debian/groot "$python/usr/bin/groot"

fill() { # fill LIBRARIES: control.in with what stands between @
  sed -e "s|@VERSION@|$version|" -e "s|@INTERFACE@|$interface|" -e "s|@LIBRARIES@|$1|" \
    Scripts/package/debian/control.in
}
libraries() { # what the shared library needs, in versions that are not older than groot.pc's
  mkdir "$work/debian" && fill "" >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O -pshlibs "$runtime/$lib/libgroot.so.$version") |
    sed -E -e 's/^shlibs:Depends=//' -e 's/(libjansson4)( \([^)]*\))?/\1 (>= 2.14)/' \
      -e 's/(libsqlite3-0)( \([^)]*\))?/\1 (>= 3.37)/'
}
fill "$(libraries)" >"$work/control"

package() { # package TREE ARCHITECTURE
  local tree=$1 architecture=$2 name documents
  name=$(basename "$tree") documents=$tree/usr/share/doc/$(basename "$tree")
  mkdir -p "$tree/DEBIAN" "$documents"
  cat LICENSE NOTICE >"$documents/copyright"
  gzip -9n <CHANGELOG.md >"$documents/changelog.gz"
  {
    grep -E '^(Source|Priority|Maintainer):' "$work/control"
    echo "Version: $version"
    echo "Installed-Size: $(du -k --apparent-size -s "$tree" | cut -f1)"
    awk -v name="$name" 'BEGIN { RS = ""; FS = "\n" } $1 == "Package: " name' "$work/control" |
      sed -e "s/^Architecture: .*/Architecture: $architecture/"
  } >"$tree/DEBIAN/control"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$work/$name.md5sums"
  mv "$work/$name.md5sums" "$tree/DEBIAN/md5sums"
  chmod -R u=rwX,go=rX "$tree"
  dpkg-deb --root-owner-group --build "$tree" "$folder/${name}_${version}_$architecture.deb"
}

echo "libgroot $interface libgroot$interface (>= $version)" >"$work/shlibs"
echo "activate-noawait ldconfig" >"$work/triggers"
install -D -m 644 -t "$runtime/DEBIAN" "$work/shlibs" "$work/triggers"
install -D -m 755 -t "$python/DEBIAN" Scripts/package/debian/postinst Scripts/package/debian/prerm
mkdir -p "$folder"
rm -f "$folder"/*.deb
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)
package "$runtime" "$architecture"
package "$develop" "$architecture"
package "$python" all
