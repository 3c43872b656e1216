-- Adds up the bytes of rows. Refuses (TS425) the first row with which they exceed p_max. Beside json_agg, in
-- the same select, it sees each row before json_agg does. Called by src/data, src/kernel/db and
-- src/kernel/http.
create or replace aggregate tessera.bytes_within(p_bytes bigint, p_max bigint) (
  sfunc = tessera.add_bytes, stype = bigint, initcond = '0', parallel = safe
);
