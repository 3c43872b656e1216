-- Returns the time in a text of the form of RFC 3339, which is in UTC if it has no offset; null for any other
-- text. Immutable, so that an index may use it. Called by src/data.
create or replace function tessera.read_datetime(p_text text) returns timestamptz immutable parallel safe
language sql set search_path = pg_catalog, pg_temp as $$
  select case when moment between '0001-01-01' and '9999-12-31 23:59:59.999999'
              then moment at time zone 'UTC' end
    from (select tessera.read_date(substr(p_text, 1, 10)) + tessera.read_time(part[1])
                 - coalesce(part[2] || part[3], '0')::integer * interval '1 hour'
                 - coalesce(part[2] || part[4], '0')::integer * interval '1 minute' as moment
            from regexp_matches(
                   p_text,
                   '^.{10}[Tt ]([0-9:.]+)(?:[zZ]|([+-])(0[0-9]|1[0-4]):([0-5][0-9]))?$') part) _moment
$$;
