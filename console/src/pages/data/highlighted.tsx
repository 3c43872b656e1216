/** A text in which the API has marked the words of a search. */

/** Shows the text. The only HTML in it is the API's own `<mark>`. */
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
