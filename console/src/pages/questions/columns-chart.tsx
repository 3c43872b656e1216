/**
 * A chart of groups by time: a column for each, from left to right. The table next to it has the same data.
 */

import classes from './bars.module.css'
import type { ChartProps } from './bars.tsx'

/** The maximum number of labels below the columns. */
const labelsMax = 6

/** Draws a column for each group. If there is no room for all labels, omits some. */
export function ColumnsChart({ label, bars, format }: ChartProps) {
  const highest = Math.max(0, ...bars.map(({ value }) => value))
  const lowest = Math.min(0, ...bars.map(({ value }) => value))
  const percent = (value: number) => `${(value / (highest - lowest || 1)) * 100}%`
  const every = Math.ceil(bars.length / labelsMax)
  return (
    <div role="img" aria-label={label} className={classes.columns}>
      {bars.map(({ label: name, value }, index) => (
        <div key={name} className={classes.column} data-group={name} title={`${name}: ${format(value)}`}>
          <span className={classes.above}>{index % every === 0 ? format(value) : ''}</span>
          <span className={classes.height}>
            <span
              className={classes.pillar}
              style={{ height: percent(Math.abs(value)), bottom: percent(Math.min(0, value) - lowest) }}
            />
          </span>
          <span className={classes.below}>{index % every === 0 ? name : ''}</span>
        </div>
      ))}
    </div>
  )
}
