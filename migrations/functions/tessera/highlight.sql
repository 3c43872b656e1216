-- Returns a text as HTML in which the words of a search are marked with <mark>. Escapes all HTML characters
-- in the text. Until they are escaped, two control characters stand for the marks; they are removed from the
-- text first. Called by src/data.
create or replace function tessera.highlight(p_language regconfig, p_text text, p_query tsquery) returns text
immutable strict parallel safe
language sql as $$
  select replace(replace(replace(replace(replace(replace(replace(
           ts_headline(p_language, translate(p_text, E'\x01\x02', ''), p_query,
                       E'HighlightAll=true, StartSel="\x01", StopSel="\x02"'),
           '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;'),
           E'\x01', '<mark>'), E'\x02', '</mark>')
$$;
