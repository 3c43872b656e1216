/** Texts in English and German. A text that lacks one of them does not compile. */
import { use } from 'react'
import { type Language, LanguageContext } from './language.tsx'

/** A text, or a function that returns one, in each language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>

/** A text in each language, for example for a row of the navigation. */
export type Label = Readonly<Record<Language, string>>

/** Declares the texts of a page. German must have the same texts as English. */
export const defineTexts = <Shape extends object>(texts: {
  en: Shape
  de: { readonly [Name in keyof NoInfer<Shape>]: Widened<NoInfer<Shape>[Name]> }
}): Texts<Shape> => texts as Texts<Shape>

/** Strings may differ; functions must have the same parameters. */
type Widened<Value> = Value extends string ? string : Value

/** Returns the texts in the language of the user. */
export const useTexts = <Shape>(texts: Texts<Shape>): Shape => texts[use(LanguageContext).language]

/** Returns a text in the language of the user. */
export const useLabel = (): ((label: Label) => string) => {
  const { language } = use(LanguageContext)
  return (label) => label[language]
}
