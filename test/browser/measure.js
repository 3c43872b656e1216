// Runs in the page: measures the heights of controls, the contrast of texts, and the overflow of the page.
;(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => Number(value) / 255)
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) =>
      value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  // A guide has thousands of texts on the same grounds.
  const grounds = new Map([[null, 'rgb(255, 255, 255)']])
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const colour = getComputedStyle(element).backgroundColor
      grounds.set(element, colour === 'rgba(0, 0, 0, 0)' ? groundOf(element.parentElement) : colour)
    }
    return grounds.get(element)
  }
  // WCAG 2.2, contrast ratio.
  const contrast = (element) => {
    const [light, dark] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))].sort(
      (a, b) => b - a,
    )
    return (light + 0.05) / (dark + 0.05)
  }
  const all = (selector) => [...document.querySelectorAll(selector)]
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    heights: all('a, button, input:not([type=hidden])').map(
      (element) => element.getBoundingClientRect().height,
    ),
    contrasts: all('h1, a, button, label, input:not([type=hidden]), p').map(contrast),
  }
})()
