/** The operations of an OpenAPI document in the form of the reference's pages: resolved and grouped. */

import { reference, resolved } from '../../kernel/http/openapi/components.ts'
import type {
  AppDocument,
  AppOperation,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
} from '../../kernel/http/openapi/types.ts'
import { chapters } from '../../kernel/http/openapi/vocabulary.ts'
import { pages } from '../docs/service.ts'
import { filterPrefix } from './filter-parameters.ts'

/** The schemas of a document by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>

/** An operation without references, except in its schemas. */
export interface ShownOperation extends Omit<Operation, 'responses'> {
  method: string
  path: string
  /** The parameters that filter by a field of the table. They are not in `parameters`. */
  filters: readonly Parameter[]
  responses: Readonly<Record<string, Response>>
}

/** Operations below one heading. */
export interface ShownChapter {
  name: string
  description: string
  operations: readonly ShownOperation[]
}

/** The chapters that belong to one page of the documentation. */
export interface ShownGroup {
  title: string
  /** The address of the page. */
  guide: string
  chapters: readonly ShownChapter[]
}

/** Returns all operations of a document, in its order. */
const operationsOf = (document: OpenApiDocument | AppDocument): ShownOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries<Operation | AppOperation>(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: parametersOf(document, operation, (isFilter) => !isFilter),
      filters: parametersOf(document, operation, (isFilter) => isFilter),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          resolved<Response>(response, document.components.responses),
        ]),
      ),
    })),
  )

/** Returns the parameters that `selects` accepts. */
const parametersOf = (
  { components }: OpenApiDocument | AppDocument,
  { parameters }: Operation | AppOperation,
  selects: (isFilter: boolean) => boolean,
): Parameter[] =>
  parameters
    .filter((parameter) => selects('$ref' in parameter && parameter.$ref.startsWith(filters)))
    .map((parameter) => {
      const found = resolved<Parameter>(parameter, components.parameters ?? {})
      const { description } = resolved(found.schema, components.schemas)
      return typeof description === 'string' ? { description, ...found } : found
    })

const filters = reference('parameters', filterPrefix).$ref

/** The chapters by document, because all pages of the whole API show the same document. */
const knownChapters = new WeakMap<OpenApiDocument | AppDocument, readonly ShownChapter[]>()

/** Returns the chapters of a document: one for each tag that has operations. */
export function chaptersOf(document: OpenApiDocument | AppDocument): readonly ShownChapter[] {
  const found = knownChapters.get(document) ?? groupByTag(document)
  knownChapters.set(document, found)
  return found
}

function groupByTag(document: OpenApiDocument | AppDocument): ShownChapter[] {
  const operations = operationsOf(document)
  return document.tags
    .map(({ name, description }) => ({
      name: String(name),
      description: String(description ?? ''),
      operations: operations
        .filter(({ tags }) => tags.includes(String(name)))
        .toSorted((one, other) => rankOf(one) - rankOf(other)),
    }))
    .filter((chapter) => chapter.operations.length > 0)
}

/** The parts of a table, in the order in which its chapter shows them. Everything else comes after them. */
const parts = ['/data/', '/edges/']

function rankOf({ path }: ShownOperation): number {
  const rank = parts.findIndex((part) => path.includes(part))
  return rank === -1 ? parts.length : rank
}

/** Groups the chapters of the whole API by pages of the documentation, in the order of its contents. */
export const groupsOf = (shown: readonly ShownChapter[]): ShownGroup[] =>
  pages.flatMap(({ file, title, address }) => {
    const names = chapters.filter(({ guide }) => guide === file).map(({ name }) => name)
    const own = shown.filter(({ name }) => names.includes(name))
    return own.length > 0 ? [{ title, guide: address, chapters: own }] : []
  })
