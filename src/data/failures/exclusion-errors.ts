/** The error for a record that may not exist beside another one. D19. */
import { AppError } from '../../kernel/errors.ts'
import type { ExclusionSchema } from '../model/exclusion-form.ts'

/** What is known of a broken exclusion. */
interface Broken {
  exclusion: ExclusionSchema
  fields: readonly string[]
  /** The beginning of the message: `rows[3]: `, or ''. */
  where: string
  /** Whether the other record is of the same request. */
  isByRequest: boolean
}

/** The 409. Omitted: the exclusion concerns data that is hidden from the guest. */
export const recordExcluded = (broken?: Broken) =>
  new AppError(409, 'record_excluded', {
    error: 'Record excluded',
    detail: broken ? broken.where + excludedMessage(broken) : 'Another record excludes this one.',
    field: broken?.fields.join(',') ?? '',
    ...(broken ? { exclusion: broken.exclusion.name } : {}),
    ...(broken?.isByRequest ? { held_by: 'request' } : {}),
  })

/** The 413 for a batch whose changes have too many locks of exclusions. */
export const tooManyExclusions = () =>
  new AppError(413, 'too_many_items', {
    detail:
      'The operations change records of tables with too many exclusions at once. ' +
      'Send fewer operations at a time, or change the records by one request with an array.',
  })

/** Returns the message for a record that another one excludes: that of the schema, if it has one. */
export const excludedMessage = ({
  exclusion: { message },
  fields,
  isByRequest,
}: Pick<Broken, 'exclusion' | 'fields' | 'isByRequest'>): string =>
  message ??
  `With this ${fields.join(', ')}, the record cannot exist beside another record` +
    `${isByRequest ? ' of the same request' : ''}.`
