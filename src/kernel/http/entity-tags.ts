/**
 * Reads and writes entity tags. Weak tags compare like strong ones, because proxies weaken the tags of
 * compressed answers.
 */

/** Returns the tags of an If-Match or If-None-Match header; `*` for any tag, null without the header. */
export function tagsOf(header: string | undefined): readonly string[] | '*' | null {
  if (header === undefined) return null
  return header.trim() === '*' ? '*' : [...header.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag as string)
}

/** Tells whether the header contains this tag or `*`. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const tags = tagsOf(header)
  return tags === '*' || Boolean(tags?.includes(tag))
}

/** Returns the tag in the form of a header. */
export const quotedTag = (tag: string): string => `"${tag}"`
