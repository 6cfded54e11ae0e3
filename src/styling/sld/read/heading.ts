/** Reads what people read: titles, abstracts and their translations, wherever a version puts them. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren, toOptionalList } from '../../../lib/xml/elements.ts';
import { findChildText, readElementText } from '../../../lib/xml/text.ts';
import type { Description, Translation } from '../../model/description.ts';

/** `Title` and `Abstract` stand in the element itself in version 1.0.0, in a `Description` in 1.1.0, or in both. */
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

/** A text that is there in other languages only is not there in its own. */
function readOwnText(element: XmlElement): string | undefined {
  const text = readElementText(element);
  return text === '' && child(element, 'Localized') !== undefined ? undefined : text;
}

function readTranslations(element: XmlElement | undefined, of: Translation['of']): readonly Translation[] {
  if (element === undefined) return [];
  return listChildren(element, 'Localized').map((each) => ({
    of,
    language: attribute(each, 'lang') ?? '',
    text: readElementText(each),
  }));
}
