/** Texts in English and German. A text that lacks one of them does not compile. */
import { use } from 'react'
import { type Language, LanguageContext } from './language.tsx'

/** One text, or a function that makes it, in each language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>

/** A text in each language, as a row of the navigation has it. */
export type Label = Readonly<Record<Language, string>>

/** Declares the texts of a page. English says which there are; German has to have the same. */
export const defineTexts = <Shape extends object>(texts: {
  en: Shape
  de: { readonly [Name in keyof NoInfer<Shape>]: Widened<NoInfer<Shape>[Name]> }
}): Texts<Shape> => texts as Texts<Shape>

/** Strings may differ; functions take the same parameters. */
type Widened<Value> = Value extends string ? string : Value

/** Returns the texts in the language of the reader. */
export const useTexts = <Shape>(texts: Texts<Shape>): Shape => texts[use(LanguageContext).language]

/** Returns a text in the language of the reader. */
export const useLabel = (): ((label: Label) => string) => {
  const { language } = use(LanguageContext)
  return (label) => label[language]
}
