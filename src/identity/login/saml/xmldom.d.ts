/**
 * The types of the XML parser that this service uses. tsconfig.json names this file for the package, because
 * the package's own types declare the whole DOM as global, which a Worker does not have.
 */

/** A node of a document, by `nodeType`: 1 is an element, 3 a text. */
export interface XmlNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly namespaceURI?: string | null
  readonly localName?: string | null
  readonly attributes?: { readonly length: number; item(index: number): XmlNode | null }
  readonly firstChild: XmlNode | null
  readonly nextSibling: XmlNode | null
}

/** The parser. It calls `errorHandler` for errors in the document, and continues. */
export class DOMParser {
  constructor(options: { errorHandler: (level: string, message: string) => void })
  parseFromString(text: string, mediaType: 'text/xml'): XmlNode
}
