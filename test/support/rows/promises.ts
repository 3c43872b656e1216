/**
 * What the sources promise about rows, as the compiler reads it: the row type of each template `sql` in src.
 * Runs in a thread, because it takes the compiler some seconds.
 * The text of a template is a pattern, because fragments and values have their places in it.
 */
import { join, relative } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { Expression, Node, SourceFile, TaggedTemplateExpression } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is'
import {
  API,
  type Checker,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync'
import type { Kind } from './report.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** The kinds that each member may have; undefined: any. A member that may be absent has the kind `undefined`. */
export type PromisedRow = Readonly<Record<string, ReadonlySet<Kind | 'undefined'> | undefined>>

/** A template of src. */
export interface Promised {
  /** The file and the line. */
  place: string
  /** The texts between its fragments, with any value as a placeholder. */
  parts: readonly RegExp[]
  /** The number of its own characters. */
  length: number
  /** Its rows are one of these. A generic function promises those of its calls; empty: nobody reads them. */
  rows: readonly { place: string; row: PromisedRow }[]
}

/** Reads all templates of src. */
function readPromises(): Promised[] {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()
    if (!project) throw new Error('The compiler has opened no project.')
    const { program, checker } = project
    const files = program.getSourceFileNames().filter((name) => name.startsWith(join(root, 'src/')))
    return new Reader(
      checker,
      files.map((name) => program.getSourceFile(name) as SourceFile),
    ).promises()
  } finally {
    api.close()
  }
}

class Reader {
  readonly checker: Checker
  readonly nodes: { source: SourceFile; node: Node; within: string }[]
  /** The statements and fragments that each file gives a name at its top. */
  readonly constants: ReadonlyMap<SourceFile, ReadonlyMap<string, TaggedTemplateExpression>>

  constructor(checker: Checker, sources: readonly SourceFile[]) {
    this.checker = checker
    this.constants = new Map(sources.map((source) => [source, constantsOf(source)]))
    this.nodes = sources.flatMap((source) => nodesOf(source, source, ''))
  }

  promises(): Promised[] {
    return this.nodes.flatMap(({ source, node, within }) => {
      if (!isTaggedTemplateExpression(node)) return []
      const place = placeOf(source, node)
      return { place, ...this.patternOf(source, node), rows: this.rowsOf(node, place, within) }
    })
  }

  /** Returns the rows of a statement, or of both statements of a list. */
  private rowsOf(node: Expression, place: string, within: string): Promised['rows'][number][] {
    const type = this.checker.getTypeAtLocation(node) as Type
    const page = this.checker.getPropertyOfType(type, 'page')
    const [row] = this.checker.getTypeArguments(
      (page ? this.checker.getTypeOfSymbol(page) : type) as TypeReference,
    )
    if (!row || row.flags & TypeFlags.AnyOrUnknown) return []
    if (!row.isTypeParameter()) return [{ place, row: this.rowOf(row) }]
    return this.nodes.flatMap((each) =>
      isCallExpression(each.node) &&
      isIdentifier(each.node.expression) &&
      each.node.expression.text === within
        ? this.rowsOf(each.node, placeOf(each.source, each.node), each.within)
        : [],
    )
  }

  private rowOf(row: Type): PromisedRow {
    const members = this.checker.getPropertiesOfType(row)
    const types = this.checker.getTypeOfSymbol(members)
    return Object.fromEntries(
      members.map(({ name, flags }, index) => {
        const kinds = new Set(this.kindsOf(types[index] as Type))
        if (flags & SymbolFlags.Optional) kinds.add('undefined')
        return [name, kinds.has('any') ? undefined : (kinds as Set<Kind>)]
      }),
    )
  }

  private kindsOf(type: Type): (Kind | 'undefined' | 'any')[] {
    if (type.isUnionType()) return (type.getTypes() ?? []).flatMap((each) => this.kindsOf(each))
    const named = kindsByFlag.find(([flags]) => type.flags & flags)
    if (named) return [named[1]]
    return [this.checker.isArrayLikeType(type) ? 'array' : 'object']
  }

  private patternOf(source: SourceFile, node: TaggedTemplateExpression): Pick<Promised, 'parts' | 'length'> {
    const { parts, length } = this.textOf(source, node)
    const last = parts.length - 1
    return {
      parts: parts.map(
        (part, index) => new RegExp(`${index === 0 ? '^' : ''}${part}${index === last ? '$' : ''}`, 'g'),
      ),
      length,
    }
  }

  /** Returns a template's own text, cut where a fragment stands. A constant of the same file is own text. */
  private textOf(
    source: SourceFile,
    { template }: TaggedTemplateExpression,
  ): { parts: string[]; length: number } {
    const spans = isTemplateExpression(template) ? template.templateSpans : []
    const own = [
      isTemplateExpression(template) ? template.head : template,
      ...spans.map((each) => each.literal),
    ]
    const texts = own.map(({ text }) => text.replaceAll('%', '%%'))
    const parts = [texts[0]?.replaceAll(special, '\\$&') ?? '']
    let length = texts.join('').length
    for (const [index, { expression }] of spans.entries()) {
      const next = texts[index + 1]?.replaceAll(special, '\\$&') ?? ''
      const before = parts.pop() ?? ''
      const constant = this.constants.get(source)?.get(expression.getText(source))
      if (constant) {
        const { parts: inner, length: added } = this.textOf(source, constant)
        inner[0] = `${before}${inner[0]}`
        parts.push(...inner.slice(0, -1), `${inner.at(-1)}${next}`)
        length += added
      } else if (this.isFragment(this.checker.getTypeAtLocation(expression) as Type)) parts.push(before, next)
      else parts.push(`${before}(?:%\\d+\\$L(?:::text)?|\\$1)${next}`)
    }
    return { parts, length }
  }

  private isFragment(type: Type): boolean {
    if (type.isUnionType()) return (type.getTypes() ?? []).some((each) => this.isFragment(each))
    return this.checker.getPropertyOfType(type, 'strings') !== undefined
  }
}

const special = /[\\^$.*+?()[\]{}|]/g

const kindsByFlag: readonly [flags: number, kind: Kind | 'undefined' | 'any'][] = [
  [TypeFlags.AnyOrUnknown | TypeFlags.TypeParameter, 'any'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
]

function constantsOf(source: SourceFile): Map<string, TaggedTemplateExpression> {
  const found = new Map<string, TaggedTemplateExpression>()
  source.forEachChild((statement) => {
    if (!isVariableStatement(statement)) return
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer && isStatement(source, initializer)) found.set(name.getText(source), initializer)
  })
  return found
}

const isStatement = (source: SourceFile, node: Node): node is TaggedTemplateExpression =>
  isTaggedTemplateExpression(node) && node.tag.getText(source) === 'sql'

/** Returns the templates and calls in a node, with the name of the function that each is in. */
function nodesOf(source: SourceFile, node: Node, within: string): Reader['nodes'] {
  const found: Reader['nodes'] =
    isStatement(source, node) || isCallExpression(node) ? [{ source, node, within }] : []
  const isNamed = isFunctionDeclaration(node) || (isVariableDeclaration(node) && isIdentifier(node.name))
  const inside = isNamed && node.name ? node.name.getText(source) : within
  node.forEachChild((child) => void found.push(...nodesOf(source, child, inside)))
  return found
}

const placeOf = (source: SourceFile, node: Node): string => {
  const line = source.text.slice(0, node.getStart(source)).split('\n').length
  return `${relative(root, source.fileName)}:${line}`
}

parentPort?.postMessage(readPromises())
