/** Creates the links to the previous and next pages. */
import type { DocumentLink } from '../../../formats/port/port.ts';
import type { WfsContext } from '../context/context.ts';
import type { GetFeatureRequest } from '../request/request.ts';

export interface PageSize {
  /** The page size; Infinity for all features. */
  readonly count: number;
  readonly hasNext: boolean;
}

/** Repeats the request from another position. XML requests have no address and therefore no links. */
export function createPageLinks(
  { parameters, address }: Pick<WfsContext, 'parameters' | 'address'>,
  { startIndex = 0, resultType }: Pick<GetFeatureRequest, 'startIndex' | 'resultType'>,
  { count, hasNext }: PageSize,
): readonly DocumentLink[] {
  if (parameters === undefined) return [];
  const formatPageUrl = (index: number): string => {
    const pairs = [...parameters].filter(([name]) => name !== 'startindex' && name !== 'resulttype');
    const query = new URLSearchParams(pairs);
    if (resultType === 'hits') query.set('resulttype', 'results');
    query.set('startindex', String(index));
    return `${address}?${query}`;
  };
  const links: DocumentLink[] = [];
  if (hasNext) links.push({ rel: 'next', href: formatPageUrl(startIndex + count) });
  if (startIndex > 0) links.push({ rel: 'previous', href: formatPageUrl(Math.max(0, startIndex - count)) });
  return links;
}
