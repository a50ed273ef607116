"""The package that PyDarshan's documentation names for reading a log piece by piece: see cffi_backend."""
