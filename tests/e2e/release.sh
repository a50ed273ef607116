#!/usr/bin/env bash
# A source release: the same bytes from two clones, complete, with a list of its parts that is valid SPDX; nothing is released that is not
# committed. Recipes for package managers that are not here are run with stand-ins for them.
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

# Recipes, with stand-ins for what Spack brings: with each choice of a variant, the options that they give to CMake are ours.
cat >"$work/recipe.py" <<'PYTHON'
import itertools, os, re, sys, types
recipe, cache, prefix = sys.argv[1:]
known = set(re.findall(r"^(\w+):", open(cache).read(), re.M)) | {"IOLITE_MPICC_openmpi", "IOLITE_MPICC_mpich"}
def check(arguments):
    for argument in arguments:
        name = re.match(r"-D(\w+)(:\w+)?=", argument)[1]
        assert name in known, f"{recipe}: CMake has no {name}"
if recipe.endswith(".eb"):
    given = {}
    exec(open(recipe).read(), given)
    for key in ("easyblock", "name", "version", "homepage", "description", "toolchain", "sources", "dependencies", "sanity_check_paths", "moduleclass"):
        assert given.get(key), f"{recipe}: no {key}"
    check(given["configopts"].split())
    sys.exit()
variants, needs = {}, []
package = types.ModuleType("spack.package")
package.CMakePackage = type("CMakePackage", (), {
    "define": lambda self, name, value: f"-D{name}={value}",
    "define_from_variant": lambda self, name, variant: f"-D{name}={self.spec.variants[variant].value}"})
package.variant = lambda name, default=None, values=(True, False), description=None: variants.__setitem__(name, values)
package.depends_on = lambda spec, type=None, when=None: needs.append((spec, when))
for name in ("maintainers", "license", "version"): setattr(package, name, lambda *a, **k: None)
for name in ("run_after", "on_package_attributes"): setattr(package, name, lambda *a, **k: lambda function: function)
package.join_path, package.mkdirp = os.path.join, lambda path: os.makedirs(path, exist_ok=True)
sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
given = {}
exec(compile(open(recipe).read(), recipe, "exec"), given)
made = [v for k, v in given.items() if isinstance(v, type) and k.startswith("Iolite")][0]
for chosen in itertools.product(*variants.values()):
    chosen = dict(zip(variants, chosen))
    if "log_path" in chosen: chosen["log_path"] = "/logs"
    recipe_of = made()
    class Spec(dict):
        variants = {k: types.SimpleNamespace(value=v) for k, v in chosen.items()}
        def satisfies(self, text): return bool(chosen[text[1:]]) == (text[0] == "+")
    recipe_of.spec, recipe_of.prefix = Spec(mpi=types.SimpleNamespace(mpicc="/mpi/bin/mpicc")), prefix
    check(recipe_of.cmake_args())
    if hasattr(made, "write_config"):
        recipe_of.write_config()
        environment = {}
        recipe_of.setup_run_environment(types.SimpleNamespace(set=environment.__setitem__))
        text = open(environment["IOLITE_CONFIG"]).read()
        assert "LOGPATH /logs\n" in text and ("JOBID" in text) == (chosen["scheduler"] != "none") and ("LOGMODE" in text) == chosen["group_readable_logs"], text
assert needs, "no dependencies"
PYTHON
for recipe in packaging/spack/packages/*/package.py packaging/easybuild/*.eb; do
    python3 "$work/recipe.py" "$recipe" "$IOLITE_BIN/../CMakeCache.txt" "$work/spack" || fail "$recipe"
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
