/** Which texts can stand alone between two slashes of a path. */

/** Clients resolve a segment of dots before they send the request, and an empty one is none: such a path means something else. */
const unaddressable: readonly string[] = ['', '.', '..']

export const isPathSegment = (text: string): boolean => !unaddressable.includes(text)

export const pathSegmentRule = 'It stands in paths, so it may not be empty, "." or "..".'
