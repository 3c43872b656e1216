/** A text in quotes, in which quotes are doubled, as in CSV. */
interface Quoted {
  value: string
  /** The position after the closing quote. */
  end: number
}

/** Reads the text in quotes that begins at a position, with the quote there; undefined if it is not closed. */
export function quotedAt(text: string, at: number): Quoted | undefined {
  const mark = text[at] as string
  for (let from = at + 1; ; ) {
    const quote = text.indexOf(mark, from)
    if (quote === -1) return undefined
    if (text[quote + 1] !== mark)
      return {
        value: text.slice(at + 1, quote).replaceAll(mark + mark, mark),
        end: quote + 1,
      }
    from = quote + 2
  }
}
