/** A chart of groups: a horizontal bar for each. The table next to it has the same data. */
import classes from './bars.module.css'

/** A group with its value. */
interface Bar {
  label: string
  value: number
}

/** The properties of both kinds of charts. */
export interface ChartProps {
  label: string
  bars: readonly Bar[]
  format: (value: number) => string
}

/** Draws a horizontal bar for each group. Its length shows the value. */
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
