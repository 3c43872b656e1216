/** Names that somebody chose so that a path, a text in quotes, a comment or a script breaks. */

/** Names that are not those of files. */
export const hostileNames: readonly string[] = [
  ...['', '.', '..', '../up', '../../up', 'a/b', '/etc/up', 'a/../../up', 'a\\b', '..\\up', 'C:\\up', 'C:up'],
  ...['.hidden', 'a.b', 'a b', 'A', 'a\0', 'a\nb', '~', '-rf', '__proto__', 'é', 'a\u202eb', 'a'.repeat(101)],
]

/** Paths that lead out of a folder, or to a hidden file. */
export const hostilePaths: readonly string[] = [
  ...['../up.txt', '/etc/up.txt', 'a/../../up.txt', 'a/..', '.hidden', 'a/.hidden', 'a/.git/config', 'a//b'],
  ...['a\\b.txt', '..\\up.txt', 'C:\\up.txt', 'C:up.txt', 'a\0.txt', 'a\nb', '~/up.txt'],
]

/** Texts that end a string, a comment, a line or a command in some language, or reverse what one sees. */
export const breakers: readonly string[] = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    "\\'",
    '\\\\"',
    "a'; evil(); '",
    'a"; evil(); "',
    '*/ evil() /*',
    '*\u2028/',
    '*/',
  ],
  ...[
    '\u2028evil()',
    '\u2029evil()',
    '\nevil()',
    '\r\nevil()',
    '\n// evil()',
    `\${evil()}`,
    `\`\${evil()}\``,
  ],
  ...[
    '$(evil)',
    '`evil`',
    ';evil',
    '|evil',
    '&evil',
    '(evil)',
    '$evil',
    'a b',
    '#evil',
    '!evil',
    '-evil',
    ':evil',
  ],
  ...[
    '*',
    '?',
    '[a]',
    '{a,b}',
    '~',
    '%s',
    '</script>',
    '<!--',
    '\u202eevil',
    '\u0000',
    '\u001b[2J',
    '\u0085evil',
  ],
  ...['__proto__', 'constructor', 'toString', 'é', '日本', '\ud800', '\u{e0001}', 'a\u200db', ''],
]
