/** A page of features, and the collection that encoders receive of it. */
import { writeCrsName } from '../../../../crs/axis-order.ts';
import type { DocumentLink, FeatureCollection } from '../../../../formats/port/port.ts';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import type { Feature, FeatureTypeDescription } from '../../../../vector/port/port.ts';
import type { UnshapedFeatures } from '../../../../vector/query/query-features.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { ItemsQuery } from './items-query.ts';

/** The default number of decimals of coordinates; better than a centimetre. */
const DECIMALS = 8;

/** A page of features that is being read. */
export interface ItemsPage {
  readonly type: PublishedType;
  readonly description: FeatureTypeDescription;
  readonly query: ItemsQuery;
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** The features before conversion to the output shape; either this or `batches` is read. */
  readonly unshaped?: UnshapedFeatures;
  readonly readAt: Date;
  /** Present if known before reading. */
  readonly numberReturned?: number;
  /** The number of all matching features if it could be counted; available once the batches are read. */
  numberMatched(): number | undefined;
  /** Available once the batches are read. */
  links(): readonly DocumentLink[];
}

export function createFeatureCollection(page: ItemsPage): FeatureCollection {
  const { type, query } = page;
  return {
    sets: [
      {
        typeName: { prefix: type.prefix, uri: type.namespace, local: type.name },
        description: page.description,
        crs: selectWrittenCrs(type, query),
        // Read after the features.
        get numberMatched() {
          return page.numberMatched();
        },
        ...(page.numberReturned === undefined ? {} : { numberReturned: page.numberReturned }),
        batches: page.batches,
        ...(page.unshaped === undefined ? {} : { unshaped: page.unshaped }),
      },
    ],
    timeStamp: page.readAt,
    links: page.links,
    schemaLocations: [],
    options: { decimals: type.decimals ?? DECIMALS },
  };
}

function selectWrittenCrs({ crs }: PublishedType, { system }: Pick<ItemsQuery, 'system'>) {
  return system === undefined
    ? { reference: crs, isNorthFirst: false }
    : { reference: { code: system.code }, name: formatCrsUri(system), isNorthFirst: system.isNorthFirst };
}

export function createCrsHeaders({ system }: Pick<ItemsQuery, 'system'>): Pick<ServiceReply, 'headers'> {
  return system === undefined ? {} : { headers: { 'content-crs': `<${formatCrsUri(system)}>` } };
}

function formatCrsUri({ code, isLongitudeFirst }: NonNullable<ItemsQuery['system']>): string {
  return writeCrsName({ code, isLongitudeFirst }, 'uri');
}
