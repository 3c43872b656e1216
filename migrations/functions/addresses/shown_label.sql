-- Returns a label of a domain as people write it: decodes Punycode (RFC 3492). Returns a label unchanged that
-- is not encoded, or not correctly, or whose characters are controls, marks of direction or not seen. Called
-- by public.shown_address.
create or replace function public.shown_label(p_label text) returns text immutable
language plpgsql as $$
declare
  encoded constant text := substr(lower(p_label), 5);
  -- What stands before the last hyphen are the characters that were not encoded.
  plain constant integer := greatest(length(encoded) - strpos(reverse(encoded), '-'), 0);
  points integer[] := '{}';
  place integer := case when strpos(encoded, '-') > 0 then plain + 2 else 1 end;
  code integer := 128;
  inserted integer := 0;
  bias integer := 72;
  before integer;
  weight integer;
  digit integer;
  threshold integer;
  delta integer;
begin
  if left(lower(p_label), 4) <> 'xn--' or encoded = '' then
    return p_label;
  end if;
  if strpos(encoded, '-') > 0 then
    points := array(select ascii(c) from regexp_split_to_table(left(encoded, plain), '') c where c <> '');
  end if;
  while place <= length(encoded) loop
    before := inserted;
    weight := 1;
    for step in 1..20 loop
      digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(encoded, place, 1)) - 1;
      if digit < 0 or place > length(encoded) then
        return p_label;
      end if;
      place := place + 1;
      inserted := inserted + digit * weight;
      threshold := least(greatest(step * 36 - bias, 1), 26);
      exit when digit < threshold;
      weight := weight * (36 - threshold);
    end loop;
    -- The next code points are near this one: the bias adapts.
    delta := (inserted - before) / case when before = 0 then 700 else 2 end;
    delta := delta + delta / (cardinality(points) + 1);
    bias := 0;
    while delta > 455 loop
      delta := delta / 35;
      bias := bias + 36;
    end loop;
    bias := bias + 36 * delta / (delta + 38);
    code := code + inserted / (cardinality(points) + 1);
    inserted := inserted % (cardinality(points) + 1);
    if code between 128 and 160 or code between 8192 and 8303 or code between 55296 and 63743
       or code between 65024 and 65039 or code between 65520 and 65535
       or code > 131071 or code in (65279, 173, 847, 1564, 4447, 4448, 6068, 6069, 12644, 65440) then
      return p_label;
    end if;
    points := points[:inserted] || code || points[inserted + 1:];
    inserted := inserted + 1;
  end loop;
  return (select string_agg(chr(p), '' order by n) from unnest(points) with ordinality x (p, n));
exception when numeric_value_out_of_range or program_limit_exceeded then
  return p_label;
end $$;
