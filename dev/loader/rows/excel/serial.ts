/** Dates and times of Excel: numbers of days, shown as the format of the cell says. */
import { CellError, CellMoment } from '../cells.ts'
import type { FormatKind } from './number-format.ts'

const dayLength = 86_400_000
/** The last day that Excel can show, 31 December 9999. */
const serialMax = 2_958_465

const two = (value: number): string => String(value).padStart(2, '0')

/** Returns a time of day in milliseconds as `18:30:00`. */
function clockOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const rest = milliseconds % 1000
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0').replace(/0+$/, '')}`
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`
}

/**
 * Returns a day as Excel shows it. It counts a 29 February 1900, which does not exist, and calls the day
 * before the first one the 0 January.
 */
function dateOf(serial: number, is1904: boolean): string {
  if (!is1904 && serial === 0) return '1900-01-00'
  if (!is1904 && serial === 60) return '1900-02-29'
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  return new Date(start + serial * dayLength).toISOString().slice(0, 10)
}

/** Returns a duration as ISO 8601, and as Excel shows it. */
function durationOf(milliseconds: number): { iso: string; shown: string } {
  const shown = clockOf(Math.abs(milliseconds))
  const [hours = '', minutes = '', seconds = ''] = shown.split(':')
  const parts = [
    [Number(hours), 'H'],
    [Number(minutes), 'M'],
    [Number(seconds), 'S'],
  ] as const
  const written = parts.flatMap(([value, unit]) => (value === 0 ? [] : `${value}${unit}`)).join('')
  const sign = milliseconds < 0 ? '-' : ''
  return { iso: `${sign}PT${written || '0S'}`, shown: `${sign}${shown}` }
}

/** Returns the value of a cell with a number of days. `cell` is its name, for messages. */
export function momentOf(
  text: string,
  kind: Exclude<FormatKind, 'number'>,
  is1904: boolean,
  cell: string,
): CellMoment | CellError {
  const serial = Number(text)
  const isDuration = kind === 'duration'
  if (!Number.isFinite(serial) || Math.abs(serial) > serialMax + 1 || (serial < 0 && !isDuration))
    return new CellError(text, `in the cell ${cell} is no date or time that Excel can show.`)
  const total = Math.round(serial * dayLength)
  if (isDuration) {
    const { iso, shown } = durationOf(total)
    const isOfDay = total >= 0 && total < dayLength
    return new CellMoment('duration', [
      ['duration', iso],
      ['string', shown],
      ...(isOfDay ? [['time', clockOf(total)] as const] : []),
    ])
  }
  const [days, clock] = [Math.floor(total / dayLength), clockOf(total % dayLength)]
  if (days === 0 && kind !== 'date' && (!is1904 || kind === 'time')) return timeOf(total)
  const date = dateOf(days, is1904)
  const isMidnight = total % dayLength === 0
  const isDay = kind === 'date' || isMidnight
  const values = [
    ['datetime', `${date}T${clock}Z`],
    ...(isDay ? [['date', date]] : []),
    ...(kind === 'time' ? [['time', clock]] : []),
    ['year', date.slice(0, 4)],
  ] as [string, string][]
  return new CellMoment(isMidnight && kind !== 'datetime' ? 'date' : 'datetime', values)
}

function timeOf(milliseconds: number): CellMoment {
  const time = clockOf(milliseconds)
  return new CellMoment('time', [
    ['time', time],
    ['duration', durationOf(milliseconds).iso],
  ])
}
