/** Reads the colors of the picture from the theme. */
import type { Colors } from './draw.ts'

const names = ['indigo', 'orange', 'teal', 'grape', 'red', 'cyan', 'lime', 'pink']
const shades = { light: 7, dark: 4 } as const

/** Returns the CSS variable with the color of a type of edges, by its position. */
export const typeColor = (index: number, scheme: 'light' | 'dark'): string =>
  `--mantine-color-${names[index % names.length]}-${shades[scheme]}`

let known: { scheme: string; colors: Colors } | undefined

/** Returns the colors. They are read again when the theme changes. */
export function colorsOf(scheme: 'light' | 'dark'): Colors {
  if (known?.scheme === scheme) return known.colors
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const colors = {
    types: names.map((_, index) => color(typeColor(index, scheme))),
    node: color(`--mantine-color-gray-${scheme === 'light' ? 7 : 4}`),
    unread: color(`--mantine-color-gray-${scheme === 'light' ? 5 : 6}`),
    text: color('--mantine-color-text'),
    ground: color('--mantine-color-body'),
    mark: color(`--mantine-color-yellow-${scheme === 'light' ? 7 : 5}`),
  }
  known = { scheme, colors }
  return colors
}
