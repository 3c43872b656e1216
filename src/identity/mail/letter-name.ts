/** Names of organizations, sites and people, as e-mails show them. */

/** How many characters of a name an e-mail shows. */
const charactersMax = 60

/** Characters that look like a full stop: a mail program, or its reader, takes them for one. */
const fullStops = /[\u3002\uff61\u06d4\u0701\u0702\ua4f8\ua60e]/g

/**
 * Texts in which mail programs find a link or an address. They are tried on the compatibility form of a name,
 * in which the wide, circled and small forms of letters and full stops are the plain ones.
 */
const linksOfAny: readonly RegExp[] = [
  // An address, and a name to be mentioned.
  /@/,
  // A host: a label that has a letter, after a full stop that stands at the end of a word.
  /[^\s.]\.[\p{N}\p{M}-]*\p{L}[\p{L}\p{M}\p{N}-]/u,
  /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/,
  // A host that is written so that only its reader finds it.
  /[[({<]\s*(?:\.|dot|punkt)\s*[\])}>]/iu,
  /\bwww\b/iu,
  // A scheme, also one that is disguised, and a path of a network.
  /\bh(?:tt|xx)ps?\b/iu,
  /[/\\]{2}/,
]
/** Those in a name. */
const links = [
  ...linksOfAny,
  /[^\s.]\.[\p{L}\p{N}-]+[/:?#\\]/u,
  /\b\p{L}[\p{L}\d+.-]*:\S/u,
  // A telephone number.
  /\d(?:[\s().+-]*\d){6}/,
]
/** Those in a subject. It may have dates, numbers of orders and colons, which are no link there. */
const linksOfSubjects = [...linksOfAny, /[^\s.]\.[\p{N}-]*\p{L}[\p{L}\p{N}-]*[/:?#\\]/u]

/** Characters that nobody sees, or that change the direction of others. White space is none of them. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd]/gu

const hasLink = (line: string, among = links): boolean => {
  const plain = line.normalize('NFKC').replace(fullStops, '.')
  return among.some((link) => link.test(plain))
}

/**
 * Returns a text as one line without control characters, bidirectional marks and characters that nobody sees,
 * cut to 60 characters.
 */
function asLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(unseen, '')
    .replace(/[\s\p{Z}\u0085]+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  const characters = [...line]
  return characters.length > charactersMax
    ? `${characters
        .slice(0, charactersMax - 1)
        .join('')
        .trim()}…`
    : line
}

/**
 * A name that an e-mail may show. Texts of e-mails take names in this form alone, so that none of them skips
 * the rules.
 */
export class LetterName {
  readonly #shown: string

  private constructor(shown: string) {
    this.#shown = shown
  }

  /** Returns a name for a reader who belongs to the organization that has chosen it. */
  static forMember(name: string): LetterName {
    return new LetterName(asLine(name))
  }

  /**
   * Returns a name for a reader to whom whoever has chosen it may be a stranger. If a mail program would find
   * a link or an address in it, or nothing of it can be seen, it is replaced by `standIn`: a slug, or the
   * reader's own address.
   */
  static forAnybody(name: string, standIn: string): LetterName {
    const line = asLine(name)
    return new LetterName(line === '' || hasLink(line) ? standIn : line)
  }

  /** Returns the subject of an e-mail that a stranger has written, or else `standIn`. */
  static ofSubject(subject: string, standIn: string): LetterName {
    const line = asLine(subject)
    return new LetterName(line === '' || hasLink(line, linksOfSubjects) ? standIn : line)
  }

  /** The name as one line. */
  toString(): string {
    return this.#shown
  }
}
