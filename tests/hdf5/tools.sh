#!/usr/bin/env bash
# Tools that others have made with HDF5, its own and those of netCDF-4, behave as without Iolite, and their records are
# right; an HDF5 that is too old is mentioned to who asks.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/../e2e/programs.bash"

# A netCDF-4 file with a record variable, a plain one, and one in a group.
schema='netcdf small {
dimensions: t = UNLIMITED ; x = 8 ;
variables: float temperature(t, x) ; int count(x) ;
data: temperature = 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18 ; count = 1, 2, 3, 4, 5, 6, 7, 8 ;
group: inner { variables: double depth(x) ; data: depth = 8, 7, 6, 5, 4, 3, 2, 1 ; }
}'

test_netcdf() {
    have ncgen && have nccopy && have ncdump || return
    given() { printf '%s\n' "$schema" >small.cdl; }
    volatile='\.nc$' # they hold times
    both "ncgen" ncgen -4 -o small.nc small.cdl
    expect small.nc H5F_OPENS 1
    expect small.nc:/temperature H5D_WRITES -ge 1
    expect small.nc:/temperature H5D_BYTES_WRITTEN 64
    expect small.nc:/temperature H5D_DATASPACE_NDIMS 2
    expect small.nc:/temperature H5D_DATATYPE_SIZE 4
    expect small.nc:/count H5D_BYTES_WRITTEN 32
    expect small.nc:/innerdepth H5D_BYTES_WRITTEN 64
    given() { printf '%s\n' "$schema" | ncgen -4 -o small.nc; }
    both "ncdump" ncdump small.nc
    expect small.nc H5F_OPENS 1
    expect small.nc:/temperature H5D_BYTES_READ 64
    expect 'small.nc:/innerdepth' H5D_BYTES_READ 64
    both "nccopy" nccopy -d 1 small.nc copy.nc
    expect small.nc:/count H5D_BYTES_READ 32
    expect copy.nc:/count H5D_BYTES_WRITTEN 32
    expect copy.nc:/temperature H5D_BYTES_WRITTEN 64
    given() { :; }
}

test_hdf5_tools() {
    have h5dump && have ncgen || return
    given() { printf '%s\n' "$schema" | ncgen -4 -o small.nc; }
    both "h5dump" h5dump -d /count small.nc
    expect 'small.nc:*' H5D_BYTES_READ 32
    given() { :; }
}

test_old() {
    local program=$tools/hdf5/old_library
    [ -x "$program" ] || { echo "left out, not here: $program"; return; }
    fresh
    (cd "$here" && LD_PRELOAD=$library IOLITE_VERBOSE=1 IOLITE_LOG_DIR=$logs "$program") >/dev/null 2>"$work/err"
    grep -q 'iolite: HDF5 is not recorded: it is older than 1.10, version 1.8.21' "$work/err" ||
        fail "an old library is not mentioned: $(cat "$work/err")"
}

test_netcdf
test_hdf5_tools
test_old
exit $((failures > 0))
