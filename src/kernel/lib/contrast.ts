/** Contrast of colours, as WCAG 2.2 defines it. Colours are written as `#0f766e`. */

/** The minimum contrast of text, by level AA. */
export const textContrast = 4.5

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns white or black: the one that is easier to read on a colour. It has a contrast of at least 4.5. */
export const textOn = (color: string): string =>
  contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000'
