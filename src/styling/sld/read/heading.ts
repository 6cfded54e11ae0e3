/** Reads titles, abstracts and their translations, at the positions of both versions. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren, toOptionalList } from '../../../lib/xml/elements.ts';
import { findChildText, readElementText } from '../../../lib/xml/text.ts';
import type { Description, Translation } from '../../model/description.ts';

/**
 * `Title` and `Abstract` are direct children in version 1.0.0 and part of `Description` in 1.1.0; documents may use
 * both.
 */
export function readDescription(element: XmlElement): Description {
  const description = child(element, 'Description') ?? element;
  const title = child(description, 'Title') ?? child(element, 'Title');
  const abstract = child(description, 'Abstract') ?? child(element, 'Abstract');
  if (title === undefined && abstract === undefined) return {};
  return {
    title: title && readOwnText(title),
    abstract: abstract && readOwnText(abstract),
    translations: toOptionalList([...readTranslations(title, 'title'), ...readTranslations(abstract, 'abstract')]),
  };
}

export function readName(element: XmlElement): string | undefined {
  return findChildText(element, 'Name');
}

/** A text with translations only has no default text. */
function readOwnText(element: XmlElement): string | undefined {
  const text = readElementText(element);
  return text === '' && child(element, 'Localized') !== undefined ? undefined : text;
}

function readTranslations(element: XmlElement | undefined, of: Translation['of']): readonly Translation[] {
  if (element === undefined) return [];
  return listChildren(element, 'Localized').flatMap((each) => {
    const language = attribute(each, 'lang');
    return language === undefined ? [] : [{ of, language, text: readElementText(each) }];
  });
}
