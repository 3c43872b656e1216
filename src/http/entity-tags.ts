/** ETag and the headers that ask for one. A tag that a proxy has made weak, as Cloudflare does when it compresses, is taken as what it was. */

/** The tags of an If-Match or If-None-Match header; `*` is any; null without the header. */
export function tagsOf(header: string | undefined): readonly string[] | '*' | null {
  if (header === undefined) return null
  return header.trim() === '*' ? '*' : [...header.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag as string)
}

/** Whether a header names this tag, or any. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const tags = tagsOf(header)
  return tags === '*' || Boolean(tags?.includes(tag))
}

export const quotedTag = (tag: string): string => `"${tag}"`
