# live: what running programs do, from their mapped files, for `iolite top`, `iolite live` and `iolite serve`.
iolite_part_sources(iolite_live_sources live)
iolite_part(live iolite_insight)
