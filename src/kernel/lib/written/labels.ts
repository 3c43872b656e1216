/** Returns labels for the columns of a header: each has a text, and all are different. */
export function labelsOf(cells: readonly unknown[]): string[] {
  const labels = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const text = String(cell ?? '').trim()
    const name = text === '' ? `field_${index + 1}` : text
    let label = name
    for (let count = 2; labels.has(label); count++) label = `${name}_${count}`
    labels.add(label)
  }
  return [...labels]
}
