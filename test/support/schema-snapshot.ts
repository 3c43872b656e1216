/** The parts of the database that a Worker uses: the columns of tables, and the functions that it calls. */

export interface Snapshot {
  /** `schema.table.column` with its type, and whether it is required: not null, without a default. */
  columns: Map<string, { type: string; required: boolean }>
  /** `schema.name` with its parameters and its result: a type, or the columns of a row. */
  functions: Map<string, string>
}

type Query = <Row>(text: string) => Promise<Row[]>

/** Reads the tables of `public` and `tenant`, and the functions of `public` and `tessera`. */
export async function readSnapshot(query: Query): Promise<Snapshot> {
  const columns = await query<{ name: string; type: string; required: boolean }>(`
    select n.nspname || '.' || c.relname || '.' || a.attname as name,
           format_type(a.atttypid, a.atttypmod) as type,
           a.attnotnull and not a.atthasdef and a.attidentity = '' as required
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'tenant') and c.relkind in ('r', 'p', 'v') and a.attnum > 0
       and not a.attisdropped`)
  const functions = await query<{ name: string; form: string }>(`
    select n.nspname || '.' || p.proname as name,
           '(' || coalesce(
             (select string_agg(concat_ws(' ', nullif(p.proargnames[i], ''), format_type(p.proargtypes[i - 1], null)), ', '
                                order by i)
                from generate_series(1, p.pronargs) i), '') || ') returns ' ||
           case when p.proretset then 'setof ' else '' end || coalesce(
             (select '(' || string_agg(p.proargnames[i] || ' ' || format_type(p.proallargtypes[i], null), ', '
                                       order by i) || ')'
                from generate_subscripts(p.proallargtypes, 1) i where p.proargmodes[i] in ('o', 't')),
             (select '(' || string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
                                       order by a.attnum) || ')'
                from pg_class c join pg_attribute a on a.attrelid = c.oid
               where c.reltype = p.prorettype and c.relkind = 'c' and a.attnum > 0 and not a.attisdropped),
             format_type(p.prorettype, null)) as form
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'tessera')`)
  return {
    columns: new Map(columns.map(({ name, type, required }) => [name, { type, required }])),
    functions: new Map(functions.map(({ name, form }) => [name, form])),
  }
}

/**
 * Returns one sentence for each incompatible change from `before` to `now` for a Worker that was made for
 * `before`. `code` is the code of that Worker: only the functions that it names count. A function may have
 * new parameters at its end, which then need defaults, and may return more columns.
 */
export function brokenPromises(before: Snapshot, now: Snapshot, code: string): string[] {
  const called = new Set(
    [...code.matchAll(/\b(public|tessera)\.(\w+)\(/g)].map(([, schema, name]) => `${schema}.${name}`),
  )
  return [
    ...[...before.columns].flatMap(([name, { type }]) => {
      const after = now.columns.get(name)
      if (!after) return [`The column ${name} is gone.`]
      return after.type === type ? [] : [`The column ${name} was ${type} and is ${after.type}.`]
    }),
    ...[...now.columns].flatMap(([name, { required }]) => {
      const table = name.slice(0, name.lastIndexOf('.') + 1)
      const isOfOldTable = [...before.columns.keys()].some((other) => other.startsWith(table))
      const wasRequired = before.columns.get(name)?.required ?? false
      return required && !wasRequired && isOfOldTable
        ? [`The column ${name} has to be given, by a Worker that does not know of it.`]
        : []
    }),
    ...[...before.functions].flatMap(([name, form]) => {
      if (!called.has(name)) return []
      const after = now.functions.get(name)
      if (after === undefined) return [`The function ${name} is gone.`]
      return isCallableAs(form, after) ? [] : [`The function ${name} was ${form} and is ${after}.`]
    }),
  ]
}

/** Tells if a function of the form `after` can be called like one of the form `before`. */
function isCallableAs(before: string, after: string): boolean {
  const [parameters = '', result = ''] = before.split(') returns ')
  const [own = '', returned = ''] = after.split(') returns ')
  return (own === parameters || own.startsWith(`${parameters}, `)) && returnsAs(result, returned)
}

/** Tells if all columns of a result are in another one, or both are the same type. */
function returnsAs(before: string, after: string): boolean {
  const [columns, own] = [before, after].map((result) => /^((?:setof )?)\((.+)\)$/.exec(result))
  if (!columns || !own) return before === after
  const names = own[2]?.split(', ') ?? []
  return columns[1] === own[1] && (columns[2]?.split(', ') ?? []).every((column) => names.includes(column))
}
