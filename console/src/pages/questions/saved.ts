/** Reads and changes the saved questions and dashboards of a site. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Items } from '../../../../client/src/site/lists.ts'
import type {
  Asked,
  Dashboard,
  DashboardInput,
  QuestionInput,
} from '../../../../client/src/site/questions.ts'
import { clientOf, queryClient } from '../../session/client.ts'
import type { Question } from './question.ts'

/** The longest name of a question or a dashboard. */
export const nameLengthMax = 80

const pageSize = 100

/** Reads all pages of a list. */
async function readAll<Item>(page: (number: number) => Promise<Items<Item>>): Promise<Item[]> {
  const { data, total } = await page(1)
  const others = Array.from({ length: Math.ceil(total / pageSize) - 1 }, (_, index) => page(index + 2))
  return [...data, ...(await Promise.all(others)).flatMap((one) => one.data)]
}

/** The saved questions of a site, by name. */
export const questionsQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'questions'],
    queryFn: ({ signal }) => readAll((page) => clientOf(site).questions.list({ page, pageSize, signal })),
  })

/** The dashboards of a site, by name. */
export const dashboardsQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'dashboards'],
    queryFn: ({ signal }) => readAll((page) => clientOf(site).dashboards.list({ page, pageSize, signal })),
  })

/** Returns a question in the form of the service. */
export const askedOf = ({
  app = '',
  table = '',
  measure = 'count',
  of,
  by,
  bucket,
  filters,
}: Question): Asked => ({
  app,
  table,
  measure: of === undefined ? 'count' : measure,
  field: measure === 'count' ? null : (of ?? null),
  group_by: by ?? null,
  bucket: bucket ?? null,
  filters: filters ?? {},
})

/** Returns a saved question in the form of the address. */
export const questionOf = ({ app, table, measure, field, group_by, bucket, filters }: Asked): Question => ({
  ...{ app, table, measure },
  ...(field ? { of: field } : {}),
  ...(group_by ? { by: group_by } : {}),
  ...(bucket ? { bucket } : {}),
  ...(Object.keys(filters ?? {}).length > 0 ? { filters: filters ?? {} } : {}),
})

/** An existing item in the state that was read. The service rejects a change of another state. */
interface Kept {
  id: number
  version: number
}

/** The calls of one of the two lists. */
interface Calls<Input, View> {
  create(input: Input): Promise<View>
  replace(id: number, input: Input, options: { version: number }): Promise<View>
  delete(id: number, options: { version: number }): Promise<void>
}

/** Returns the calls that change one of the two lists, and load it again. */
function useChanges<Input, View>(key: readonly string[], calls: Calls<Input, View>) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: key })
  return {
    /** Creates an item, or replaces an existing one. */
    put: useMutation({
      mutationFn: ({ input, kept }: { input: Input; kept?: Kept }) =>
        kept ? calls.replace(kept.id, input, { version: kept.version }) : calls.create(input),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: ({ id, version }: Kept) => calls.delete(id, { version }),
      onSettled,
    }),
  }
}

/** Returns the calls that change the saved questions of a site. */
export const useQuestionChanges = (site: string) =>
  useChanges<QuestionInput, Kept>([site, 'questions'], clientOf(site).questions)

/** Returns the calls that change the dashboards of a site. */
export const useDashboardChanges = (site: string) =>
  useChanges<DashboardInput, Dashboard>([site, 'dashboards'], clientOf(site).dashboards)
