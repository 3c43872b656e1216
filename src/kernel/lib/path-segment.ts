/** Decides which texts can be a segment of a path. */

/**
 * Texts that cannot be segments: clients resolve segments of dots before they send a request, and merge empty
 * segments, so the path would change its meaning.
 */
const unaddressable: readonly string[] = ['', '.', '..']

/** Tells whether a text can be a segment of a path. */
export const isPathSegment = (text: string): boolean => !unaddressable.includes(text)

/** The rule, for messages. */
export const pathSegmentRule = 'It is used in paths, so it may not be empty, "." or "..".'
