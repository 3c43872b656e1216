/** Masks the values of secrets in the printed lines and in the error of a run. */

/** Replaces the values. */
const hidden = '***HIDDEN***'
/** Shorter texts and numbers are too common to hide. */
const lengthMin = 4
/**
 * Longer texts are hidden piece by piece, so that the work for each character of a log does not grow with
 * their length.
 */
const pieceLength = 64

/** Returns a function that hides the texts and numbers in these values, also as JSON and in URLs. */
export function masker(values: readonly unknown[]): (text: string) => string {
  const pieces = new Set(values.flatMap(leavesOf).flatMap(formsOf).flatMap(piecesOf))
  if (pieces.size === 0) return (text) => text
  const lengths = lengthsByStart(pieces)
  return (text) => {
    let masked = ''
    let kept = 0
    for (let at = 0; at < text.length; ) {
      const length = lengths.get(text.slice(at, at + lengthMin))?.find(isPieceAt(at))
      if (length === undefined) {
        at++
        continue
      }
      masked += text.slice(kept, at)
      // Adjacent pieces usually belong to one value, so one mask replaces them.
      if (kept < at || masked === '') masked += hidden
      at += length
      kept = at
    }
    return masked + text.slice(kept)

    function isPieceAt(at: number) {
      return (length: number) => pieces.has(text.slice(at, at + length))
    }
  }
}

/** Returns the lengths of the pieces by their first characters, the longest length first. */
function lengthsByStart(pieces: ReadonlySet<string>): Map<string, number[]> {
  const lengths = new Map<string, Set<number>>()
  for (const piece of pieces) {
    const start = piece.slice(0, lengthMin)
    lengths.set(start, (lengths.get(start) ?? new Set<number>()).add(piece.length))
  }
  return new Map([...lengths].map(([start, all]) => [start, [...all].sort((a, b) => b - a)]))
}

/** Returns the texts and numbers in a JSON value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

const formsOf = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text.toWellFormed()),
]

/** Splits a text. The last piece is longer than the others if the rest is too short to be masked alone. */
function piecesOf(text: string): string[] {
  if (text.length < lengthMin) return []
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const rest = text.length - at
    const length = rest < pieceLength + lengthMin ? rest : pieceLength
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}
