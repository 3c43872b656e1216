/** A bar chart of groups. The table next to it has the same content for people who cannot see the chart. */
import classes from './bars.module.css'

interface BarsProps {
  label: string
  bars: readonly { label: string; value: number }[]
}

const rowHeight = 26
const textWidth = 150
const width = 640
const valueWidth = 90

/** Draws a horizontal bar for each group. */
export function Bars({ label, bars }: BarsProps) {
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE)
  const room = width - textWidth - valueWidth
  return (
    <svg
      viewBox={`0 0 ${width} ${bars.length * rowHeight}`}
      role="img"
      aria-label={label}
      className={classes.chart}
    >
      {bars.map(({ label: name, value }, index) => {
        const length = (Math.abs(value) / largest) * room
        const top = index * rowHeight
        return (
          <g key={name}>
            <text x={textWidth - 8} y={top + 17} textAnchor="end" className={classes.text}>
              {name.length > 20 ? `${name.slice(0, 19)}…` : name}
            </text>
            <rect
              x={textWidth}
              y={top + 4}
              width={length}
              height={rowHeight - 8}
              rx={3}
              className={classes.bar}
            />
            <text x={textWidth + length + 6} y={top + 17} className={classes.text}>
              {Number(value.toPrecision(6)).toLocaleString()}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
