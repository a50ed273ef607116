# mcp: the Model Context Protocol, for `iolite mcp` and `iolite serve`.
iolite_part_sources(iolite_mcp_sources mcp)
iolite_part(mcp iolite_site iolite_insight iolite_text)
target_compile_options(iolite_mcp PRIVATE $<$<CONFIG:Release>:-O1>) # its time goes into the commands that it asks
