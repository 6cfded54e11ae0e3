/** From a type of the data to a feature type of the catalog, and its layer. */

import type { CrsReference } from '../../data/crs/crs-reference.ts';
import { geographicBounds } from '../../data/crs/geographic-bounds.ts';
import type { FeatureTypeDescription } from '../../data/vector/port.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import { layerKind } from '../layers/layer.ts';
import type { DataStoreView } from '../stores/data-stores.ts';
import { isTypeNameTaken, refuseTakenTypeName } from '../stores/store-contents.ts';
import { styleForGeometry } from '../styles/style-for-geometry.ts';
import { checkDimensions } from './dimensions.ts';
import { boundsCrs, defaultServiceSettings, type FeatureType, featureTypeKind } from './feature-type.ts';
import { type FeatureTypeDraft, serviceSettings } from './feature-type-draft.ts';
import { type FeatureTypeView, featureTypeView } from './feature-type-view.ts';
import { knownSrs } from './known-srs.ts';
import { publishedAttributes } from './published-attribute.ts';

/** A feature type ready to be put into the catalog. */
export type Publication = Omit<FeatureType, Exclude<keyof RecordBase, 'name'> | 'kind' | 'workspace'>;

/** Everything computed from the data, then what the client says over it. */
export async function preparePublication(
  described: FeatureTypeDescription,
  draft: FeatureTypeDraft,
  name: string,
): Promise<Publication> {
  const nativeCrs = nativeCrsOf(described);
  const srs = draft.srs == null ? (nativeCrs.code ?? null) : await knownSrs(draft.srs);
  const projectionPolicy = draft.projectionPolicy ?? 'FORCE_DECLARED';
  const nativeBounds = draft.nativeBounds ?? described.bounds ?? null;
  const crs = boundsCrs({ srs, nativeCrs, projectionPolicy });
  const computed = nativeBounds === null ? undefined : await geographicBounds(nativeBounds, crs);
  const publication: Publication = {
    ...serviceSettings(draft, defaultServiceSettings, defaultServiceSettings),
    ...namedAfter(name, draft),
    nativeName: described.name,
    description: draft.description ?? null,
    abstract: draft.abstract ?? null,
    metadataLinks: draft.metadataLinks ?? [],
    dataLinks: draft.dataLinks ?? [],
    nativeCrs,
    srs,
    projectionPolicy,
    nativeBounds,
    latLonBounds: draft.latLonBounds ?? computed ?? null,
    enabled: draft.enabled ?? true,
    advertised: draft.advertised ?? true,
    metadata: draft.metadata ?? {},
    attributes:
      (draft.attributes ?? []).length === 0
        ? described.attributes
        : publishedAttributes(draft.attributes ?? [], described.attributes, name),
  };
  checkDimensions(publication);
  return publication;
}

/** The reference system of what a map draws. */
export function nativeCrsOf({ attributes, defaultGeometry }: FeatureTypeDescription): CrsReference {
  const geometry = attributes.find(({ name }) => name === defaultGeometry);
  return geometry?.kind === 'geometry' ? geometry.crs : {};
}

/** The same publication under another name, where its own is taken: suffix 1, 2 and so on. */
export async function withFreeName(
  catalog: CatalogReader,
  workspaceId: string,
  publication: Publication,
): Promise<Publication> {
  let { name } = publication;
  for (let suffix = 1; await isTypeNameTaken(catalog, workspaceId, name); suffix += 1) {
    name = `${publication.name}${suffix}`;
  }
  return { ...publication, ...namedAfter(name, {}) };
}

/** Puts a publication and its layer into the catalog, inside a change that may do more. */
export async function insertFeatureType(
  transaction: CatalogTransaction,
  view: DataStoreView,
  publication: Publication,
): Promise<FeatureTypeView> {
  await refuseTakenTypeName(transaction, view.workspace, publication.name);
  const type = await transaction.insert(featureTypeKind, {
    ...publication,
    parent: view.store.id,
    workspace: view.workspace.id,
  });
  await transaction.insert(layerKind, {
    parent: type.id,
    name: type.name,
    workspace: view.workspace.id,
    defaultStyle: styleForGeometry(type),
    enabled: true,
  });
  return featureTypeView(type, view);
}

function namedAfter(name: string, draft: FeatureTypeDraft): Pick<FeatureType, 'name' | 'title' | 'keywords'> {
  return { name, title: draft.title ?? name, keywords: draft.keywords ?? ['features', name] };
}
