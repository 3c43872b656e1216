/** Finds references to records that are not there: a table may have been put aside when they were deleted. */
import type { Db } from 'mongodb'
import type { KeyForm } from '../../src/data/providers/mongodb/wire.ts'
import { schemaLimit } from './limits.ts'
import { keepMembers, lookup } from './related.ts'

/** Returns the positions of the keys by which records reference nothing. */
export async function danglingIn(db: Db, keys: readonly KeyForm[]): Promise<number[]> {
  const found = await Promise.all(
    keys.map(({ from, to, pairs }) =>
      db
        .collection(from)
        .aggregate(
          [
            { $match: { $and: pairs.map(({ near }) => ({ [near]: { $ne: null } })) } },
            lookup({ from: to, pairs, where: { is: 'and', of: [] } }, 'far', [
              { $limit: 1 },
              keepMembers([]),
            ]),
            { $match: { 'far.0': { $exists: false } } },
            { $limit: 1 },
            keepMembers([]),
          ],
          schemaLimit,
        )
        .toArray(),
    ),
  )
  return [...found.keys()].filter((place) => found[place]?.length)
}
