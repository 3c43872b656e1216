/** Names of members of JSON, and the ways to write paths to them in queries and schemas. */

/** Names that a grammar of paths could take for something else. */
export const jsonNames: readonly string[] = [
  ...['plain', 'A', 'Plain', 'a_b', '_a', 'a_', '__', 'k__l', '__proto__', 'a___b', 'constructor'],
  ...['a.b', '.', '..', '.a', 'a.', 'power (W)', 'a b', ' a', 'a ', ' '],
  ...['"', 'a"b', '""', "it's", 'a::b', '::number', 'a->b', "->>'x'", '@', '@context', '$ref'],
  ...['0', '-1', '007', '1.5', '1e5', '', 'größe', '名前', '😀', 'x'.repeat(63), 'é'.repeat(31)],
  ...[
    'gt',
    'null',
    'exact',
    'a__gt',
    'and',
    'select',
    'a,b',
    'a=b',
    'a&b',
    '#',
    '%25',
    '{}',
    '[0]',
    '-a',
    '*',
  ],
  ...['a.nullsfirst', "'", '\\', 'a\nb', '+', 'a/b', 'count(*)'],
]

const doubled = (name: string) => `"${name.replaceAll('"', '""')}"`
const single = (name: string) => `'${name.replaceAll("'", "''")}'`

/** Tells whether a name can be written without quotes: in an expression, or in a text that is only a path. */
const isBare = (name: string, place: 'expression' | 'text'): boolean =>
  place === 'expression'
    ? /^(-?\d+|[\p{L}\p{N}_]+)$/u.test(name)
    : name !== '' && name.trim() === name && !/[.",]|::|->/.test(name)

/** Every way to write a path inside a field. `operators`: whether operators can follow the path. */
export function spellings(
  field: string,
  names: readonly string[],
  place: 'expression' | 'text',
  operators = false,
): string[] {
  const written = [
    `${field}.${names.map(doubled).join('.')}`,
    `${field}__${names.map(doubled).join('__')}`,
    `"${field}".${names.map(doubled).join('.')}`,
    `${field}->${names.map(single).join('->>')}`,
    `${field}->>${names.map(doubled).join('->')}`,
  ]
  const isOperatorLike = /(^|__)(gt|null|exact)$/.test(names.at(-1) as string)
  if (names.some((name) => !isBare(name, place)) || (operators && isOperatorLike)) return written
  written.push(`${field}.${names.join('.')}`)
  const hasUnderscores = names.some((name) => name === '' || /__|^_|_$/.test(name))
  if (!hasUnderscores && (place === 'text' || names.every((name) => !name.startsWith('-'))))
    written.push(`${field}__${names.join('__')}`)
  return written
}
