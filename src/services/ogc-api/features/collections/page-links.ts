/** The links of pages of features: other formats, files, and the next and previous page. */
import type { DocumentLink } from '../../../../formats/port/port.ts';
import type { FeatureQueryResult } from '../../../../vector/query/query-features.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { formatQuery } from '../../common/parameters.ts';
import { createSelfLinks } from './documents.ts';
import type { FeaturesContext } from './features-context.ts';
import { type ItemsFormat, itemsFormats } from './item-formats.ts';
import { noPosition } from './items-parameters.ts';

export function createPageLinks(
  visit: FeaturesContext,
  type: PublishedType,
  format: ItemsFormat,
  answer: Pick<FeatureQueryResult, 'pages'>,
): readonly DocumentLink[] {
  const address = `${visit.formatCollectionUrl(type)}/items`;
  const { next, previous } = answer.pages();
  const createLink = (rel: string, title: string, key: Readonly<Record<string, string>>) => {
    const query = formatQuery(visit.parameters, { ...noPosition, ...key });
    return { rel, title, type: format.mediaType, href: `${address}${query}` };
  };
  return [
    ...createSelfLinks(
      address,
      visit,
      itemsFormats.filter(({ isFile }) => isFile !== true),
      format,
    ),
    ...createFileLinks(address, visit),
    ...(next === undefined ? [] : [createLink('next', 'The next page', { after: next })]),
    ...(previous === undefined ? [] : [createLink('prev', 'The previous page', { before: previous })]),
    createCollectionLink(visit, type),
  ];
}

/** Files contain all features that the filters select, not those of a page. */
function createFileLinks(address: string, { parameters }: FeaturesContext): readonly DocumentLink[] {
  return itemsFormats
    .filter(({ isFile }) => isFile === true)
    .map(({ name, mediaType, title }) => ({
      rel: 'alternate',
      type: mediaType,
      title: `All features as ${title}`,
      href: `${address}${formatQuery(parameters, { ...noPosition, limit: undefined, f: name })}`,
    }));
}

export function createCollectionLink(visit: FeaturesContext, type: PublishedType): DocumentLink {
  return { rel: 'collection', type: 'application/json', title: type.title, href: visit.formatCollectionUrl(type) };
}
