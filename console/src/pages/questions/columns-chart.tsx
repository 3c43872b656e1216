/** A chart of groups by time: a column for each, from left to right. The table beside it says the same. */
import classes from './bars.module.css'
import type { Bar } from './bars.tsx'

const width = 720
const height = 240
const labelHeight = 24
const valueHeight = 18
const labelsMax = 8

/** Draws a column for each group. Where there is no room for all labels, some are left out. */
export function ColumnsChart({
  label,
  bars,
  format,
}: {
  label: string
  bars: readonly Bar[]
  format: (value: number) => string
}) {
  const highest = Math.max(0, ...bars.map(({ value }) => value))
  const lowest = Math.min(0, ...bars.map(({ value }) => value))
  const room = height - labelHeight - valueHeight
  const scale = room / (highest - lowest || 1)
  const ground = valueHeight + highest * scale
  const step = width / bars.length
  const every = Math.ceil(bars.length / labelsMax)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className={classes.chart}>
      {bars.map(({ label: name, value }, index) => {
        const middle = step * (index + 0.5)
        const top = ground - Math.max(0, value) * scale
        return (
          <g key={name}>
            <title>{`${name}: ${format(value)}`}</title>
            <rect
              x={middle - Math.min(step * 0.4, 32)}
              y={top}
              width={Math.min(step * 0.8, 64)}
              height={Math.max(1, Math.abs(value) * scale)}
              rx={2}
              className={classes.bar}
            />
            {index % every === 0 ? (
              <>
                <text x={middle} y={top - 5} textAnchor="middle" className={classes.text}>
                  {format(value)}
                </text>
                <text x={middle} y={height - 6} textAnchor="middle" className={classes.text}>
                  {name}
                </text>
              </>
            ) : null}
          </g>
        )
      })}
      <line x1={0} x2={width} y1={ground} y2={ground} className={classes.ground} />
    </svg>
  )
}
