-- Statements with their values, as src/db/run.ts writes them: the parameters of public.run.
create type public.statements as (
  texts text[],
  parameters text[],
  large text
);
