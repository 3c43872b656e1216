/** A text in which the words of a search are marked, as the API marks them. */

/** Shows the text. Nothing of it is read as HTML but the API's own `<mark>`. */
export const Highlighted = ({ text }: { text: string }) =>
  text.split(/<mark>(.*?)<\/mark>/s).map((part, index) => {
    const plain = part
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
    return index % 2 === 1 ? <mark key={index}>{plain}</mark> : plain
  })
