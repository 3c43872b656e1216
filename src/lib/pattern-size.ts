/** How large a regular expression is once its repetitions are written out, read from its text: what it would cost to compile is not spent. */

/** What an expression is made of. What is none of the others is a character. */
const parts =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPxu]\{[^}]*\}|\\[\s\S]?|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|(?<open>\((?<kind>\?(?:P?<\w*>|[\w-]*:?))?)|(?<close>\))|(?<times>\{(?<least>\d+)(?<range>,(?<most>\d*))?\})|(?<few>[*+?])|(?<or>\|)|(?<edge>[\^$])|[\s\S]/gu

interface Group {
  size: number
  /** Of what a repetition after it would repeat. */
  last: number
  /** Whether it is remembered what matched. */
  captures: boolean
}

/**
 * States, about as RE2 counts them: a character or class is one, an alternative and a `?`, `*` or `+` one more, a group
 * that captures two. What is repeated counts as often as it may be. The text need not be a valid expression.
 */
export function sizeOf(source: string): number {
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
