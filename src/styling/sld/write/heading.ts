/** Writes names, titles and abstracts at the positions of each version. */
import type { Description, Translation } from '../../model/description.ts';
import { quoteText } from '../grammar/expected.ts';
import {
  createElement,
  createMixedElement,
  createOptionalText,
  createTextElement,
  type OutputElement,
} from './output.ts';
import type { SldWriteContext } from './write-context.ts';

export function writeHeading(
  writing: SldWriteContext,
  heading: Description & { readonly name?: string | undefined },
): readonly (OutputElement | undefined)[] {
  return [createOptionalText(writing.toSymbolName('Name'), heading.name), ...writeDescription(writing, heading)];
}

export function writeDescription(
  writing: SldWriteContext,
  description: Description,
): readonly (OutputElement | undefined)[] {
  const title = writeTranslated(writing, 'Title', description.title, listTranslations(description, 'title'));
  const abstract = writeTranslated(
    writing,
    'Abstract',
    description.abstract,
    listTranslations(description, 'abstract'),
  );
  if (!writing.isSymbologyEncoding) return [title, abstract];
  return title === undefined && abstract === undefined ? [] : [createElement('se:Description', [title, abstract])];
}

/** Version 1.0.0 does not support these on some elements. */
export function reportDescriptionLoss(writing: SldWriteContext, description: Description): void {
  if (writing.isSymbologyEncoding) return;
  if (description.title !== undefined) writing.reportLoss(`the Title ${quoteText(description.title)} of this element`);
  if (description.abstract !== undefined)
    writing.reportLoss(`the Abstract ${quoteText(description.abstract)} of this element`);
}

function writeTranslated(
  writing: SldWriteContext,
  name: string,
  text: string | undefined,
  translations: readonly Translation[],
): OutputElement | undefined {
  if (text === undefined && translations.length === 0) return undefined;
  return createMixedElement(writing.toSymbolName(name), [
    text ?? '',
    ...translations.map((each) =>
      createTextElement(writing.toSymbolName('Localized'), each.text, { lang: each.language }),
    ),
  ]);
}

function listTranslations({ translations = [] }: Description, of: Translation['of']): readonly Translation[] {
  return translations.filter((each) => each.of === of);
}
