/** Writes names, titles and abstracts where each version has them. */
import type { Description, Translation } from '../../model/description.ts';
import { quoted } from '../grammar/expected.ts';
import { element, maybeText, mixed, type OutputElement, textElement } from './output.ts';
import type { Writing } from './writing.ts';

export function writeHeading(
  writing: Writing,
  heading: Description & { readonly name?: string | undefined },
): readonly (OutputElement | undefined)[] {
  return [maybeText(writing.symbol('Name'), heading.name), ...writeDescription(writing, heading)];
}

export function writeDescription(writing: Writing, description: Description): readonly (OutputElement | undefined)[] {
  const title = writeTranslated(writing, 'Title', description.title, translationsOf(description, 'title'));
  const abstract = writeTranslated(writing, 'Abstract', description.abstract, translationsOf(description, 'abstract'));
  if (!writing.isSymbologyEncoding) return [title, abstract];
  return title === undefined && abstract === undefined ? [] : [element('se:Description', [title, abstract])];
}

/** Version 1.0.0 has no place for these on some elements. */
export function loseDescription(writing: Writing, description: Description): void {
  if (writing.isSymbologyEncoding) return;
  if (description.title !== undefined) writing.lose(`the Title ${quoted(description.title)} here`);
  if (description.abstract !== undefined) writing.lose(`the Abstract ${quoted(description.abstract)} here`);
}

function writeTranslated(
  writing: Writing,
  name: string,
  text: string | undefined,
  translations: readonly Translation[],
): OutputElement | undefined {
  if (text === undefined && translations.length === 0) return undefined;
  return mixed(writing.symbol(name), [
    text ?? '',
    ...translations.map((each) => textElement(writing.symbol('Localized'), each.text, { lang: each.language })),
  ]);
}

function translationsOf({ translations = [] }: Description, of: Translation['of']): readonly Translation[] {
  return translations.filter((each) => each.of === of);
}
