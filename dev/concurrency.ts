/** How many sites a command works on at a time. */

const byDefault = 8
const max = 64

/** The lines of `--concurrency` in the help of a command. */
export const concurrencyUsage = `  --concurrency <n>     how many sites are migrated at a time, 1 to ${max}, by default ${byDefault};
                        each takes one connection of Postgres`

/** Returns the number of an option. Throws an Error that describes the allowed values. */
export function concurrencyOf(option: string | undefined): number {
  const number = Number(option ?? byDefault)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new Error(`--concurrency is ${option}; it has to be a whole number from 1 to ${max}.`)
  return number
}
