-- Adds up the bytes of texts as JSON. Unlike tessera.bytes_within, it can count distinct texts once. Refuses
-- (TS425) the first text with which they exceed p_max. Called by src/data.
create or replace aggregate tessera.texts_within(p_text text, p_max bigint) (
  sfunc = tessera.add_text, stype = bigint, initcond = '0', parallel = safe
);
