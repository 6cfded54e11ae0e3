/** Creates a feature type and its layer from a type of the data. */

import { computeGeographicBounds } from '../../crs/geographic-bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import {
  defaultServiceSettings,
  type FeatureType,
  type FeatureTypeDraft,
  featureTypeKind,
  SRS_FIELD,
} from '../kinds/feature-type.ts';
import { resolveAttributes } from '../kinds/published-attribute.ts';
import { getBoundsCrs } from '../kinds/resource.ts';
import { createResourceFields, mergeSettings, resolveSrs } from '../kinds/resource-draft.ts';
import { checkDimensions } from '../resources/dimensions.ts';
import { findFreeResourceName } from '../resources/find-resource.ts';
import { insertResource } from '../resources/write-resource.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import { type FeatureTypeView, toFeatureTypeView } from './feature-type-view.ts';

/** The initial keyword of every feature type. */
export const KEYWORD = 'features';

/** A feature type that is ready for insertion. */
export type Publication = Omit<FeatureType, Exclude<keyof RecordBase, 'name'> | 'kind' | 'workspace'> & {
  /** What the data states for the layer. */
  readonly attribution?: DataAttribution | undefined;
};

/** Computes all fields from the data, then applies those of the client. */
export async function preparePublication(
  described: FeatureTypeDescription,
  draft: FeatureTypeDraft,
  name: string,
): Promise<Publication> {
  const nativeCrs = findNativeCrs(described);
  const srs = draft.srs == null ? (nativeCrs.code ?? null) : await resolveSrs(draft.srs, SRS_FIELD);
  const description = draft.description ?? described.description ?? null;
  const remarks = createResourceFields({ ...draft, description }, name, KEYWORD);
  const nativeBounds = draft.nativeBounds ?? described.bounds ?? null;
  const crs = getBoundsCrs({ srs, nativeCrs, projectionPolicy: remarks.projectionPolicy });
  const publication: Publication = {
    ...mergeSettings(draft, defaultServiceSettings, defaultServiceSettings),
    ...remarks,
    name,
    attribution: described.attribution,
    nativeName: described.name,
    nativeCrs,
    srs,
    nativeBounds,
    tileZooms: described.tileZooms,
    latLonBounds: draft.latLonBounds ?? (nativeBounds && (await computeGeographicBounds(nativeBounds, crs))) ?? null,
    attributes:
      (draft.attributes ?? []).length === 0
        ? described.attributes
        : resolveAttributes(draft.attributes ?? [], described.attributes, name),
  };
  checkDimensions('featureType', publication);
  return publication;
}

/** Returns the reference system of the default geometry. */
export function findNativeCrs({ attributes, defaultGeometry }: FeatureTypeDescription): CrsReference {
  const geometry = attributes.find(({ name }) => name === defaultGeometry);
  return geometry?.kind === 'geometry' ? geometry.crs : {};
}

/** Returns the publication under a free name, if its own is taken. */
export async function assignFreeTypeName(
  catalog: CatalogReader,
  workspaceId: string,
  publication: Publication,
): Promise<Publication> {
  const name = await findFreeResourceName(catalog, workspaceId, publication.name);
  const { title, keywords } = createResourceFields({}, name, KEYWORD);
  return { ...publication, name, title, keywords };
}

/** Inserts a publication and its layer within a transaction. */
export async function insertFeatureType(
  transaction: CatalogTransaction,
  view: DataStoreView,
  { attribution, ...publication }: Publication,
): Promise<FeatureTypeView> {
  const draft = { ...publication, parent: view.store.id, workspace: view.workspace.id };
  return toFeatureTypeView(
    await insertResource(transaction, featureTypeKind, view.workspace, { draft, attribution }),
    view,
  );
}
