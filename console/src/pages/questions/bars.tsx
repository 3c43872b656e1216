/** A chart of groups: a bar for each, below each other. The table beside it says the same. */
import classes from './bars.module.css'

/** A group with its value. */
interface Bar {
  label: string
  value: number
}

/** What both kinds of charts get. */
export interface ChartProps {
  label: string
  bars: readonly Bar[]
  format: (value: number) => string
}

/** Draws a horizontal bar for each group, as long as its value is large. */
export function Bars({ label, bars, format }: ChartProps) {
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE)
  return (
    <div role="img" aria-label={label} className={classes.bars}>
      {bars.map(({ label: name, value }) => (
        <div key={name} className={classes.row} data-group={name}>
          <span className={classes.name}>{name}</span>
          <span className={classes.room}>
            <span className={classes.bar} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
            <span>{format(value)}</span>
          </span>
        </div>
      ))}
    </div>
  )
}
