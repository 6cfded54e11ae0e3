/** Formats the allowed content of an element for messages. */
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { SldVersion } from '../document/sld-version.ts';
import type { Content } from './content.ts';
import { getExpressionNames, getGrammar, getOtherVersion } from './grammars.ts';

/** Returns text such as `Name, Title or a symbolizer`. */
export function formatExpected(content: Content): string {
  switch (content.kind) {
    case 'text':
      return 'text only';
    case 'translated':
      return 'text and Localized elements';
    case 'parameter':
      return 'text or an expression';
    case 'keyword':
      return formatAlternatives(content.names);
    case 'any':
      return 'anything';
    case 'elements': {
      const steps = content.steps.flatMap(({ called, names, tolerated }) =>
        called === undefined ? names.filter((name) => !tolerated?.includes(name)) : [called],
      );
      const all = content.vendorOptions ? [...steps, 'VendorOption'] : steps;
      return all.length === 0 ? 'no content' : formatAlternatives(all);
    }
  }
}

/** Returns the probable reason for an unknown name; empty if there is none. */
export function formatHint(name: string, parent: string, content: Content, version: SldVersion): string {
  const names = listElementNames(content, version);
  const otherCase = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (otherCase !== undefined) return `; use '${otherCase}'`;

  const other = getOtherVersion(version);
  const elsewhere = getGrammar(other).get(parent);
  if (elsewhere !== undefined && listElementNames(elsewhere, other).includes(name))
    return `; it belongs to SLD ${other}, but this document is ${version}`;
  return '';
}

export function formatAlternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** Quotes text of a client, truncated to a readable length. */
export function quoteText(text: string): string {
  return `'${excerpt(text.trim())}'`;
}

/** Returns the names of the elements that a content may contain. */
export function listElementNames(content: Content, version: SldVersion): readonly string[] {
  switch (content.kind) {
    case 'elements':
      return [...content.steps.flatMap(({ names }) => names), ...(content.vendorOptions ? ['VendorOption'] : [])];
    case 'translated':
      return ['Localized'];
    case 'parameter':
      return [...getExpressionNames(version)];
    case 'keyword':
      return content.names;
    default:
      return [];
  }
}
