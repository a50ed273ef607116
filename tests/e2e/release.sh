#!/usr/bin/env bash
# A source release: the same bytes from two clones, complete, with a list of its parts that is valid SPDX; nothing is released that is not
# committed. Recipes for package managers that are not here are at least in their language.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
export IOLITE_RELEASE_XZ=-0 # quick
has_commands git xz python3 || skip "no git, xz or python3"
tree=$(cd "$(dirname "$0")/../.." && pwd)
git -c safe.directory="$tree" -C "$tree" rev-parse HEAD >/dev/null 2>&1 || skip "no repository"
for copy in one two; do
    git -c safe.directory="$tree" clone -q --no-hardlinks "$tree" "$work/$copy/deep/$copy" || skip "no clone of the repository"
    [ -e "$work/$copy/deep/$copy/packaging/release" ] || skip "what is here is not committed"
    status 0 "$work/$copy/deep/$copy/packaging/release" "$work/release-$copy"
done
diff -r "$work/release-one" "$work/release-two" >&2 || fail "two releases differ"
(cd "$work/release-one" && sha256sum -c --quiet SHA256SUMS) || fail "checksums"
tar -tf "$work"/release-one/*.tar.xz >"$work/out"
for file in web/dist/report.js LICENSE CMakeLists.txt dev docs/install.md; do has "/$file"; done
python3 - "$work"/release-one/*.spdx.json <<'PYTHON' || fail "the list of parts"
import json, sys
document = json.load(open(sys.argv[1]))
assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
ids = {p["SPDXID"] for p in document["packages"]}
assert len(ids) == len(document["packages"]) and {"SPDXRef-iolite", "SPDXRef-echarts", "SPDXRef-zlib"} <= ids
for package in document["packages"]:
    assert {"name", "downloadLocation", "licenseConcluded", "copyrightText"} <= set(package), package
assert all(r["relatedSpdxElement"] in ids for r in document["relationships"])
PYTHON
echo change >>"$work/one/deep/one/LICENSE"
status 1 "$work/one/deep/one/packaging/release" "$work/release-three"
[ ! -e "$work/release-three" ] || fail "something was released that is not committed"

for recipe in packaging/spack/packages/*/package.py packaging/easybuild/*.eb; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe" || fail "$recipe"
done
# Each file of an installation is in one of the RPM packages: rpmbuild, which would say so, is not on every machine.
status 0 env DESTDIR="$work/installed" cmake --install "$IOLITE_BIN/.."
python3 - packaging/rpm/iolite.spec "$work/installed" "$IOLITE_BIN/../CMakeCache.txt" <<'PYTHON' || fail "the RPM packages lack files"
import fnmatch, os, re, sys
spec, root, cache = sys.argv[1:]
cached = dict(re.findall(r"^(CMAKE_INSTALL_\w+):\w+=(.*)$", open(cache).read(), re.M))
prefix = cached["CMAKE_INSTALL_PREFIX"]
places = {"_prefix": "", "_bindir": "/bin", "_libdir": "/" + (cached.get("CMAKE_INSTALL_LIBDIR") or "lib"), "_includedir": "/include", "_datadir": "/share",
          "_mandir": "/share/man", "_unitdir": "/lib/systemd/system", "_sysusersdir": "/lib/sysusers.d", "_tmpfilesdir": "/lib/tmpfiles.d"}
patterns = []
for line in re.sub(r"^.*?\n%files", "%files", open(spec).read(), flags=re.S).split("%changelog")[0].splitlines():
    if line.startswith("%{_"):
        patterns.append(re.sub(r"%{(\w+)}", lambda m: places[m[1]], line))
assert len(patterns) > 20, patterns
left = []
for folder, _, names in os.walk(root + prefix):
    for name in names:
        path = os.path.join(folder, name)[len(root + prefix):]
        # %install moves the Python package.
        if not path.startswith("/share/iolite/python/") and not any(fnmatch.fnmatch(path, p) or fnmatch.fnmatch(path, p + "/*") for p in patterns):
            left.append(path)
print(*left, sep="\n")
sys.exit(bool(left))
PYTHON
if command -v rpmspec >/dev/null; then
    sed 's/@VERSION@/0.1.0/; s/@RPMDATE@/Wed Nov 18 2026/' packaging/rpm/iolite.spec >"$work/iolite.spec"
    status 0 rpmspec -q "$work/iolite.spec"
    has python3-iolite
fi
finish
