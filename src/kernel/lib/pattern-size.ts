/** Estimates the size of a compiled regular expression from its text, without compiling it. */

/** Matches the parts of an expression. The last alternative is a single character. */
const parts =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPxu]\{[^}]*\}|\\[\s\S]?|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|(?<open>\((?<kind>\?(?:P?<\w*>|[\w-]*:?))?)|(?<close>\))|(?<times>\{(?<least>\d+)(?<range>,(?<most>\d*))?\})|(?<few>[*+?])|(?<or>\|)|(?<edge>[\^$])|[\s\S]/gu

interface Group {
  size: number
  /** The size of the last part. A following repetition multiplies it. */
  last: number
  /** Whether the group captures what it matched. */
  captures: boolean
}

/**
 * Returns the approximate number of states in RE2. A character or a class counts 1; an alternative and a `?`,
 * `*` or `+` add 1; a capturing group adds 2; a repetition multiplies by its maximum. The text need not be a
 * valid expression.
 */
export function patternSize(source: string): number {
  const outer: Group[] = []
  let group: Group = { size: 0, last: 0, captures: false }
  const add = (size: number) => {
    group.size += size
    group.last = size
  }
  const repeat = (count: number, optional: number) => {
    const last = Math.max(1, group.last)
    add(last * (count - 1) + optional)
    group.last = last * count + optional
  }
  for (const { 0: text, groups = {} } of source.matchAll(parts)) {
    if (groups.open) {
      outer.push(group)
      group = { size: 0, last: 0, captures: groups.kind === undefined || groups.kind.includes('<') }
    } else if (groups.close) {
      const size = group.size + (group.captures ? 2 : 0)
      group = outer.pop() ?? { size: 0, last: 0, captures: false }
      add(size)
    } else if (groups.times) {
      const least = Number(groups.least)
      const most = groups.range === undefined ? least : Number(groups.most || least)
      repeat(Math.max(1, most), groups.range && !groups.most ? 1 : most - least)
    } else if (groups.few) repeat(1, 1)
    else if (groups.or) add(1)
    else if (groups.edge) group.last = 0
    else if (text.startsWith('\\Q')) add(text.length - 2)
    else add(1)
  }
  return outer.reduce((size, { size: more }) => size + more, group.size)
}
