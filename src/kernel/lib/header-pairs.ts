/** Parses request headers that are written in one text: `name=value`, separated by commas. */
import * as z from 'zod'

const pair = /^([\w-]+)=([\x21-\x7e][\x20-\x7e]*)$/

const pairsOf = (text: string): readonly (RegExpExecArray | null)[] =>
  text.split(',').map((part) => pair.exec(part.trim()))

/** Accepts a text of headers, and returns them by their names in lower case. */
export const headerPairs = z
  .string()
  .refine((text) => !pairsOf(text).includes(null))
  .transform(
    (text): Readonly<Record<string, string>> =>
      Object.fromEntries(
        pairsOf(text).flatMap((match) => (match ? [[match[1]?.toLowerCase(), match[2]]] : [])),
      ),
  )
