/** Contrast of colors, as WCAG 2.2 defines it. */
import { describe, expect, it } from 'vitest'
import { contrast, textContrast, textOn } from '../../../../src/kernel/lib/contrast.ts'

describe('contrast', () => {
  it('is 21 for black on white, 1 for a color on itself, and equals the examples of WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
    expect(contrast('#123456', '#123456')).toBe(1)
    // The lightest grey that passes AA on white, and the next lighter one.
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
})

describe('textOn', () => {
  it('is readable on every color', () => {
    let least = 21
    for (let red = 0; red < 256; red += 15)
      for (let green = 0; green < 256; green += 15)
        for (let blue = 0; blue < 256; blue += 15) {
          const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
          least = Math.min(least, contrast(color, textOn(color)))
        }
    for (let grey = 0; grey < 256; grey++) {
      const color = `#${grey.toString(16).padStart(2, '0').repeat(3)}`
      least = Math.min(least, contrast(color, textOn(color)))
    }
    expect(least).toBeGreaterThanOrEqual(textContrast)
  })
})
