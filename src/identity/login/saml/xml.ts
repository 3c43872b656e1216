/** Reads XML strictly: syntax that two parsers could understand differently is rejected before parsing. */
import { DOMParser, type XmlNode } from '@xmldom/xmldom'
import { DocumentProblem } from './problems.ts'

/** An element of a parsed document. */
export interface XmlElement {
  /** The address of its namespace; '' for none. */
  readonly namespace: string
  /** The name without a prefix. */
  readonly name: string
  /** The attributes by name; those with a namespace as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text directly in the element. */
  readonly text: string
  /** The element of the parser, to check a signature. */
  readonly node: XmlNode
}

const depthMax = 32
const namespaceOfDeclarations = 'http://www.w3.org/2000/xmlns/'
const [elementNode, textNode, commentNode] = [1, 3, 8]

/** The limits of a document. */
interface Limits {
  /** The maximum length of the text in UTF-16 units. */
  length: number
  elements: number
  /** Whether comments are ignored. Otherwise a document with a comment is rejected. */
  ignoresComments: boolean
}

const tooManyElements = 'The document has too many elements.'

/** The limits of documents that a provider signs. Comments are forbidden because they could split a name. */
export const messageLimits: Limits = { length: 256 * 1024, elements: 3000, ignoresComments: false }

/** The limits of metadata, which comes from a trusted source. */
export const metadataLimits: Limits = { length: 1024 * 1024, elements: 20_000, ignoresComments: true }

const declaration =
  /^\ufeff?<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["']\w+["'])?\s*\?>/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const forbiddenCharacters = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/**
 * Returns the text without its XML declaration. Throws DocumentProblem for a text that is too long, and for
 * syntax that no message needs: a DOCTYPE with its entities, CDATA, comments and processing instructions.
 */
export function strictText(text: string, { length, elements, ignoresComments }: Limits): string {
  if (text.length > length) throw new DocumentProblem(`The document is longer than ${length} characters.`)
  const rest = text.replace(declaration, '').trim()
  // Each element has at most two tags. The time of the parser grows with the square of their number.
  if (rest.split('<', 2 * elements + 2).length > 2 * elements + 1) throw new DocumentProblem(tooManyElements)
  requireCharacters(rest)
  if (rest.includes('<?')) throw new DocumentProblem('The document has a processing instruction.')
  if (ignoresComments ? /<!(?!--)/.test(rest) : rest.includes('<!'))
    throw new DocumentProblem(
      `The document has a DOCTYPE, an entity${ignoresComments ? '' : ', a comment'} or a CDATA section.`,
    )
  return rest
}

function requireCharacters(text: string): void {
  if (!text.isWellFormed() || forbiddenCharacters.test(text))
    throw new DocumentProblem('The document has characters that XML does not have.')
}

/** Parses a text that `strictText` has returned. Throws DocumentProblem unless it is one well-formed element. */
export function parseXml(text: string, limits: Limits): XmlElement {
  const document = parse(text)
  const roots = childrenOf(document).filter(({ nodeType }) => nodeType !== commentNode)
  const [root] = roots
  if (!root || roots.length > 1 || root.nodeType !== elementNode)
    throw new DocumentProblem('The document is not one element.')
  let elements = 0
  const read = (node: XmlNode, depth: number): XmlElement => {
    if (++elements > limits.elements || depth > depthMax) throw new DocumentProblem(tooManyElements)
    const parts = childrenOf(node)
    const known = parts.every(({ nodeType }) => [elementNode, textNode, commentNode].includes(nodeType))
    if (!known) throw new DocumentProblem('The document has something else than elements and text.')
    const attributes = attributesOf(node)
    // A reference such as &#0; can write a character that the text itself must not contain.
    for (const value of [...attributes.values(), ...parts.map((part) => part.nodeValue ?? '')])
      requireCharacters(value)
    return {
      namespace: node.namespaceURI ?? '',
      name: node.localName ?? node.nodeName,
      attributes,
      children: parts.filter(({ nodeType }) => nodeType === elementNode).map((part) => read(part, depth + 1)),
      text: parts.map((part) => (part.nodeType === textNode ? (part.nodeValue ?? '') : '')).join(''),
      node,
    }
  }
  return read(root, 1)
}

function parse(text: string): XmlNode {
  const fail = () => {
    throw new DocumentProblem('The document is not well-formed XML.')
  }
  try {
    return new DOMParser({ errorHandler: fail }).parseFromString(text, 'text/xml')
  } catch {
    return fail()
  }
}

function childrenOf(node: XmlNode): XmlNode[] {
  const children: XmlNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}

function attributesOf({ attributes }: XmlNode): Map<string, string> {
  const found = new Map<string, string>()
  for (let index = 0; index < (attributes?.length ?? 0); index++) {
    const attribute = attributes?.item(index)
    if (!attribute || attribute.namespaceURI === namespaceOfDeclarations) continue
    const name = attribute.localName ?? attribute.nodeName
    found.set(attribute.namespaceURI ? `{${attribute.namespaceURI}}${name}` : name, attribute.nodeValue ?? '')
  }
  return found
}

export const childrenNamed = ({ children }: XmlElement, namespace: string, name: string): XmlElement[] =>
  children.filter((child) => child.namespace === namespace && child.name === name)

/** Returns an element and everything in it. */
export const withDescendants = (element: XmlElement): XmlElement[] => [
  element,
  ...element.children.flatMap(withDescendants),
]
